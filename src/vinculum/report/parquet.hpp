#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/report/rows.hpp"

namespace vinculum::report {

/// Texts about a file by their names.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// A table of numbers as a Parquet file (Apache Parquet format, version 1 of its data pages): columns of doubles that
/// are always there, a NaN where CSV has an empty field, encoded PLAIN, not compressed. Rows go to the stream in
/// groups, so that memory stays as it is however many there are. What is known of the table stands beside the schema as
/// texts by name: `vinculum-parquet` "1", `units`, an object of the SI unit of each column, and the facts.
class ParquetRows {
 public:
  /// \param stream  outlives this, and has nothing in it
  ParquetRows(std::ostream& stream, std::vector<Table::Column> columns, Facts facts);
  void write(std::span<const double> row);
  /// Writes what ends the file; without it nobody can read it. Once.
  void finish();

 private:
  struct Group {
    std::int64_t offset, rows, chunk;  ///< of the first column [bytes]; of each column [bytes]
  };
  void put(const std::string& bytes);
  void close_group();
  [[nodiscard]] std::string footer() const;

  std::ostream& stream_;
  std::vector<Table::Column> columns_;
  Facts facts_;
  std::vector<double> held_;  ///< [rows × columns] of the group to be
  std::vector<Group> groups_;
  std::int64_t written_ = 0;  ///< [bytes]
};

}  // namespace vinculum::report

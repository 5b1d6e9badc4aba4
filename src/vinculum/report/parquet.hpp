#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/report/rows.hpp"

namespace vinculum::report {

/// Metadata of a file, as pairs of a name and a text value.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Writes a table of numbers as a Parquet file (Apache Parquet, data pages version 1). All columns are required
/// doubles, encoded PLAIN and not compressed. NaN is written where CSV has an empty field. Rows are written in groups,
/// so the memory does not grow with their number. The metadata are: `vinculum-parquet` "1"; `units`, a JSON object with
/// the SI unit of each column; and the given facts.
class ParquetRows {
 public:
  /// \param stream  empty; must live longer than this object
  ParquetRows(std::ostream& stream, std::vector<Table::Column> columns, Facts facts);
  void write(std::span<const double> row);
  /// Writes the footer; call it once. Without it the file is not readable.
  void finish();

 private:
  struct Group {
    std::int64_t offset, rows, chunk;  ///< [bytes] position of the first column; rows; [bytes] size of each column
  };
  void put(const std::string& bytes);
  void close_group();
  [[nodiscard]] std::string footer() const;

  std::ostream& stream_;
  std::vector<Table::Column> columns_;
  Facts facts_;
  std::vector<double> held_;  ///< [rows × columns] values of the group that is not yet written
  std::vector<Group> groups_;
  std::int64_t written_ = 0;  ///< [bytes] written so far
};

}  // namespace vinculum::report

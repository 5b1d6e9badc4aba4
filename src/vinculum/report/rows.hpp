#pragma once

#include <functional>
#include <span>

#include "vinculum/report/tree.hpp"

namespace vinculum::report {

/// Where the rows of a table go as they come, each a number a column: lines of a CSV file, columns of a Parquet file.
using RowWriter = std::function<void(std::span<const double>)>;

/// `CsvRows` as such a place. \param stream  outlives it
[[nodiscard]] inline RowWriter csv_rows(std::ostream& stream, const std::vector<Table::Column>& columns,
                                        const std::string& about = "") {
  return [rows = CsvRows(stream, columns, about)](std::span<const double> row) mutable { rows.write(row); };
}

}  // namespace vinculum::report

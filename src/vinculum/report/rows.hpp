#pragma once

#include <functional>
#include <span>

#include "vinculum/report/tree.hpp"

namespace vinculum::report {

/// Receives the rows of a table one at a time, one number per column, and writes them (CSV, Parquet).
using RowWriter = std::function<void(std::span<const double>)>;

/// A RowWriter for CSV. \param stream  must live longer than the result
[[nodiscard]] inline RowWriter csv_rows(std::ostream& stream, const std::vector<Table::Column>& columns,
                                        const std::string& about = "") {
  return [rows = CsvRows(stream, columns, about)](std::span<const double> row) mutable { rows.write(row); };
}

}  // namespace vinculum::report

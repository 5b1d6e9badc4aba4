#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/elaborate/check/scope.hpp"
#include "vinculum/expr/spline.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// The value of a table for arguments outside its range.
enum class Outside : std::uint8_t {
  kError,   ///< no value: the run stops
  kHold,    ///< the value at the nearer end of the range
  kLinear,  ///< a straight line with the slope at the nearer end
};

struct TableOptions {
  expr::Spline::Kind kind = expr::Spline::Kind::kSpline;
  Outside outside = Outside::kError;
  bool is_periodic = false;
  std::string column;              ///< empty: the second column
  diag::SourceRange column_range;  ///< range of the column's name in the model
};

/// Reads the options of a call of `table`. Reports unknown options, repeated ones and ones that contradict each other.
/// An unknown name as the third argument counts as an unknown option.
[[nodiscard]] std::optional<TableOptions> read_table_options(const lang::Call& call, Scope& scope, Reporter& reporter);

}  // namespace vinculum::elaborate

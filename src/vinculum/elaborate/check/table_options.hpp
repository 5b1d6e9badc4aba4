#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/elaborate/check/scope.hpp"
#include "vinculum/expr/spline.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Value of a table outside the range of its rows.
enum class Outside : std::uint8_t {
  kError,   ///< none: the run stops
  kHold,    ///< the value at the end
  kLinear,  ///< straight on with the slope at the end
};

struct TableOptions {
  expr::Spline::Kind kind = expr::Spline::Kind::kSpline;
  Outside outside = Outside::kError;
  bool is_periodic = false;
  std::string column;              ///< empty: the second column
  diag::SourceRange column_range;  ///< of the name in the model
};

/// Reads the options of a call of `table`; reports unknown, repeated and contradicting ones. A third argument that is
/// an unknown name counts as an option.
[[nodiscard]] std::optional<TableOptions> read_table_options(const lang::Call& call, Scope& scope, Reporter& reporter);

}  // namespace vinculum::elaborate

#pragma once

#include <span>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Which operations are counted. With kVarying, multiplications by constants are not counted, so that the count does
/// not depend on units: a factor that is 1 in some units needs no operation there.
enum class Multiples { kAll, kVarying };

/// Number of operations per evaluation of the expressions; shared subexpressions count once. Only nodes that depend on
/// an input count, because nodes that depend on parameters alone are computed beforehand.
[[nodiscard]] std::size_t operation_count(std::span<const Expr> roots, std::span<const Expr> inputs,
                                          Multiples multiples = Multiples::kAll);

}  // namespace vinculum::expr

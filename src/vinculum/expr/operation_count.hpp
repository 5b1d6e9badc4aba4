#pragma once

#include <span>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Which operations count: without multiples by constants, of which one that is 1 in some units takes none, the count
/// is the same in all units.
enum class Multiples { kAll, kVarying };

/// Operations that some expressions take at each evaluation, shared ones once: nodes that the roots depend on and that
/// depend on an input themselves; what holds parameters alone is computed beforehand.
[[nodiscard]] std::size_t operation_count(std::span<const Expr> roots, std::span<const Expr> inputs,
                                          Multiples multiples = Multiples::kAll);

}  // namespace vinculum::expr

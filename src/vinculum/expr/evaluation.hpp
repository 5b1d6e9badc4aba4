#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {

/// Evaluates the same expressions at many sets of values. Results equal those of `interpret`; nodes are collected only
/// once.
class Evaluation {
 public:
  /// \pre the graph of the roots outlives it.
  Evaluation(std::span<const Expr> roots, std::span<const Expr> symbols);
  /// \param values  values of the symbols; a symbol in the roots that has no value causes an InternalError.
  /// \returns [roots]
  [[nodiscard]] std::vector<double> at(std::span<const double> values) const;

 private:
  std::vector<Expr> roots_, symbols_;
  Subgraph subgraph_;
};

}  // namespace vinculum::expr

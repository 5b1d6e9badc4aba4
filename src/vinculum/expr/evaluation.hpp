#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {

/// `interpret` of the same expressions at many values: what they depend on is found once.
class Evaluation {
 public:
  /// \pre the graph of the roots outlives it.
  Evaluation(std::span<const Expr> roots, std::span<const Expr> symbols);
  /// \param values  of the symbols; one that the roots hold and that has none is an InternalError.   \returns [roots]
  [[nodiscard]] std::vector<double> at(std::span<const double> values) const;

 private:
  std::vector<Expr> roots_, symbols_;
  Subgraph subgraph_;
};

}  // namespace vinculum::expr

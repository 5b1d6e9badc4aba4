#pragma once

#include <functional>
#include <map>

#include "vinculum/model/term.hpp"

namespace vinculum::model {

/// ∂scalar/∂node for every node of a scalar term, by one pass from the root to the leaves.
class Adjoints {
 public:
  /// \param is_asked  whether the derivative by a node, or by one of its subterms, is needed. Empty: all are needed.
  explicit Adjoints(Term root, std::function<bool(Term)> is_asked = {});
  /// ∂scalar/∂node. It is zero (a scalar or a vector, like the node) if the scalar does not depend on the node.
  [[nodiscard]] Term of(Term node) const;
  /// ∂scalar/∂node for all nodes that the scalar depends on. The root is first; a node precedes its operands.
  using All = std::map<TermId, Term, std::greater<>>;
  [[nodiscard]] const All& all() const { return adjoints_; }

 private:
  void add(Term node, Term contribution);
  void pass_down_scalar(Term node, Term adjoint);
  void pass_down_vector(Term node, Term adjoint);

  TermPool& pool_;
  std::function<bool(Term)> is_asked_;
  All adjoints_;
};

}  // namespace vinculum::model

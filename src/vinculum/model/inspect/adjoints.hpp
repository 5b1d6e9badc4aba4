#pragma once

#include <functional>
#include <map>

#include "vinculum/model/term.hpp"

namespace vinculum::model {

/// ∂scalar/∂node for every node below a scalar, by one pass from the root down.
class Adjoints {
 public:
  /// \param is_asked  whether anything at or below a node is asked for; all of it where empty.
  explicit Adjoints(Term root, std::function<bool(Term)> is_asked = {});
  /// Zero, scalar or vector as the node is, where the scalar does not depend on it.
  [[nodiscard]] Term of(Term node) const;
  /// Of the nodes that it depends on, the root first: operands behind their users.
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

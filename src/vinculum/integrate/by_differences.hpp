#pragma once

#include "vinculum/integrate/implicit_problem.hpp"
#include "vinculum/integrate/problem.hpp"

namespace vinculum::integrate {

/// An ImplicitProblem for a Problem of which only F(t, y) is known: without s, linearized by finite differences.
class ByDifferences final : public ImplicitProblem {
 public:
  /// \param problem  must outlive the object.
  explicit ByDifferences(const Problem& problem);

  Outcome<void> evaluate(double t, const double* x, double* F, Use use) override;
  /// One evaluation per component. Each component is changed by √ε (about half the digits) of its size, or of the size
  /// of the quantities that it is solved with.
  bool linearize(double t, const double* x, const double* F, Matrix& F_x) override;

 private:
  const Problem& problem_;
  Vector moved_, F_;
};

}  // namespace vinculum::integrate

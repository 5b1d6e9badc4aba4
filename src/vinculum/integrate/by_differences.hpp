#pragma once

#include "vinculum/integrate/implicit_problem.hpp"
#include "vinculum/integrate/problem.hpp"

namespace vinculum::integrate {

/// A Problem of which no more is known than F(t, y): without s, linearised by differences of what is looked at.
class ByDifferences final : public ImplicitProblem {
 public:
  /// \param problem  outlives it.
  explicit ByDifferences(const Problem& problem);

  Outcome<void> evaluate(double t, const double* x, double* F, Use use) override;
  /// One evaluation a component. Each is moved by the part of its size, or of what it is solved with, that leaves half
  /// the digits.
  bool linearize(double t, const double* x, const double* F, Matrix& F_x) override;

 private:
  const Problem& problem_;
  Vector moved_, F_;
};

}  // namespace vinculum::integrate

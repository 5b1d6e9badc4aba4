#pragma once

#include "vinculum/integrate/implicit_problem.hpp"
#include "vinculum/integrate/problem.hpp"

namespace vinculum::integrate {

/// An ImplicitProblem for a Problem of which only F(t, y) is known. It has no algebraic unknowns s, and its
/// linearization is computed by finite differences.
class ByDifferences final : public ImplicitProblem {
 public:
  /// \param problem  must outlive the object.
  explicit ByDifferences(const Problem& problem);

  Outcome<void> evaluate(double t, const double* x, double* F, Use use) override;
  /// Takes one evaluation of F per component. Component i is changed by √ε (ε: machine epsilon) times the larger of its
  /// magnitude and `Problem::beside`[i] (1 if that list is empty).
  bool linearize(double t, const double* x, const double* F, Matrix& F_x) override;

 private:
  const Problem& problem_;
  Vector moved_, F_;
};

}  // namespace vinculum::integrate

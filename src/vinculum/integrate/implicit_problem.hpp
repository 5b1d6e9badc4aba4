#pragma once

#include <span>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"

namespace vinculum::integrate {

/// Position of an entry of a matrix.
struct Place {
  int row = 0, column = 0;
};

/// Equations of a Problem in the form that an implicit method needs. Code that knows the structure of the equations
/// provides them:
///
///   y' = F_y(t, x),   0 = F_s(t, x),   x = (y, s)
///
/// s are algebraic unknowns that follow from t and y, such as forces of stiff elements; their number may be 0.
class ImplicitProblem {
 public:
  /// Purpose of an evaluation. kMoves: the evaluation is part of the motion. kLooks: the evaluation must have no side
  /// effects, like that by `Problem::look`.
  enum class Use { kMoves, kLooks };

  virtual ~ImplicitProblem() = default;
  /// Number of unknowns s.
  [[nodiscard]] virtual int algebraic() const { return 0; }
  /// Evaluates F = (F_y, F_s), which has as many components as x.   \returns a failure if F cannot be evaluated at x.
  [[nodiscard]] virtual Outcome<void> evaluate(double t, const double* x, double* F, Use use) = 0;
  /// Evaluates the Jacobian ∂F/∂x near x, a square matrix of the size of x. F is the known value at x. The Jacobian
  /// affects how fast Newton's iteration converges, not the result.   \param F_x  contains the result of the last call,
  /// or 0.   \returns false if the Jacobian cannot be evaluated.
  [[nodiscard]] virtual bool linearize(double t, const double* x, const double* F, Matrix& F_x) = 0;
  /// Entries of ∂F/∂x that may differ from 0, according to the last call of `linearize`; empty: every entry may. A list
  /// that is not empty is the same at every call.
  [[nodiscard]] virtual std::span<const Place> places() const { return {}; }
  /// Called before a projection (Problem::project) at the state x. It provides the data that the projection expects
  /// from the last call of Problem::derivative.
  [[nodiscard]] virtual Outcome<void> before_projection(double /*t*/, const double* /*x*/) { return {}; }
  /// Computes s from t and y and writes it to x after y.   \returns the reason if s does not exist.
  [[nodiscard]] virtual Outcome<void> settle(double /*t*/, double* /*x*/) { return {}; }
};

}  // namespace vinculum::integrate

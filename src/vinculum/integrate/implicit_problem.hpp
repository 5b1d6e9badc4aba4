#pragma once

#include <span>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"

namespace vinculum::integrate {

/// An entry of a matrix.
struct Place {
  int row = 0, column = 0;
};

/// The equations of a Problem as an implicit method wants them, by who knows their structure:
///
///   y' = F_y(t, x),   0 = F_s(t, x),   x = (y, s)
///
/// s are unknowns without a rate of their own, such as forces of stiff elements, that follow from t and y; there may be
/// none.
class ImplicitProblem {
 public:
  /// Whether the motion goes on from what is evaluated, or it is only looked at (Problem::look).
  enum class Use { kMoves, kLooks };

  virtual ~ImplicitProblem() = default;
  /// Number of s.
  [[nodiscard]] virtual int algebraic() const { return 0; }
  /// F [size of x].   \returns as `Problem::derivative`.
  [[nodiscard]] virtual Outcome<void> evaluate(double t, const double* x, double* F, Use use) = 0;
  /// ∂F/∂x [size of x, twice] near x, where F is known; it decides how fast Newton's iteration converges and not to
  /// what.   \param F_x  before: what the last call has made of it, or 0.   \returns false where there is none.
  [[nodiscard]] virtual bool linearize(double t, const double* x, const double* F, Matrix& F_x) = 0;
  /// Where ∂F/∂x, as it was made last, may differ from 0; empty: anywhere. The same list whenever it is not empty.
  [[nodiscard]] virtual std::span<const Place> places() const { return {}; }
  /// A projection (Problem::project) at that state follows: what it relies on of the last call of Problem::derivative.
  [[nodiscard]] virtual Outcome<void> before_projection(double /*t*/, const double* /*x*/) { return {}; }
  /// s that goes with t and y, into x behind y.   \returns why there is none.
  [[nodiscard]] virtual Outcome<void> settle(double /*t*/, double* /*x*/) { return {}; }
};

}  // namespace vinculum::integrate

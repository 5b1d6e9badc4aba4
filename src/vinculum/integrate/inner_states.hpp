#pragma once

#include <limits>

#include "vinculum/integrate/integrator.hpp"

namespace vinculum::integrate {

/// States inside an accepted step for many instants in succession, as `Step::step_to` gives them: the end of a separate
/// step from the start of the step. This end is a smooth function of the step's length. If many instants are close
/// together, it is interpolated in Chebyshev points of the first kind with degree 17, on parts that are halved until
/// the last coefficients are rounding errors of the state. The result differs from a separate step only by rounding
/// errors. Test: inner_states_test.cpp.
class InnerStates {
 public:
  /// Starts a new step.
  void begin() {
    from_ = kNever;
    tried_ = -kNever;
  }
  /// y at t, as `Step::step_to`. \param spacing  [s] distance to the next requested instant.  \pre instants ascend
  /// \cost the stages of a step if instants are far apart, otherwise a few multiplications per component. Allocates if
  /// y has another size.
  [[nodiscard]] Outcome<void> at(const Step& step, double t, double spacing, Vector& y);

 private:
  static constexpr int kNodes = 18;
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool is_known(double t) const { return from_ <= t && t <= to_; }
  void look_for_part(const Step& step, double t, double spacing);
  [[nodiscard]] bool read(const Step& step, double from, double to);

  double from_ = kNever, to_ = 0.0;  ///< [s] interval of the current coefficients
  double tried_ = -kNever;           ///< [s] no useful part was found up to here
  double width_ = 0.0;               ///< [s] width of the last part, or of the shortest one that was tried; 0: none yet
  Matrix values_, coefficients_;     ///< [size × kNodes]
  Vector weights_;                   ///< [kNodes] Chebyshev polynomials at the instant
  Vector y_;
};

}  // namespace vinculum::integrate

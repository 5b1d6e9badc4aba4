#pragma once

#include <limits>

#include "vinculum/integrate/integrator.hpp"

namespace vinculum::integrate {

/// States inside an accepted step at many instants in succession. Each is equal to the result of `Step::step_to`, the
/// end of a separate step from the start of the accepted step, within rounding errors.
/// The end of a separate step is a smooth function of its length. If many instants are close together, that function is
/// interpolated in Chebyshev points of the first kind with degree 17, on subintervals. A subinterval is halved until
/// the last coefficients are rounding errors of the state. Test: inner_states_test.cpp.
class InnerStates {
 public:
  /// Prepares for another accepted step.
  void begin() {
    from_ = kNever;
    tried_ = -kNever;
  }
  /// Computes y at t with the same result as `Step::step_to`, within rounding errors. \param spacing  [s] distance to
  /// the next requested instant.  \pre the instants of successive calls ascend
  /// \cost the stages of a step if the instants are far apart, otherwise a few multiplications per component. Allocates
  /// if y has another size.
  [[nodiscard]] Outcome<void> at(const Step& step, double t, double spacing, Vector& y);

 private:
  static constexpr int kNodes = 18;
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool is_known(double t) const { return from_ <= t && t <= to_; }
  void look_for_part(const Step& step, double t, double spacing);
  [[nodiscard]] bool read(const Step& step, double from, double to);

  double from_ = kNever, to_ = 0.0;  ///< [s] subinterval that the current coefficients describe
  double tried_ = -kNever;           ///< [s] instant up to which no useful subinterval was found
  double width_ = 0.0;               ///< [s] width of the last subinterval, or of the shortest one tried; 0: none yet
  Matrix values_, coefficients_;     ///< [size × kNodes] states at the nodes; Chebyshev coefficients
  Vector weights_;                   ///< [kNodes] Chebyshev polynomials at the instant
  Vector y_;
};

}  // namespace vinculum::integrate

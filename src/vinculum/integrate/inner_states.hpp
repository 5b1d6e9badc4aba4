#pragma once

#include <limits>

#include "vinculum/integrate/integrator.hpp"

namespace vinculum::integrate {

/// States inside an accepted step for many instants in a row, as `Step::step_to` gives them: where a step of its own
/// from the step's begin ends. That end is a smooth function of its length. Where many instants lie close it is
/// interpolated in Chebyshev's points of the first kind, of degree 17, on parts that are halved until the last
/// coefficients are rounding of the state: what is shown differs from a step of its own by the rounding of a sum.
///   Law: inner_states_test.cpp.
class InnerStates {
 public:
  /// Another step is looked into.
  void begin() {
    from_ = kNever;
    tried_ = -kNever;
  }
  /// y at t, as `Step::step_to`. \param spacing  [s] to the instant that is asked for next.  \pre instants ascend
  /// \cost stages of a step where instants are far apart; else a few multiplications a component. Allocates where y has
  /// another size.
  [[nodiscard]] Outcome<void> at(const Step& step, double t, double spacing, Vector& y);

 private:
  static constexpr int kNodes = 18;
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool is_known(double t) const { return from_ <= t && t <= to_; }
  void look_for_part(const Step& step, double t, double spacing);
  [[nodiscard]] bool read(const Step& step, double from, double to);

  double from_ = kNever, to_ = 0.0;  ///< [s] the part that the coefficients are of
  double tried_ = -kNever;           ///< [s] up to here none of use was found
  double width_ = 0.0;               ///< [s] of the last part, or of the shortest one that was tried; 0: none yet
  Matrix values_, coefficients_;     ///< [size × kNodes]
  Vector weights_;                   ///< [kNodes] polynomials of Chebyshev at the instant
  Vector y_;
};

}  // namespace vinculum::integrate

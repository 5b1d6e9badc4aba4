#include "vinculum/integrate/stepper.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {

double time_within(double t, double t_begin, double t_end) {
  const double rounding = tolerance::kEqual * std::max(std::abs(t_begin), std::abs(t_end));
  VINCULUM_EXPECTS(t >= t_begin - rounding && t <= t_end + rounding);
  return std::clamp(t, t_begin, t_end);
}

}  // namespace vinculum::integrate

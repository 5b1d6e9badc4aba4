#pragma once

#include <cmath>

namespace vinculum::test_support {

/// r'' = −r/|r|³ in the plane: y = (r, r').   \param y_dot  [4]
inline void kepler_rates(const double* y, double* y_dot) {
  const double r2 = y[0] * y[0] + y[1] * y[1];
  const double r3 = r2 * std::sqrt(r2);
  y_dot[0] = y[2];
  y_dot[1] = y[3];
  y_dot[2] = -y[0] / r3;
  y_dot[3] = -y[1] / r3;
}

}  // namespace vinculum::test_support

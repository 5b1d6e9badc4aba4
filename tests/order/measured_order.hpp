#pragma once

#include <cmath>
#include <vector>

namespace vinculum::order_test {

/// Slope of the least-squares line through (log h, log error).
inline double measured_order(const std::vector<double>& h, const std::vector<double>& error) {
  const double n = static_cast<double>(h.size());
  double x_mean = 0.0;
  double y_mean = 0.0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    x_mean += std::log(h[i]) / n;
    y_mean += std::log(error[i]) / n;
  }
  double xy = 0.0;
  double xx = 0.0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    xy += (std::log(h[i]) - x_mean) * (std::log(error[i]) - y_mean);
    xx += (std::log(h[i]) - x_mean) * (std::log(h[i]) - x_mean);
  }
  return xy / xx;
}

}  // namespace vinculum::order_test

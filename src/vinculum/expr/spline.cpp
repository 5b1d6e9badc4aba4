#include "vinculum/expr/spline.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "vinculum/base/contract.hpp"

namespace vinculum::expr {
namespace {

// Slopes at the knots of the not-a-knot cubic spline, by elimination of one tridiagonal system.
// Source: de Boor, A Practical Guide to Splines, ch. IV.
std::vector<double> not_a_knot_slopes(const std::vector<double>& h, const std::vector<double>& d) {
  const std::size_t n = h.size() + 1;
  std::vector<double> diagonal(n), upper(n, 0.0), slope(n);
  const double head = h[0] + h[1];
  diagonal[0] = h[1];
  upper[0] = head;
  slope[0] = ((h[0] + 2.0 * head) * h[1] * d[0] + h[0] * h[0] * d[1]) / head;
  for (std::size_t i = 1; i < n; ++i) {
    double lower;
    if (i + 1 < n) {
      lower = h[i];
      diagonal[i] = 2.0 * (h[i - 1] + h[i]);
      upper[i] = h[i - 1];
      slope[i] = 3.0 * (h[i] * d[i - 1] + h[i - 1] * d[i]);
    } else {
      const double tail = h[n - 2] + h[n - 3];
      lower = tail;
      diagonal[i] = h[n - 3];
      slope[i] = (h[n - 2] * h[n - 2] * d[n - 3] + (2.0 * tail + h[n - 2]) * h[n - 3] * d[n - 2]) / tail;
    }
    const double factor = lower / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    slope[i] -= factor * slope[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) slope[i] -= upper[i] * slope[i + 1];
    slope[i] /= diagonal[i];
  }
  return slope;
}

}  // namespace

Spline::Spline(std::string name, std::vector<double> x, std::vector<double> y)
    : name_(std::move(name)), x_(std::move(x)) {
  VINCULUM_EXPECTS(x_.size() >= 2 && x_.size() == y.size());
  const std::size_t pieces = x_.size() - 1;
  std::vector<double> h(pieces), d(pieces);
  for (std::size_t k = 0; k < pieces; ++k) {
    h[k] = x_[k + 1] - x_[k];
    VINCULUM_EXPECTS(h[k] > 0.0);
    d[k] = (y[k + 1] - y[k]) / h[k];
  }
  coefficients_.resize(4 * pieces);
  if (pieces <= 2) {
    const double curvature = pieces == 2 ? (d[1] - d[0]) / (h[0] + h[1]) : 0.0;
    for (std::size_t k = 0; k < pieces; ++k) {
      coefficients_[4 * k] = y[k];
      coefficients_[4 * k + 1] = d[k] - curvature * h[k];
      coefficients_[4 * k + 2] = curvature;
      coefficients_[4 * k + 3] = 0.0;
    }
    return;
  }
  const std::vector<double> slope = not_a_knot_slopes(h, d);
  for (std::size_t k = 0; k < pieces; ++k) {
    coefficients_[4 * k] = y[k];
    coefficients_[4 * k + 1] = slope[k];
    coefficients_[4 * k + 2] = (3.0 * d[k] - 2.0 * slope[k] - slope[k + 1]) / h[k];
    coefficients_[4 * k + 3] = (slope[k] + slope[k + 1] - 2.0 * d[k]) / (h[k] * h[k]);
  }
}

double Spline::evaluate(double x, int order) const noexcept {
  if (order > 3) return 0.0;
  if (!(x >= x_.front() && x <= x_.back())) return std::numeric_limits<double>::quiet_NaN();
  // The knot at or below x; the last knot belongs to the last piece.
  const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  const std::size_t k = static_cast<std::size_t>(above - x_.begin()) - 1;
  const double* c = &coefficients_[4 * k];
  const double s = x - x_[k];
  switch (order) {
    case 0: return ((c[3] * s + c[2]) * s + c[1]) * s + c[0];
    case 1: return (3.0 * c[3] * s + 2.0 * c[2]) * s + c[1];
    case 2: return 6.0 * c[3] * s + 2.0 * c[2];
    default: return 6.0 * c[3];
  }
}

}  // namespace vinculum::expr

#include "vinculum/expr/spline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/contract.hpp"

namespace vinculum::expr {
namespace {

// Derivatives at the points of a not-a-knot cubic spline, by elimination of one tridiagonal system.
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

/// Solves a tridiagonal system by elimination without pivoting.   \pre the system is diagonally dominant
void eliminate(const std::vector<double>& lower, std::vector<double> diagonal, const std::vector<double>& upper,
               std::vector<double>& right) {
  const std::size_t n = diagonal.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right[i] -= upper[i] * right[i + 1];
    right[i] /= diagonal[i];
  }
}

/// Derivatives at the points of a periodic cubic spline. The system is cyclic tridiagonal. It is solved as a
/// tridiagonal system with a correction of rank one (Sherman and Morrison).
std::vector<double> periodic_slopes(const std::vector<double>& h, const std::vector<double>& d) {
  const std::size_t n = h.size();
  std::vector<double> slope(n);
  if (n < 3) {
    for (double& one : slope) one = n == 1 ? d[0] : (h[0] * d[1] + h[1] * d[0]) / (h[0] + h[1]);
    slope.push_back(slope.front());
    return slope;
  }
  std::vector<double> lower(n), diagonal(n), upper(n), along(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i == 0 ? n - 1 : i - 1;
    lower[i] = h[i];
    diagonal[i] = 2.0 * (h[before] + h[i]);
    upper[i] = h[before];
    slope[i] = 3.0 * (h[i] * d[before] + h[before] * d[i]);
  }
  // The corners lower[0] and upper[n−1] are the outer product of (γ, 0 …, upper[n−1]) and (1, 0 …, lower[0]/γ).
  const double gamma = -diagonal[0], share = lower[0] / gamma;
  diagonal[0] -= gamma;
  diagonal[n - 1] -= upper[n - 1] * share;
  along[0] = gamma;
  along[n - 1] = upper[n - 1];
  eliminate(lower, diagonal, upper, slope);
  eliminate(lower, diagonal, upper, along);
  const double factor = (slope[0] + share * slope[n - 1]) / (1.0 + along[0] + share * along[n - 1]);
  for (std::size_t i = 0; i < n; ++i) slope[i] -= factor * along[i];
  slope.push_back(slope.front());
  return slope;
}

/// Derivative at an end of a monotone interpolant. It is the derivative of the parabola through the three points next
/// to the end, limited so that the end piece stays monotone.
/// \param h0, d0  width and slope of the end piece   \param h1, d1  width and slope of the next piece
double end_slope(double h0, double h1, double d0, double d1) {
  const auto sign = [](double x) { return (x > 0.0) - (x < 0.0); };
  const double slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (sign(slope) != sign(d0)) return 0.0;
  return sign(d0) != sign(d1) && std::abs(slope) > 3.0 * std::abs(d0) ? 3.0 * d0 : slope;
}

/// Derivatives at the points of the monotone cubic Hermite interpolant: weighted harmonic means of the slopes of the
/// two neighboring pieces.
/// Source: Fritsch & Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300–304; ends as in SciPy's PchipInterpolator.
std::vector<double> monotone_slopes(const std::vector<double>& h, const std::vector<double>& d, bool is_periodic) {
  const std::size_t n = h.size();
  std::vector<double> slope(n + 1);
  const auto mean = [&](std::size_t a, std::size_t b) {
    if (!(d[a] * d[b] > 0.0)) return 0.0;
    const double w1 = 2.0 * h[b] + h[a], w2 = h[b] + 2.0 * h[a];
    return (w1 + w2) / (w1 / d[a] + w2 / d[b]);
  };
  for (std::size_t k = 1; k < n; ++k) slope[k] = mean(k - 1, k);
  if (is_periodic) {
    slope[0] = slope[n] = mean(n - 1, 0);
  } else {
    slope[0] = n == 1 ? d[0] : end_slope(h[0], h[1], d[0], d[1]);
    slope[n] = n == 1 ? d[0] : end_slope(h[n - 1], h[n - 2], d[n - 1], d[n - 2]);
  }
  return slope;
}

}  // namespace

Spline::Spline(std::string name, std::vector<double> x, std::vector<double> y, Shape shape)
    : name_(std::move(name)), x_(std::move(x)), shape_(shape) {
  VINCULUM_EXPECTS(x_.size() >= 2 && x_.size() == y.size());
  rise_ = y.back() - y.front();
  const std::size_t pieces = x_.size() - 1;
  std::vector<double> h(pieces), d(pieces);
  for (std::size_t k = 0; k < pieces; ++k) {
    h[k] = x_[k + 1] - x_[k];
    VINCULUM_EXPECTS(h[k] > 0.0);
    d[k] = (y[k + 1] - y[k]) / h[k];
  }
  coefficients_.assign(4 * pieces, 0.0);
  for (std::size_t k = 0; k < pieces; ++k) coefficients_[4 * k] = y[k];
  if (shape_.kind == Kind::kHold || shape_.kind == Kind::kLookup) {
    if (is_periodic()) return;
    x_.push_back(x_.back());
    coefficients_.resize(4 * pieces + 4, 0.0);
    coefficients_[4 * pieces] = y.back();
    return;
  }
  if (shape_.kind == Kind::kLinear) {
    for (std::size_t k = 0; k < pieces; ++k) coefficients_[4 * k + 1] = d[k];
    return;
  }
  if (shape_.kind == Kind::kSpline && !is_periodic() && pieces <= 2) {
    const double curvature = pieces == 2 ? (d[1] - d[0]) / (h[0] + h[1]) : 0.0;
    for (std::size_t k = 0; k < pieces; ++k) {
      coefficients_[4 * k + 1] = d[k] - curvature * h[k];
      coefficients_[4 * k + 2] = curvature;
    }
    return;
  }
  const std::vector<double> slope = shape_.kind == Kind::kSmooth ? monotone_slopes(h, d, is_periodic())
                                    : is_periodic()              ? periodic_slopes(h, d)
                                                                 : not_a_knot_slopes(h, d);
  for (std::size_t k = 0; k < pieces; ++k) {
    coefficients_[4 * k + 1] = slope[k];
    coefficients_[4 * k + 2] = (3.0 * d[k] - 2.0 * slope[k] - slope[k + 1]) / h[k];
    coefficients_[4 * k + 3] = (slope[k] + slope[k + 1] - 2.0 * d[k]) / (h[k] * h[k]);
  }
}

int Spline::degree() const {
  switch (shape_.kind) {
    case Kind::kSpline:
    case Kind::kSmooth: return 3;
    case Kind::kLinear: return 1;
    default: return 0;
  }
}

int Spline::order_of_jump() const {
  switch (shape_.kind) {
    case Kind::kSpline: return 3;
    case Kind::kSmooth: return 2;
    case Kind::kLinear: return 1;
    case Kind::kHold: return 0;
    default: return 4;
  }
}

double Spline::turns(double x) const noexcept {
  if (!is_periodic()) return 0.0;
  double count = std::floor((x - x_.front()) / period());
  // The quotient is rounded, so the remainder is used to correct the count.
  if (x - count * period() < x_.front()) count -= 1.0;
  if (x - count * period() >= x_.back()) count += 1.0;
  return count;
}

double Spline::evaluate(double x, int order) const noexcept {
  if (order > degree()) return 0.0;
  double raised = 0.0;
  if (shape_.reach == Reach::kPeriodic) {
    if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
    const double count = turns(x);
    raised = order == 0 && rise_ != 0.0 ? count * rise_ : 0.0;
    x = std::max(x - count * period(), x_.front());
  } else if (shape_.reach == Reach::kInside && !(x >= x_.front() && x <= x_.back())) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  // The piece that contains x; for x outside the range of the points, the first or the last piece.
  const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  const std::size_t k = static_cast<std::size_t>(above - x_.begin()) - 1;
  const double* c = &coefficients_[4 * k];
  const double s = x - x_[k];
  switch (order) {
    case 0: {
      const double value = ((c[3] * s + c[2]) * s + c[1]) * s + c[0];
      return raised == 0.0 ? value : value + raised;
    }
    case 1: return (3.0 * c[3] * s + 2.0 * c[2]) * s + c[1];
    case 2: return 6.0 * c[3] * s + 2.0 * c[2];
    default: return 6.0 * c[3];
  }
}

}  // namespace vinculum::expr

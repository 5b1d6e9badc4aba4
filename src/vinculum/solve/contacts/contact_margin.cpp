#include "vinculum/solve/contacts/contact_margin.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::solve {
namespace {

// Weight τ of the objective relative to the barrier functions: first and last value, and the ratio of successive
// values.
constexpr double kFirstWeight = 1.0, kLastWeight = 1e13, kWeightGrowth = 20.0;
constexpr int kMostNewtonSteps = 40;  // most Newton steps for one weight τ
constexpr int kHalvingsOfStep = 50;   // most halvings of one step
// The iteration for one τ ends if the squared Newton decrement λ² is below this. The objective can then decrease by
// λ²/2, which is small compared with the contribution of a condition, of order 1.
constexpr double kDecrement = tolerance::kRoot;
// Fraction of the predicted descent that a step must achieve (Armijo).
constexpr double kLeastSlope = 0.1 * tolerance::kFloor;

}  // namespace

SharedForces::SharedForces(std::span<const LinearCondition> lines, std::span<const ConeCondition> cones, Vector z,
                           Matrix F)
    : z_(std::move(z)), F_(std::move(F)) {
  for (const LinearCondition& line : lines) add(line);
  for (const ConeCondition& cone : cones) {
    add(cone.bound);
    all_.back().U = cone.T * F_ / cone.bound.size;
    all_.back().u0 = (cone.T * z_ + cone.t) / cone.bound.size;
  }
  for (Eigen::Index j = 0; j < F_.cols(); ++j) {
    double most = 0.0;
    for (const Barrier& one : all_) {
      most = std::max(most, std::abs(one.b[j]));
      if (one.u0.size() > 0) most = std::max(most, one.U.col(j).norm());
    }
    if (!(most > 0.0)) continue;
    F_.col(j) /= most;
    for (Barrier& one : all_) {
      one.b[j] /= most;
      if (one.u0.size() > 0) one.U.col(j) /= most;
    }
  }
  all_.push_back({Vector::Zero(F_.cols()), kMost, {}, {}});
}

void SharedForces::add(const LinearCondition& line) {
  all_.push_back({F_.transpose() * line.a / line.size, (line.a.dot(z_) + line.c) / line.size, {}, {}});
}

/// Whether there is one direction, and no condition is a cone.
bool SharedForces::is_on_a_line() const {
  return F_.cols() == 1 && std::ranges::all_of(all_, [](const Barrier& one) { return one.u0.size() == 0; });
}

/// The η nearest to 0 with the greatest margin, min over the conditions b₀ + b η. The margin is the least value at
/// which a rising condition meets a falling one, or that of a condition without slope.
double SharedForces::best_on_the_line() const {
  double most = kMost;
  for (const Barrier& rising : all_) {
    if (rising.b[0] == 0.0) most = std::min(most, rising.b0);
    for (const Barrier& falling : all_) {
      if (!(rising.b[0] > 0.0) || !(falling.b[0] < 0.0)) continue;
      const double met = (rising.b0 * -falling.b[0] + falling.b0 * rising.b[0]) / (rising.b[0] - falling.b[0]);
      most = std::min(most, met);
    }
  }
  double from = -std::numeric_limits<double>::infinity(), to = -from;
  for (const Barrier& one : all_) {
    if (one.b[0] > 0.0) from = std::max(from, (most - one.b0) / one.b[0]);
    if (one.b[0] < 0.0) to = std::min(to, (most - one.b0) / one.b[0]);
  }
  return from < to ? std::clamp(0.0, from, to) : 0.5 * (from + to);
}

Vector SharedForces::with_greatest_margin() const {
  if (is_on_a_line()) return z_ + F_.col(0) * best_on_the_line();
  Vector x = Vector::Zero(F_.cols() + 1);
  x[F_.cols()] = margin(x.head(F_.cols())) - 1.0;
  return z_ + F_ * follow(Vector::Unit(F_.cols() + 1, F_.cols()), x).head(F_.cols());
}

double SharedForces::range(const Vector& a, double size, const Vector& inside) const {
  Vector gain = Vector::Zero(F_.cols() + 1);
  gain.head(F_.cols()) = F_.transpose() * a / size;
  const double largest = gain.lpNorm<Eigen::Infinity>();
  if (largest <= tolerance::kZero) return 0.0;
  SharedForces within = *this;
  Vector x(F_.cols() + 1);
  x.head(F_.cols()) = F_.colPivHouseholderQr().solve(inside - z_);
  const double most = margin(x.head(F_.cols()));
  // All z with a margin of at least about 0 count; a slightly negative limit leaves the interior nonempty.
  const double least = std::min(most, 0.0) - tolerance::kConditioned;
  within.all_.push_back({Vector::Zero(F_.cols()), -least, {}, {}, -1.0});
  x[F_.cols()] = 0.5 * (most + least);
  gain /= largest;
  return largest * gain.dot(within.follow(gain, x) - within.follow(-gain, x));
}

double SharedForces::margin(const Vector& eta) const {
  Vector x = Vector::Zero(F_.cols() + 1);
  x.head(F_.cols()) = eta;
  double least = kMost;
  for (const Barrier& one : all_) least = std::min(least, slack(one, x));
  return least;
}

/// \returns the x with the largest `gain`·x that satisfies all conditions.   \param x  start, which satisfies them
/// strictly.
Vector SharedForces::follow(const Vector& gain, Vector x) const {
  for (double weight = kFirstWeight; weight <= kLastWeight; weight *= kWeightGrowth)
    if (!center(weight * gain, x)) break;
  return x;
}

/// Minimizes `objective` by Newton's method.
/// \returns false if rounding errors prevented further descent, so that a larger weight τ is useless.
bool SharedForces::center(const Vector& gain, Vector& x) const {
  Vector gradient;
  Matrix hessian;
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    differentiate(gain, x, gradient, hessian);
    const Vector scale = hessian.diagonal().cwiseMax(tolerance::kLeast).cwiseSqrt().cwiseInverse();
    const Matrix scaled = scale.asDiagonal() * hessian * scale.asDiagonal();
    const Vector change = -scale.cwiseProduct(scaled.ldlt().solve(scale.cwiseProduct(gradient)));
    const double descent = -gradient.dot(change);
    if (!change.allFinite() || !(descent > 0.0)) return false;
    if (descent <= kDecrement) return true;
    const double value = objective(gain, x);
    double part = 1.0;
    int halvings = 0;
    for (; halvings < kHalvingsOfStep; ++halvings, part *= 0.5)
      if (objective(gain, x + part * change) <= value - kLeastSlope * part * descent) break;
    if (halvings == kHalvingsOfStep) return false;
    x += part * change;
  }
  return true;
}

/// Objective −gain·x + ½|η|² − Σ log(slack of each condition); infinite if a condition is violated.
double SharedForces::objective(const Vector& gain, const Vector& x) const {
  double value = -gain.dot(x) + 0.5 * x.head(F_.cols()).squaredNorm();
  for (const Barrier& one : all_) {
    const double left = slack(one, x);
    if (!(left > 0.0)) return std::numeric_limits<double>::infinity();
    value -= std::log(left);
    if (one.u0.size() > 0) value -= std::log(bound(one, x) + (one.U * x.head(F_.cols()) + one.u0).norm());
  }
  return value;
}

void SharedForces::differentiate(const Vector& gain, const Vector& x, Vector& gradient, Matrix& hessian) const {
  const Eigen::Index n = F_.cols();
  gradient = -gain;
  gradient.head(n) += x.head(n);
  hessian.setZero(n + 1, n + 1);
  hessian.topLeftCorner(n, n).setIdentity();
  for (const Barrier& one : all_) {
    Vector of_bound(n + 1);
    of_bound << one.b, -one.of_margin;
    const double value = bound(one, x);
    if (one.u0.size() == 0) {
      gradient -= of_bound / value;
      hessian += of_bound * of_bound.transpose() / (value * value);
      continue;
    }
    const Vector u = one.U * x.head(n) + one.u0;  // the barrier function is −log(b² − |u|²)
    const double left = slack(one, x) * (value + u.norm());
    Vector of_left = 2.0 * value * of_bound;
    of_left.head(n) -= 2.0 * (one.U.transpose() * u);
    gradient -= of_left / left;
    hessian += of_left * of_left.transpose() / (left * left) - 2.0 / left * (of_bound * of_bound.transpose());
    hessian.topLeftCorner(n, n) += 2.0 / left * (one.U.transpose() * one.U);
  }
}

double SharedForces::bound(const Barrier& one, const Vector& x) const {
  return one.b.dot(x.head(F_.cols())) + one.b0 - one.of_margin * x[F_.cols()];
}

double SharedForces::slack(const Barrier& one, const Vector& x) const {
  return bound(one, x) - (one.u0.size() > 0 ? (one.U * x.head(F_.cols()) + one.u0).norm() : 0.0);
}

}  // namespace vinculum::solve

#include "vinculum/solve/contacts/contact_margin.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/index.hpp"
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
// Margins of the least forces between which they are blended with the forces of greatest margin.
constexpr double kInside = tolerance::kFloor, kWellInside = 10.0 * kInside;

}  // namespace

SharedForces::SharedForces(std::span<const LinearCondition> lines, std::span<const ConeCondition> cones, Vector z,
                           Matrix F)
    : z_(std::move(z)), F_(std::move(F)) {
  const auto count = static_cast<Eigen::Index>(lines.size());
  lines_.resize(count + 1, F_.cols() + 1);
  lines0_.resize(count + 1);
  for (Eigen::Index i = 0; i < count; ++i) {
    lines_.row(i) = slope(nth(lines, i)).transpose();
    lines0_[i] = value(nth(lines, i));
  }
  lines_.row(count) = -Vector::Unit(F_.cols() + 1, F_.cols()).transpose();
  lines0_[count] = kMost;
  for (const ConeCondition& cone : cones)
    cones_.push_back({slope(cone.bound), value(cone.bound), cone.T * F_ / cone.bound.size,
                      (cone.T * z_ + cone.t) / cone.bound.size});
  scale_columns();
}

/// [k + 1] Change of a condition, minus the margin, along η and m.
Vector SharedForces::slope(const LinearCondition& line) const {
  Vector along(F_.cols() + 1);
  along << F_.transpose() * line.a / line.size, -1.0;
  return along;
}

double SharedForces::value(const LinearCondition& line) const { return (line.a.dot(z_) + line.c) / line.size; }

void SharedForces::scale_columns() {
  for (Eigen::Index j = 0; j < F_.cols(); ++j) {
    double most = lines_.col(j).lpNorm<Eigen::Infinity>();
    for (const Barrier& cone : cones_) most = std::max({most, std::abs(cone.b[j]), cone.U.col(j).norm()});
    if (!(most > 0.0)) continue;
    F_.col(j) /= most;
    lines_.col(j) /= most;
    for (Barrier& cone : cones_) {
      cone.b[j] /= most;
      cone.U.col(j) /= most;
    }
  }
}

/// The η nearest to 0 with the greatest margin, min over the conditions b₀ + b η. The margin is the least value at
/// which a rising condition meets a falling one, or that of a condition without slope.
double SharedForces::best_on_the_line() const {
  const Eigen::Index count = lines_.rows() - 1;
  double most = kMost;
  for (Eigen::Index rising = 0; rising < count; ++rising) {
    const double up = lines_(rising, 0);
    if (up == 0.0) most = std::min(most, lines0_[rising]);
    for (Eigen::Index falling = 0; falling < count; ++falling) {
      const double down = lines_(falling, 0);
      if (!(up > 0.0) || !(down < 0.0)) continue;
      most = std::min(most, (lines0_[rising] * -down + lines0_[falling] * up) / (up - down));
    }
  }
  double from = -std::numeric_limits<double>::infinity(), to = -from;
  for (Eigen::Index i = 0; i < count; ++i) {
    const double slope = lines_(i, 0);
    if (slope > 0.0) from = std::max(from, (most - lines0_[i]) / slope);
    if (slope < 0.0) to = std::min(to, (most - lines0_[i]) / slope);
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
  within.lines_.conservativeResize(lines_.rows() + 1, Eigen::NoChange);
  within.lines_.bottomRows(1) = Vector::Unit(F_.cols() + 1, F_.cols()).transpose();
  within.lines0_.conservativeResize(lines_.rows() + 1);
  within.lines0_[lines_.rows()] = -least;
  x[F_.cols()] = 0.5 * (most + least);
  gain /= largest;
  return largest * gain.dot(within.follow(gain, x) - within.follow(-gain, x));
}

double SharedForces::margin(const Vector& eta) const {
  Vector x = Vector::Zero(F_.cols() + 1);
  x.head(F_.cols()) = eta;
  double least = (lines_ * x + lines0_).minCoeff();
  for (const Barrier& cone : cones_) least = std::min(least, slack(cone, x));
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
  const Vector values = lines_ * x + lines0_;
  if (!(values.minCoeff() > 0.0)) return std::numeric_limits<double>::infinity();
  double value = -gain.dot(x) + 0.5 * x.head(F_.cols()).squaredNorm() - values.array().log().sum();
  for (const Barrier& cone : cones_) {
    const double left = slack(cone, x);
    if (!(left > 0.0)) return std::numeric_limits<double>::infinity();
    value -= std::log(left) + std::log(2.0 * (cone.b.dot(x) + cone.b0) - left);
  }
  return value;
}

void SharedForces::differentiate(const Vector& gain, const Vector& x, Vector& gradient, Matrix& hessian) const {
  const Eigen::Index n = F_.cols();
  const Vector weights = (lines_ * x + lines0_).cwiseInverse();
  const Matrix weighted = weights.asDiagonal() * lines_;
  gradient = -gain - weighted.colwise().sum().transpose();
  gradient.head(n) += x.head(n);
  hessian.noalias() = weighted.transpose() * weighted;
  hessian.diagonal().head(n).array() += 1.0;
  for (const Barrier& cone : cones_) {
    const double bound = cone.b.dot(x) + cone.b0;
    const Vector u = cone.U * x.head(n) + cone.u0;  // the barrier function is −log(b² − |u|²)
    const double left = (bound - u.norm()) * (bound + u.norm());
    Vector of_left = 2.0 * bound * cone.b;
    of_left.head(n) -= 2.0 * (cone.U.transpose() * u);
    gradient -= of_left / left;
    hessian += of_left * of_left.transpose() / (left * left) - 2.0 / left * (cone.b * cone.b.transpose());
    hessian.topLeftCorner(n, n) += 2.0 / left * (cone.U.transpose() * cone.U);
  }
}

double SharedForces::slack(const Barrier& cone, const Vector& x) {
  return cone.b.dot(x) + cone.b0 - (cone.U * x.head(x.size() - 1) + cone.u0).norm();
}

double part_near_bounds(double margin) {
  const double part = std::clamp((kWellInside - margin) / (kWellInside - kInside), 0.0, 1.0);
  return part * part * (3.0 - 2.0 * part);  // with slope 0 at both ends
}

}  // namespace vinculum::solve

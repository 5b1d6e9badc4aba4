#include "vinculum/motion/higher_order/hidden_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/newton.hpp"
#include "vinculum/motion/projection/corrections.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kMostOfHigher = 12;  // most iterations of a projection

}  // namespace

HiddenEquations::HiddenEquations(StateKernels& at, const HighestDerivatives& highest)
    : at_(at),
      highest_(highest),
      count_(static_cast<int>(highest.structure().hidden.size())),
      columns_(2 * at.nu + at.nz),
      normal_(count_),
      H_(Matrix::Zero(count_, columns_)),
      violation_(Vector::Zero(count_)),
      weights_(Vector::Zero(count_)),
      step_(Vector::Zero(columns_)),
      size_(Vector::Ones(columns_)),
      change_q_(Vector::Zero(at.nq)) {}

Outcome<double> HiddenEquations::measure(double t, const double* y, int& worst_row) {
  at_.load(t, y);
  at_.evaluate(at_.bound->hidden);
  violation_ = Eigen::Map<const Vector>(at_.result.data(), count_);
  H_ = Eigen::Map<const RowMajor>(at_.result.data() + count_, count_, columns_);
  if (!violation_.allFinite() || !H_.allFinite()) return fail(highest_.non_finite(t, y));
  double worst = 0.0;
  for (int k = 0; k < count_; ++k) {
    double sum = 0.0;
    for (int j = 0; j < columns_; ++j) sum += std::abs(H_(k, j) *= size_[j]);
    const double factor = equilibration(sum);
    H_.row(k) *= factor;
    violation_[k] *= factor;
    if (std::abs(violation_[k]) > worst) worst = std::abs(violation_[k]), worst_row = k;
  }
  return worst;
}

Failure HiddenEquations::missed(double t, int row, double worst) const {
  const equations::HigherOrder& structure = highest_.structure();
  const auto at = static_cast<std::size_t>(row);
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.t = t;
  failure.size = worst;
  failure.constraints = highest_.constraints();
  failure.message = fmt::format("{} cannot be met any more: derivative {} of it is missed",
                                structure.equations[static_cast<std::size_t>(structure.equation_of_hidden[at])].name,
                                structure.times_of_hidden[at]);
  return failure;
}

Outcome<double> HiddenEquations::project(double t, double* y) {
  double moved = 0.0;
  if (count_ == 0) return moved;
  size_.head(at_.nu) = at_.sizes.displacement;
  size_.tail(at_.nu + at_.nz) = at_.sizes.scale.tail(at_.nu + at_.nz);
  int worst_row = 0;
  // Computes the least change dx = −Hᵀ (H Hᵀ)⁻¹ h in units of the typical sizes; h is the violation of the conditions,
  // H its gradient.
  const auto correct = [&](double) -> Outcome<bool> {
    normal_.matrix(count_) = H_.lazyProduct(H_.transpose());
    normal_.factor(tolerance::kRank);
    weights_ = violation_;
    (void)normal_.solve(weights_);
    step_ = H_.transpose().lazyProduct(weights_);
    step_.array() *= -size_.array();
    const double* G = at_.result.data() + count_ + count_ * columns_;  // row-major
    for (int i = 0; i < at_.nq; ++i) {
      double change = 0.0;
      for (int r = 0; r < at_.nu; ++r) change += G[i * at_.nu + r] * step_[r];
      change_q_[i] = change;
    }
    add_correction(at_.sizes, y, 0, change_q_, moved);
    add_correction(at_.sizes, y, at_.nq, step_.tail(at_.nu + at_.nz), moved);
    return false;
  };
  const NewtonRule rule{kMostOfHigher, tolerance::kEqual, tolerance::kStagnation, 3};
  const auto met = iterate_newton(
      rule, [&] { return measure(t, y, worst_row); },
      [&](double worst) { return std::optional<Outcome<void>>(fail(missed(t, worst_row, worst))); }, correct);
  return met ? Outcome<double>(moved) : fail(met.error());
}

}  // namespace vinculum::sim

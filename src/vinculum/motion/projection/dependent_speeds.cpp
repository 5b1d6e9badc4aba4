#include "vinculum/motion/projection/dependent_speeds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/newton.hpp"

namespace vinculum::sim {
namespace {

using model::Level;

constexpr int kMostOfMinimal = 20;  // most iterations of a projection

}  // namespace

Outcome<void> DependentSpeeds::settle(Minimal& minimal, double t, double* y) {
  const std::vector<int>& rows = at_.compiled->velocity_rows;
  double* const u = y + at_.nq;
  int worst_row = -1;
  double worst = 0.0;
  const auto measure = [&]() -> Outcome<double> {
    (void)pieces_.read_matrices(t, y, pieces_.matrices);
    minimal.read_speed_rows(pieces_.matrices);
    if (!minimal.psi.allFinite() || !minimal.A.allFinite()) return fail(pieces_.non_finite(t, y));
    if (auto done = minimal.choose_speeds(pieces_.matrices, pieces_.rows.seen_defect(pieces_.matrices)); !done)
      return fail(pieces_.named(std::move(done.error()), t, Level::kVelocity));
    worst = 0.0;
    worst_row = -1;
    for (const int k : minimal.speeds.choice().rows) {
      const double relative = std::abs(minimal.psi[k]) / at_.mode->velocity_size[k];
      if (relative > worst) {
        worst = relative;
        worst_row = rows[static_cast<std::size_t>(k)];
      }
    }
    return worst;
  };
  const auto missed = [&] {
    Failure failure;
    failure.kind = FailureKind::kInconsistent;
    failure.rows = {worst_row};
    failure.size = worst * at_.mode->velocity_size.maxCoeff();
    return pieces_.named(std::move(failure), t, Level::kVelocity);
  };
  const auto correct = [&](double) -> Outcome<bool> {
    minimal.u = Eigen::Map<const Vector>(u, at_.nu);
    if (!minimal.speeds.correct(minimal.A, minimal.psi, minimal.u) || !minimal.u.allFinite()) {
      return fail(missed());
    }
    std::copy_n(minimal.u.data(), at_.nu, u);
    return false;
  };
  const NewtonRule rule{kMostOfMinimal, tolerance::kRounding, tolerance::kStagnation};
  const auto go_on = [](double) { return std::optional<Outcome<void>>(); };
  const auto met = iterate_newton(rule, measure, go_on, correct);
  if (!met) return fail(met.error());
  return *met ? Outcome<void>() : fail(missed());
}

Outcome<double> DependentSpeeds::project(Minimal& minimal, double t, double* y) {
  const std::vector<int>& rows = at_.compiled->velocity_rows;
  if (rows.empty()) return 0.0;
  before_ = Eigen::Map<const Vector>(y, at_.ny);
  (void)pieces_.read_matrices(t, y, pieces_.matrices);
  minimal.read_speed_rows(pieces_.matrices);
  if (!pieces_.matrices.M.allFinite() || !pieces_.matrices.A.allFinite()) return fail(pieces_.non_finite(t, y));
  // The violation of ψ = 0 does not make the rank of A uncertain; only the violation at position level does.
  if (auto done = minimal.review_choice(pieces_.matrices,
                                        pieces_.rows.seen_by_rows(pieces_.rows.position_defect(pieces_.matrices)));
      !done)
    return fail(pieces_.named(std::move(done.error()), t, Level::kVelocity));
  if (auto done = settle(minimal, t, y); !done) return fail(std::move(done.error()));
  double moved = 0.0;
  for (int i = at_.nq; i < at_.nq + at_.nu; ++i)
    moved = std::max(moved, std::abs(y[i] - before_[i]) * at_.sizes.inverse_scale[i]);
  // The speeds must also satisfy the redundant rows that the choice left out.
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    if (std::abs(minimal.psi[at]) <= tolerance::kConsistency * at_.mode->velocity_size[at]) continue;
    Failure failure;
    failure.kind = FailureKind::kInconsistent;
    failure.rows = {rows[k]};
    failure.size = std::abs(minimal.psi[at]);
    return fail(pieces_.named(std::move(failure), t, Level::kVelocity));
  }
  return moved;
}

}  // namespace vinculum::sim

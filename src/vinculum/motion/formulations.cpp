#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/motion/newton.hpp"

/// Accelerations beside the generated ones, by the route that the formulation asks for.
namespace vinculum::sim {
namespace {

using equations::Formulation;
using model::Level;

constexpr int kMostOfMinimal = 20;

}  // namespace

void Dynamics::Impl::state_rates(double t, const double* y, double* z_dot) {
  state_input[0] = t;
  std::copy_n(y, at_.ny, state_input.data() + 1);
  double* const directions = std::copy_n(lambda.data(), at_.nc, state_input.data() + 1 + at_.ny);
  if (implicit && implicit->sticking) {
    Sticking& k = *implicit->sticking;
    if (!at_.compiled->is_moved_by_multipliers || !fill_directions(k.along)) k.along = at_.slides->s;
    std::copy_n(k.along.data(), k.along.size(), directions);
  }
  at_.bound->state_rates.evaluate(state_input.data(), at_.result.data(), at_.workspace.data());
  std::copy_n(at_.result.data(), at_.nz, z_dot);
}

Outcome<void> Dynamics::Impl::solve_accelerations(double defect) {
  if (at_.compiled->has_reaction_forces()) {
    if (&route() != &explicit_route()) {
      if (auto done = explicit_route().factor(pieces_.matrices, defect); !done) return done;
    }
    if (auto done = settle_reaction_forces(); !done) return done;
  }
  force = pieces_.matrices.f + pieces_.matrices.C;
  auto done = route().solve(pieces_.matrices, defect, force, pieces_.matrices.b, solved);
  if (done && at_.compiled->is_moved_by_multipliers) lambda = solved.lambda;
  return done;
}

Outcome<void> Dynamics::Impl::react(double defect, solve::Reaction& reaction) {
  const auto solve = [&](ConstVector under, solve::Solution& found) -> Outcome<void> {
    auto done = truth().solve(pieces_.matrices, defect, under, pieces_.matrices.b, solved);
    if (done) found = solved;
    return done;
  };
  auto done = solve::find_reaction(solve, pieces_.matrices.f, pieces_.matrices.C, reaction);
  reaction.effort = solved.effort;
  return done;
}

std::optional<Failure> Dynamics::explain_weak_efforts(const Mode& mode, double t, const double* y) {
  Impl& d = in_copy(mode);
  if (!d.directed || !d.pieces_.read_matrices(t, y, d.pieces_.matrices)) return std::nullopt;
  if (auto done = d.directed->factor(d.pieces_.matrices, d.pieces_.rows.seen_by_rows(d.pieces_.rows.relative_defect(d.pieces_.matrices))); !done)
    return d.pieces_.named(std::move(done.error()), t, Level::kAcceleration);
  if (d.directed->weakest_response() > tolerance::kFloor) return std::nullopt;
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.rows = {d.directed->weakest_row()};
  return d.pieces_.named(std::move(failure), t, Level::kAcceleration);
}

Outcome<void> Dynamics::Impl::settle_speeds(double t, double* y) {
  if (speeds.rows.empty()) return {};
  double* const u = y + at_.nq;
  int worst_row = -1;
  double worst = 0.0;
  const auto measure = [&]() -> Outcome<double> {
    (void)pieces_.read_matrices(t, y, pieces_.matrices);
    minimal->read_speed_rows(pieces_.matrices);
    if (!minimal->psi.allFinite() || !minimal->A.allFinite()) return fail(pieces_.non_finite(t, y));
    if (auto done = minimal->choose_speeds(pieces_.matrices, pieces_.rows.seen_by_rows(pieces_.rows.relative_defect(pieces_.matrices))); !done)
      return fail(pieces_.named(std::move(done.error()), t, Level::kVelocity));
    worst = 0.0;
    worst_row = -1;
    for (const int k : minimal->speeds.choice().rows) {
      const double relative = std::abs(minimal->psi[k]) / at_.mode->velocity_size[k];
      if (relative > worst) {
        worst = relative;
        worst_row = speeds.rows[static_cast<std::size_t>(k)];
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
    minimal->u = Eigen::Map<const Vector>(u, at_.nu);
    if (!minimal->speeds.correct(minimal->A, minimal->psi, minimal->u) || !minimal->u.allFinite()) {
      return fail(missed());
    }
    std::copy_n(minimal->u.data(), at_.nu, u);
    return false;
  };
  const NewtonRule rule{kMostOfMinimal, tolerance::kRounding, tolerance::kStagnation};
  const auto go_on = [](double) { return std::optional<Outcome<void>>(); };
  const auto met = iterate_newton(rule, measure, go_on, correct);
  if (!met) return fail(met.error());
  return *met ? Outcome<void>() : fail(missed());
}

Outcome<double> Dynamics::Impl::project_minimal(double t, double* y) {
  if (speeds.rows.empty()) return 0.0;
  Vector& before = projected;
  before = Eigen::Map<const Vector>(y, at_.ny);
  (void)pieces_.read_matrices(t, y, pieces_.matrices);
  minimal->read_speed_rows(pieces_.matrices);
  if (!pieces_.matrices.M.allFinite() || !pieces_.matrices.A.allFinite()) return fail(pieces_.non_finite(t, y));
  // Speeds still off ψ = 0 leave A as it is: only the positions' distance makes its rank doubtful.
  if (auto done = minimal->review_choice(pieces_.matrices, pieces_.rows.seen_by_rows(pieces_.rows.position_defect(pieces_.matrices))); !done)
    return fail(pieces_.named(std::move(done.error()), t, Level::kVelocity));
  if (auto done = settle_speeds(t, y); !done) return fail(std::move(done.error()));
  double moved = 0.0;
  for (int i = at_.nq; i < at_.nq + at_.nu; ++i) moved = std::max(moved, std::abs(y[i] - before[i]) * at_.sizes.inverse_scale[i]);
  // Rows left out as dependent must hold as well.
  for (std::size_t k = 0; k < speeds.rows.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    if (std::abs(minimal->psi[at]) <= tolerance::kConsistency * at_.mode->velocity_size[at]) continue;
    Failure failure;
    failure.kind = FailureKind::kInconsistent;
    failure.rows = {speeds.rows[k]};
    failure.size = std::abs(minimal->psi[at]);
    return fail(pieces_.named(std::move(failure), t, Level::kVelocity));
  }
  return moved;
}

void Dynamics::Impl::set_formulation(Formulation to) {
  formulation = to;
  augmented.reset();
  minimal.reset();
  if (takes_augmented()) augmented = std::make_unique<Augmented>(*at_.compiled->system);
  if (formulation == Formulation::kMinimal) minimal = std::make_unique<Minimal>(*at_.compiled, explicit_route());
}

void Dynamics::set_formulation(Formulation formulation) {
  impl_->set_formulation(formulation);
  mode_.reaction.has_last = false;
  mode_.branch.followed = 0;
  mode_.speeds.reset();
  mode_.accelerations.reset();
}
Formulation Dynamics::formulation() const { return impl_->formulation; }

}  // namespace vinculum::sim

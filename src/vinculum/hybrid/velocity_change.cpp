#include "vinculum/hybrid/velocity_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/constraint_impulse.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/friction_of.hpp"
#include "vinculum/motion/jumps.hpp"

namespace vinculum::sim {
namespace {

/// Whether some constraint has momenta in addition to the momenta of the masses. They jump if its velocity does.
bool multiplies_momenta(const model::Model& model) {
  return std::ranges::any_of(model.constraints,
                             [](const model::Constraint& one) { return one.law->multiplies_momentum(); });
}

Failure unknown_impulse(double t, const char* what) {
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  failure.t = t;
  failure.message = fmt::format(
      "{}, and laws that add forces, efforts or momenta do not determine the impulse: the motion from here on is not "
      "unique",
      what);
  return failure;
}

bool gradient_jumps(const RowsChange& rows, int row) {
  const double length = std::max(rows.after.A.row(row).norm(), rows.before.A.row(row).norm());
  return (rows.after.A.row(row) - rows.before.A.row(row)).norm() > tolerance::kAtStates * length;
}

/// Whether a row is that of a unilateral constraint.
bool is_contact(const Binding& bound, int row) {
  return bound->model->constraint(bound->system->rows[static_cast<std::size_t>(row)].constraint).unilateral.has_value();
}

/// A failure if a jump of prescribed velocities gives an impulse to a closed unilateral constraint that its law of
/// impact does not give: a pull, or a push with restitution.
std::optional<Failure> impulse_of_contact(const Binding& bound, const Impulse& impulse) {
  const double noise = tolerance::kAtStates * impulse.rows.lpNorm<Eigen::Infinity>();
  for (const int row : bound->switched) {
    const model::Constraint& constraint =
        bound->model->constraint(bound->system->rows[static_cast<std::size_t>(row)].constraint);
    if (!constraint.unilateral || std::abs(impulse.rows[row]) <= noise) continue;
    const model::Term e = constraint.unilateral->restitution;
    if (impulse.rows[row] > 0.0 && e.is_number() && e.value() == 0.0) continue;
    Failure failure = unknown_impulse(impulse.t, "other constraints require velocities to jump here");
    failure.rows = {row};
    failure.message = fmt::format(
        "velocities jump here by other constraints while the unilateral constraint `{}` is closed: this version does "
        "not "
        "compute its impact",
        constraint.name);
    return failure;
  }
  return std::nullopt;
}

/// A failure if a velocity jumps under laws with forces or efforts of their own: they do not define impulses.
Outcome<void> keeps_its_velocity(Dynamics& dynamics, const Transition& to) {
  Mode mode = to.mode;
  Vector y = to.y;
  const auto impulses = meet_constraints(dynamics, mode, to.t, y);
  if (!impulses) return fail(impulses.error());
  if (!*impulses) return {};
  return fail(unknown_impulse(to.t, "the velocity required by constraints jumps here"));
}

}  // namespace

/// Uncertainty of the residuals: the rounding error of their terms, and their change while the time changes in its last
/// places, since a surface may be met this far from its kink.
RowsAtSurface rows_at_surface(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                              const std::vector<double>& sides) {
  RowsAtSurface rows;
  EquationsOf(dynamics).gradients(mode, t, y.data(), rows.A, rows.residual);
  numeric::SparseRows A;
  Vector later;
  EquationsOf(dynamics).gradients(mode, t + kLastPlaces * std::abs(t), y.data(), A, later);
  rows.rounding = (later - rows.residual).cwiseAbs();
  const Vector terms = terms_of_rows(dynamics.binding(), t, y, sides);
  if (terms.size() == rows.rounding.size()) rows.rounding += tolerance::kRounded * terms;
  return rows;
}

bool turns_contacts(const Dynamics& dynamics, const RowsChange& rows) {
  const Binding& bound = dynamics.binding();
  for (const int row : bound->switched) {
    const auto at = static_cast<std::size_t>(row);
    const bool acts = rows.was_acting[at] != 0 && rows.is_acting[at] != 0;
    if (acts && is_contact(bound, row) && gradient_jumps(rows, row)) return true;
  }
  return false;
}

Outcome<bool> velocities_may_jump(const Dynamics& dynamics, double t, const RowsChange& rows) {
  const Binding& bound = dynamics.binding();
  Failure failure;
  failure.t = t;
  bool may_jump = false;
  for (int row = 0; row < bound->nc(); ++row) {
    failure.rows = {row};
    const auto at = static_cast<std::size_t>(row);
    if (rows.was_acting[at] != rows.is_acting[at]) {
      may_jump = may_jump || rows.is_acting[at] != 0;
      continue;
    }
    if (gradient_jumps(rows, row)) {
      if (is_contact(bound, row)) continue;
      failure.kind = FailureKind::kNotUnique;
      failure.message = fmt::format("the gradient of constraint `{}` jumps here: the motion from here on is not unique",
                                    bound->row_name(row));
      return fail(std::move(failure));
    }
    const bool is_of_position = bound->system->rows[at].level == model::Level::kPosition;
    const double by = std::abs(rows.after.residual[row] - rows.before.residual[row]);
    may_jump = may_jump || is_of_position || by > 0.0;
    const double size = rows.after.A.absolute_row_sum(row, dynamics.scale().segment(bound->nq(), bound->nu()));
    if (!is_of_position ||
        !(by > tolerance::kAtStates * size + std::max(rows.before.rounding[row], rows.after.rounding[row])))
      continue;
    failure.kind = FailureKind::kInconsistent;
    failure.message =
        fmt::format("constraint `{}` jumps here by {:.3g}: no motion follows it", bound->row_name(row), by);
    return fail(std::move(failure));
  }
  return may_jump;
}

Outcome<bool> jump_by_rows(Dynamics& dynamics, Transition& to, bool records) {
  const equations::System& system = *dynamics.binding()->system;
  const bool is_ideal =
      !system.has_nonideal && system.directed.empty() && !multiplies_momenta(*dynamics.binding()->model);
  if (!is_ideal) {
    if (auto kept = keeps_its_velocity(dynamics, to); !kept) return fail(kept.error());
    if (auto done = let_slide_what_moves(dynamics, to); !done) return fail(done.error());
    return false;
  }
  auto impulses = meet_constraints(dynamics, to.mode, to.t, to.y);
  if (!impulses) return fail(std::move(impulses.error()));
  const bool jumps = impulses->has_value();
  if (jumps) {
    if (auto pulled = impulse_of_contact(dynamics.binding(), **impulses)) return fail(*std::move(pulled));
  }
  if (auto done = let_slide_what_moves(dynamics, to); !done) return fail(done.error());
  if (!to.mode.friction.sticks.empty()) {
    if (const auto moved = dynamics.project(to.mode, to.t, to.y.data()); !moved) return fail(moved.error());
  }
  if (jumps && records) to.events.push_back(**std::move(impulses));
  return jumps;
}

Outcome<void> let_slide_what_moves(Dynamics& dynamics, Transition& to) {
  const FrictionState& friction = to.mode.friction;
  if (friction.sticks.empty()) return {};
  const std::vector<equations::Slide>& slides = dynamics.binding()->system->slides;
  Vector v, size;
  FrictionOf(dynamics).read_slides(to.mode, to.t, to.y.data(), v, size);
  for (std::size_t k = 0; k < slides.size(); ++k) {
    const auto of_slide = v.segment(slides[k].first, slides[k].count);
    const double along = friction.sticks[k] != 0
                             ? -of_slide.norm()
                             : of_slide.dot(friction.direction.segment(slides[k].first, slides[k].count));
    if (-along > tolerance::kAtStates * size[static_cast<Eigen::Index>(k)])
      return settle_friction(dynamics, to.mode, to.t, to.y.data());
  }
  return settle_again(dynamics, to.mode, to.t, to.y.data());
}

Outcome<void> keeps_inertia_of_laws(const Watched& run, const Transition& to) {
  const std::vector<equations::LawChange>& changes = run.dynamics.binding()->system->changes;
  if (std::ranges::all_of(changes, [](const equations::LawChange& one) { return one.M.empty(); })) return {};
  Matrices on_this_side, on_the_other;
  EquationsOf(run.dynamics).matrices_as_they_are(to.mode, to.t, to.y.data(), on_this_side);
  EquationsOf(run.dynamics).matrices_as_they_are(run.mode, to.t, to.y.data(), on_the_other);
  const double size = std::max(on_this_side.M.norm(), on_the_other.M.norm());
  if (!((on_this_side.M - on_the_other.M).norm() > tolerance::kAtStates * size)) return {};
  return fail(unknown_impulse(to.t, "the inertia that laws give to constraints jumps here"));
}

void record_acting(const Binding& bound, const std::vector<char>& was, const std::vector<char>& acts, Transition& to) {
  for (const int row : bound->switched) {
    const auto at = static_cast<std::size_t>(row);
    const equations::Row& stated = bound->system->rows[at];
    if (was[at] != acts[at] && stated.index == 0)
      to.events.emplace_back(ActingChange{to.t, stated.constraint, acts[at] != 0});
  }
}

}  // namespace vinculum::sim

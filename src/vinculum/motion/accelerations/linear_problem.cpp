#include "vinculum/motion/accelerations/linear_problem.hpp"

#include <algorithm>
#include <utility>

namespace vinculum::sim {

LinearProblem::LinearProblem(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
                             PivotedSolve& solver_of_speeds)
    : at_(at),
      pieces_(pieces),
      routes_(routes),
      forces_(forces),
      solver_of_speeds_(solver_of_speeds),
      force_(Vector::Zero(at.nu)),
      lambda_(Vector::Zero(at.nc)),
      directions_(Vector::Zero(at.compiled->slide_size())),
      state_input_(static_cast<std::size_t>(1 + at.ny + at.nc + at.compiled->slide_size()), 0.0) {
  for (Vector* v : {&solved_.u, &solved_.Q}) v->setZero(at.nu);
  solved_.lambda.setZero(at.nc);
  solved_.effort.setZero(at.compiled->effort_count());
}

/// Identically satisfied rows do not count in the defect, because no correction of the state changes their residual.
Outcome<double> LinearProblem::factor_at(double t, const double* y) {
  Matrices& m = pieces_.matrices;
  if (auto done = pieces_.evaluate(t, y, m); !done) return fail(std::move(done.error()));
  const double defect = pieces_.rows.relative_defect(m);
  if (&routes_.asked() == &routes_.pivoted) routes_.pivoted.take_factor_of(m, solver_of_speeds_);
  if (auto done = routes_.asked().factor(m, pieces_.rows.seen_by_rows(defect)); !done) {
    return fail(pieces_.named(std::move(done.error()), t, model::Level::kAcceleration));
  }
  return defect;
}

Outcome<void> LinearProblem::solve(double defect) {
  Matrices& m = pieces_.matrices;
  if (forces_ != nullptr) {
    if (&routes_.asked() != &routes_.explicit_route()) {
      if (auto done = routes_.explicit_route().factor(m, defect); !done) return done;
    }
    if (auto done = forces_->settle(); !done) return done;
  }
  force_ = m.f + m.C;
  auto done = routes_.asked().solve(m, defect, force_, m.b, solved_);
  if (done && at_.compiled->is_moved_by_multipliers) lambda_ = solved_.lambda;
  return done;
}

Outcome<void> LinearProblem::react(double defect, solve::Reaction& reaction) {
  Matrices& m = pieces_.matrices;
  const auto solve = [&](ConstVector under, solve::Solution& found) -> Outcome<void> {
    auto done = routes_.truth().solve(m, defect, under, m.b, solved_);
    if (done) found = solved_;
    return done;
  };
  auto done = solve::find_reaction(solve, m.f, m.C, reaction);
  reaction.effort = solved_.effort;
  return done;
}

void LinearProblem::write_rates(double t, const double* y, double* y_dot) {
  std::copy_n(pieces_.matrices.q_dot.data(), at_.nq, y_dot);
  if (at_.slides && at_.slides->has_any) forces_->contacts->sticking.drop_rounding(solved_.lambda, solved_.u);
  std::copy_n(solved_.u.data(), at_.nu, y_dot + at_.nq);
  if (at_.nz > 0) write_state_rates(t, y, lambda_, y_dot + at_.nq + at_.nu);
}

void LinearProblem::write_state_rates(double t, const double* y, const Vector& lambda, double* z_dot) {
  state_input_[0] = t;
  std::copy_n(y, at_.ny, state_input_.data() + 1);
  double* const directions = std::copy_n(lambda.data(), at_.nc, state_input_.data() + 1 + at_.ny);
  if (at_.slides) {
    if (!at_.compiled->is_moved_by_multipliers || !forces_->contacts->sticking.fill_directions(directions_))
      directions_ = at_.slides->s;
    std::copy_n(directions_.data(), directions_.size(), directions);
  }
  at_.bound->state_rates.evaluate(state_input_.data(), at_.result.data(), at_.workspace.data());
  std::copy_n(at_.result.data(), at_.nz, z_dot);
}

}  // namespace vinculum::sim

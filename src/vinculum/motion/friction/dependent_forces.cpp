#include "vinculum/motion/friction/dependent_forces.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/friction/failures.hpp"

namespace vinculum::sim {

DependentForces::OfContacts::OfContacts(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces& all)
    : held(at),
      sticking(at, pieces, routes, all.forces, all.free_, all.friction_),
      problem(at, pieces, routes, all.forces, all.free_),
      shared(at, pieces, all.forces, all.free_, all.friction_, problem) {}

DependentForces::DependentForces(StateKernels& at, EquationPieces& pieces, Routes& routes)
    : forces(at),
      at_(at),
      pieces_(pieces),
      routes_(routes),
      free_(*at.compiled, routes, pieces.matrices),
      friction_(at.nu, at.nc, at.compiled->dependence, at.compiled->slide_size()) {
  respond_ = [this](ConstVector r_f, ConstVector r_b, Vector& multipliers) { return free_.to(r_f, r_b, multipliers); };
  evaluate_ = [this](const Vector& actual, const Vector& ideal, Vector& C, Matrix& C_lambda) {
    forces.evaluate(actual, ideal, C, C_lambda);
  };
  if (at.slides) contacts.emplace(at, pieces, routes, *this);
}

Outcome<void> DependentForces::settle() {
  forces.take_state();
  Matrices& m = pieces_.matrices;
  if (contacts) {
    if (auto done = contacts->sticking.settle(); !done) return done;
  } else if (auto done = friction_.solve(respond_, evaluate_, m.f, m.b); !done) {
    return done;
  } else {
    m.C = friction_.C();
  }
  return routes_.directed ? Outcome<void>() : check_reactions_are_unique();
}

Outcome<double> DependentForces::project(double t, double* y) {
  if (!contacts) return 0.0;
  if (std::ranges::none_of(at_.mode->friction.sticks, [](char sticks) { return sticks != 0; })) return 0.0;
  if (const auto moved = contacts->held.push(t, y)) return *moved;
  const auto moved = contacts->sticking.project(t, y);
  if (moved) contacts->held.stop_locked_speeds(y);
  return moved;
}

/// Fails if a force depends on a reaction that is not unique because rows depend on each other.
Outcome<void> DependentForces::check_reactions_are_unique() {
  const solve::ConstrainedSolve& factored = routes_.pivoted.rows();
  const std::vector<int>& rows = at_.compiled->dependence.rows;
  if (factored.rank() == at_.nc ||
      std::ranges::all_of(rows, [&](int row) { return factored.unique()[static_cast<std::size_t>(row)] != 0; })) {
    return {};
  }
  const Matrix N = factored.left_null_space();
  Matrix of_rows(static_cast<Eigen::Index>(rows.size()), N.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) of_rows.row(static_cast<Eigen::Index>(k)) = N.row(rows[k]);
  for (const int row : at_.compiled->switched) {  // a row that does not act is 0 = 0, and its multiplier is 0
    const auto place = std::ranges::find(rows, row);
    if (place != rows.end() && pieces_.matrices.A.row(row).isZero(0.0)) of_rows.row(place - rows.begin()).setZero();
  }
  const Matrix& slope = friction_.C_lambda();
  if (!slope.allFinite()) return {};  // ∂C/∂λ may be NaN if a reaction is zero
  if ((slope * of_rows).lpNorm<Eigen::Infinity>() <= tolerance::kUnique * slope.lpNorm<Eigen::Infinity>()) return {};
  Failure failure;
  failure.kind = FailureKind::kFrictionManySolutions;
  failure.rows = rows;
  failure.message = "a force is stated by the reaction of `" + at_.compiled->row_name(rows.front()) +
                    "`, which is not unique: constraints depend on each other";
  const auto is_of_contact = [&](int row) {
    return at_.compiled->model->constraint(nth(at_.compiled->system->rows, row).constraint).unilateral.has_value();
  };
  if (std::ranges::any_of(rows, is_of_contact)) failure.advice = advice_for_contacts(failure.kind);
  return fail(std::move(failure));
}

}  // namespace vinculum::sim

#include "vinculum/sim/plant/accelerations/minimal.hpp"

#include "vinculum/base/tolerance.hpp"
#include "vinculum/sim/plant/dynamics.hpp"

namespace vinculum::sim {
namespace {

// Speeds are chosen afresh where dependent ones grow this much more than they would by the best choice.
constexpr double kDegraded = 10.0;

}  // namespace

Minimal::Minimal(const CompiledModel& compiled, Route& explicit_route, SolveCounts& counts)
    : speeds(compiled.nu(), static_cast<int>(compiled.velocity_rows.size())),
      accelerations(compiled.nu(), compiled.nc()),
      A(Matrix::Zero(static_cast<Eigen::Index>(compiled.velocity_rows.size()), compiled.nu())),
      psi(Vector::Zero(A.rows())),
      certainty_(Vector::Ones(A.rows())),
      u(Vector::Zero(compiled.nu())),
      rows_(compiled.velocity_rows),
      has_efforts_(!compiled.system->directed.empty()),
      gives_multipliers_(compiled.is_moved_by_multipliers),
      explicit_(explicit_route),
      counts_(counts) {}

void Minimal::choose(const Matrices& at, double defect) {
  accelerations.set_certainty(at.certainty);
  accelerations.choose(at.M, at.A, defect);
  ++counts_.choices;
}

Outcome<void> Minimal::factor(const Matrices& at, double defect) {
  if (!accelerations.has_choice()) choose(at, defect);
  return has_efforts_ ? explicit_.factor(at, defect) : Outcome<void>();
}

Outcome<void> Minimal::solve(const Matrices& at, double defect, ConstVector force, ConstVector b, SolvedMotion& found) {
  force_ = force;
  if (has_efforts_) {
    if (auto done = explicit_.solve(at, defect, force, b, known_); !done) return done;
    force_.noalias() += at.Gamma.transpose() * known_.effort;
  }
  const double tolerance = tolerance::kConsistency + tolerance::kPerDefect * defect;
  found.u.resize(at.M.rows());
  accelerations.set_certainty(at.certainty);
  auto done = accelerations.solve(at.M, at.A, force_, b, tolerance, found.u);
  if (!done && done.error().kind == FailureKind::kInconsistent) {
    // Rows that were dependent where the choice was made need not be so here.
    choose(at, defect);
    done = accelerations.solve(at.M, at.A, force_, b, tolerance, found.u);
  }
  if (!done || !gives_multipliers_) return done;
  if (!has_efforts_) {
    // The reduced equations know no multipliers: those that go with their motion.
    if (auto factored = explicit_.factor(at, defect); !factored) return factored;
    if (auto solved = explicit_.solve(at, defect, force, b, known_); !solved) return solved;
  }
  found.lambda = known_.lambda;
  return done;
}

void Minimal::read_speed_rows(const Matrices& at) {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    A.row(static_cast<Eigen::Index>(k)) = at.A.row(rows_[k]);
    certainty_[static_cast<Eigen::Index>(k)] = at.certainty[rows_[k]];
    psi[static_cast<Eigen::Index>(k)] = at.psi[rows_[k]];
  }
  speeds.set_certainty(certainty_);
}

void Minimal::choose_speeds(const Matrices& at, double defect) {
  if (speeds.has_choice()) return;
  speeds.choose(at.M, A, defect);
  ++counts_.choices;
}

void Minimal::review_choice(const Matrices& at, double defect) {
  const auto review = [&](solve::ReducedSolve& reduced, ConstMatrix of) {
    if (!reduced.has_choice()) return;
    const bool has_other_rank = static_cast<int>(reduced.choice().rows.size()) != reduced.rank_here(at.M, of, defect);
    if (!has_other_rank && reduced.growth(at.M, of) <= kDegraded * reduced.best_growth(at.M, of, defect)) return;
    reduced.choose(at.M, of, defect);
    ++counts_.choices;
  };
  review(speeds, A);
  review(accelerations, at.A);
}

}  // namespace vinculum::sim

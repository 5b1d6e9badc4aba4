#include "vinculum/motion/accelerations/minimal.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/motion/matrices.hpp"
#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {
namespace {

// Independent speeds are chosen again in two cases. First, if the growth of the dependent speeds (largest dependent
// rate per independent rate) exceeds that of the best choice by this factor. Second, if the row weight of a row that
// was left out exceeds that of a chosen row by this factor.
constexpr double kDegraded = 10.0;

}  // namespace

Minimal::Minimal(const CompiledModel& compiled, Route& explicit_route)
    : speeds(compiled.nu(), static_cast<int>(compiled.velocity_rows.size())),
      accelerations(compiled.nu(), compiled.nc()),
      A(Matrix::Zero(static_cast<Eigen::Index>(compiled.velocity_rows.size()), compiled.nu())),
      psi(Vector::Zero(A.rows())),
      u(Vector::Zero(compiled.nu())),
      certainty_(Vector::Ones(A.rows())),
      compiled_(compiled),
      rows_(compiled.velocity_rows),
      has_efforts_(!compiled.system->directed.empty()),
      gives_multipliers_(compiled.is_moved_by_multipliers),
      explicit_(explicit_route) {
  if (!compiled.model->run) return;
  std::vector<int> stated;
  for (const model::SpeedId speed : compiled.model->run->independent) stated.push_back(static_cast<int>(speed.index()));
  speeds.keep_independent(stated);
  accelerations.keep_independent(std::move(stated));
}

void Minimal::remember_in(Mode& mode) {
  speeds.remember_in(mode.speeds);
  accelerations.remember_in(mode.accelerations);
  counts_ = &mode.counts;
}

Outcome<void> Minimal::judge(const solve::ReducedSolve& reduced) const {
  if (reduced.kept().empty() || reduced.is_regular()) return {};
  std::string names;
  for (const int speed : reduced.kept())
    names += (names.empty() ? "`" : ", `") + compiled_.model->speeds[static_cast<std::size_t>(speed)].name + "`";
  const auto free = static_cast<std::size_t>(compiled_.nu()) - reduced.choice().rows.size();
  Failure failure;
  failure.kind = FailureKind::kSingularKinematics;
  failure.message = names + (reduced.kept().size() > 1 ? " are" : " is") +
                    " stated as independent, but the constraints do not determine the other speeds by " +
                    (reduced.kept().size() > free
                         ? "them: only " + std::to_string(free) + (free == 1 ? " speed is" : " speeds are") + " free"
                         : "them here: name others, or none, and they are chosen where they serve");
  return fail(std::move(failure));
}

Outcome<void> Minimal::choose(const Matrices& at, double defect) {
  accelerations.set_certainty(at.certainty);
  accelerations.choose(at.M, at.A, defect);
  ++counts_->choices;
  return judge(accelerations);
}

Outcome<void> Minimal::factor(const Matrices& at, double defect) {
  if (!accelerations.has_choice()) {
    if (auto done = choose(at, defect); !done) return done;
  }
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
  accelerations.set_doubt(at.doubt);
  auto done = accelerations.solve(at.M, at.A, force_, b, tolerance, found.u);
  if (!done && done.error().kind == FailureKind::kInconsistent) {
    // Rows that were dependent at the state where the choice was made may be independent at this state.
    if (auto chosen = choose(at, defect); !chosen) return chosen;
    done = accelerations.solve(at.M, at.A, force_, b, tolerance, found.u);
  }
  if (!done || !gives_multipliers_) return done;
  if (!has_efforts_) {
    // The reduced equations contain no multipliers, so the solver of the explicit formulation computes them.
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

Outcome<void> Minimal::choose_speeds(const Matrices& at, double defect) {
  if (speeds.has_choice()) return {};
  speeds.choose(at.M, A, defect);
  ++counts_->choices;
  return judge(speeds);
}

Outcome<void> Minimal::review_choice(const Matrices& at, double defect) {
  // A row with a small weight is nearly zero, so speeds computed from it contain its rounding errors. A redundant row
  // with a larger weight is better.
  const auto has_surer_row = [](const std::vector<int>& chosen, ConstVector certainty) {
    double least = 1.0, surest = 0.0;
    for (Eigen::Index i = 0; i < certainty.size(); ++i) {
      if (std::ranges::find(chosen, static_cast<int>(i)) != chosen.end())
        least = std::min(least, certainty[i]);
      else
        surest = std::max(surest, certainty[i]);
    }
    return kDegraded * least < surest;
  };
  const auto review = [&](solve::ReducedSolve& reduced, ConstMatrix of, ConstVector certainty) -> Outcome<void> {
    if (!reduced.has_choice()) return {};
    const bool has_other_rank = static_cast<int>(reduced.choice().rows.size()) != reduced.rank_here(at.M, of, defect);
    if (!has_other_rank) {
      const double growth = reduced.growth(at.M, of);
      if (auto done = judge(reduced); !done) return done;
      if (growth <= kDegraded * reduced.best_growth(at.M, of, defect) &&
          !has_surer_row(reduced.choice().rows, certainty))
        return {};
    }
    reduced.choose(at.M, of, defect);
    ++counts_->choices;
    return judge(reduced);
  };
  if (auto done = review(speeds, A, certainty_); !done) return done;
  return review(accelerations, at.A, at.certainty);
}

}  // namespace vinculum::sim

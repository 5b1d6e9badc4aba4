#include "vinculum/sim/plant/tier_q.hpp"

#include <algorithm>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
/// Where generated code is accepted it is not asked, and its matrices grow with the square of the model: room for them
/// is made on the first use.
TierQ::TierQ(int nu, int nc) : nu_(nu), nc_(nc) {}

Outcome<void> TierQ::factor(ConstMatrix M, ConstMatrix A, ConstVector certainty, double defect) {
  rung_ = 0;
  if (!solvers_[0]) solvers_[0].emplace(nu_, nc_);
  solvers_[0]->set_certainty(certainty);
  if (auto done = solvers_[0]->factor(M, A); !done) return done;
  const double doubt = tolerance::kDoubt * defect;
  const bool is_plain = solvers_[0]->rank() == nc_ && !(solvers_[0]->conditioning() < doubt);
  if (nc_ < 2 || is_plain) return {};
  while (rung_ + 1 < kTolRank.size() && kTolRank[rung_] < doubt) ++rung_;
  if (rung_ == 0) return {};
  if (!solvers_[rung_]) {
    const solve::SolveTolerances fine;
    solvers_[rung_].emplace(
        nu_, nc_,
        solve::SolveTolerances{kTolRank[rung_], std::max(fine.consistency, tolerance::kPerDefect * kTolRank[rung_])});
  }
  solvers_[rung_]->set_certainty(certainty);
  return solvers_[rung_]->factor(M, A);
}

}  // namespace vinculum::sim

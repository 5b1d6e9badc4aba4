#include "vinculum/sim/plant/tier_q.hpp"

#include <algorithm>

namespace vinculum::sim {
namespace {

// A singular value this many defects small is not told from zero.
constexpr double kDefectsOfDoubt = 10.0;
// What the dropped rows may miss grows with the tolerance that dropped them.
constexpr double kConsistencyPerRank = 100.0;

}  // namespace

TierQ::TierQ(int nu, int nc) : nu_(nu), nc_(nc) { solvers_[0].emplace(nu, nc); }

Outcome<void> TierQ::factor(ConstMatrix M, ConstMatrix A, double defect) {
  rung_ = 0;
  if (auto done = solvers_[0]->factor(M, A); !done) return done;
  const double doubt = kDefectsOfDoubt * defect;
  if (nc_ < 2 || !(solvers_[0]->conditioning() < doubt)) return {};
  while (rung_ + 1 < kTolRank.size() && kTolRank[rung_] < doubt) ++rung_;
  if (rung_ == 0) return {};
  if (!solvers_[rung_]) {
    const solve::SolveTolerances fine;
    solvers_[rung_].emplace(
        nu_, nc_,
        solve::SolveTolerances{kTolRank[rung_], std::max(fine.consistency, kConsistencyPerRank * kTolRank[rung_])});
  }
  return solvers_[rung_]->factor(M, A);
}

}  // namespace vinculum::sim

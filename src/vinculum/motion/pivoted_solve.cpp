#include "vinculum/motion/pivoted_solve.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {

// Possible rank tolerances. The smallest one that is at least the uncertainty of the rows (kDoubt × defect) is used.
constexpr std::array<double, 6> kTolRank = {tolerance::kRank,       1e2 * tolerance::kRank, 1e4 * tolerance::kRank,
                                            1e6 * tolerance::kRank, 1e8 * tolerance::kRank, 1e10 * tolerance::kRank};

solve::SolveTolerances tolerances_for(double doubt) {
  std::size_t rung = 0;
  while (rung + 1 < kTolRank.size() && kTolRank[rung] < doubt) ++rung;
  const solve::SolveTolerances fine;
  if (rung == 0) return fine;
  return {kTolRank[rung], std::max(fine.consistency, tolerance::kPerDefect * kTolRank[rung])};
}

}  // namespace

/// The ConstrainedSolve is created at the first call of `factor`. Its matrices grow with the square of the number of
/// speeds, and it is not needed as long as generated code is accepted.
PivotedSolve::PivotedSolve(int nu, int nc) : nu_(nu), nc_(nc) {}

Outcome<void> PivotedSolve::factor(ConstMatrix M, ConstMatrix A, ConstVector certainty, double defect) {
  if (!solver_) solver_.emplace(nu_, nc_);
  solver_->set_certainty(certainty);
  const double doubt = tolerance::kDoubt * defect;
  return solver_->factor(M, A, doubt, tolerances_for(doubt));
}

void PivotedSolve::set_compliance(ConstVector compliance) {
  if (!solver_) solver_.emplace(nu_, nc_);
  solver_->set_compliance(compliance);
}

void PivotedSolve::take_factor_of(ConstMatrix M, ConstMatrix A, ConstVector certainty, PivotedSolve& other) {
  if (other.nu_ != nu_ || other.nc_ != nc_ || !other.solver_ || !other.solver_->has_factor_of(M, A, certainty)) return;
  if (solver_ && solver_->has_factor_of(M, A, certainty)) return;
  std::swap(solver_, other.solver_);
}

}  // namespace vinculum::sim

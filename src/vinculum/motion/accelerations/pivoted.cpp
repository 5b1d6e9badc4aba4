#include "vinculum/motion/accelerations/pivoted.hpp"

#include "vinculum/motion/matrices.hpp"

namespace vinculum::sim {

Outcome<void> Pivoted::factor(const Matrices& at, double defect) {
  rows_.set_compliance(at.compliance);
  if (auto done = rows_.factor(at.metric, at.A, at.certainty, defect); !done) return done;
  rows_.set_doubt(at.doubt);
  return {};
}

void Pivoted::take_factor_of(const Matrices& at, PivotedSolve& other) {
  rows_.take_factor_of(at.metric, at.A, at.certainty, other);
}

Outcome<void> Pivoted::solve(const Matrices&, double, ConstVector force, ConstVector b, SolvedMotion& found) {
  return rows_.solver().solve(force, b, found);
}

}  // namespace vinculum::sim

#include "vinculum/motion/accelerations/augmented.hpp"

#include "vinculum/motion/matrices.hpp"
#include "vinculum/solve/pivoted/directed.hpp"

namespace vinculum::sim {
namespace {

std::vector<char> directed_flags(const equations::System& system) {
  std::vector<char> flags(system.rows.size(), 0);
  for (const int row : solve::directed_rows(system)) flags[static_cast<std::size_t>(row)] = 1;
  return flags;
}

}  // namespace

Augmented::Augmented(const equations::System& system)
    : has_indefinite_mass_(system.has_indefinite_mass),
      solve_(system.nu(), directed_flags(system), solve::effort_scales(system)) {}

Outcome<void> Augmented::factor(const Matrices& at, double defect) {
  solve_.set_certainty(at.certainty);
  solve_.set_doubt(at.doubt);
  return has_indefinite_mass_ ? solve_.factor(at.M, at.metric, at.A, at.Gamma, defect)
                              : solve_.factor(at.M, at.A, at.Gamma, defect);
}

Outcome<void> Augmented::solve(const Matrices& at, double, ConstVector force, ConstVector b, SolvedMotion& found) {
  if (auto done = solve_.solve(force, b, solution_); !done) return done;
  found.u = solution_.u;
  found.lambda = solution_.lambda;
  found.effort = solution_.effort;
  found.Q.noalias() = at.A.transpose() * found.lambda;
  found.Q.noalias() += at.Gamma.transpose() * found.effort;
  return {};
}

}  // namespace vinculum::sim

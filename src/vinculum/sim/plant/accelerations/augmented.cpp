#include "vinculum/sim/plant/accelerations/augmented.hpp"

#include "vinculum/laws/directed.hpp"
#include "vinculum/sim/plant/dynamics.hpp"

namespace vinculum::sim {
namespace {

std::vector<char> directed_flags(const dynamics::System& system) {
  std::vector<char> flags(system.rows.size(), 0);
  for (const int row : laws::directed_rows(system)) flags[static_cast<std::size_t>(row)] = 1;
  return flags;
}

}  // namespace

Augmented::Augmented(const dynamics::System& system)
    : has_indefinite_mass_(system.has_indefinite_mass),
      solve_(system.nu(), directed_flags(system), laws::effort_scales(system)) {}

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

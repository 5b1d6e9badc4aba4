// Checks that the accelerations at a state are equal in every formulation.
#include <fmt/format.h>

#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
AuditLine audit_formulations(const Case& of) {
  Judge judge("explicit = augmented = minimal accelerations, and those of the samples", "8.10",
              "conditioning of the solve, pivots that fast routes accept");
  const auto compiled = std::shared_ptr<const Binding>(std::shared_ptr<const Binding>(), &of.bound);
  const Eigen::Index nq = of.bound->nq(), nu = of.bound->nu(), nz = of.bound->system->nz();
  if (of.bound->system->higher) judge.note("constraints of higher order have the explicit one alone");
  for (const equations::Formulation formulation : equations::kFormulations) {
    if (of.bound->system->higher && formulation != equations::Formulation::kExplicit) continue;
    Dynamics dynamics(compiled);
    Vector scale(nq + nu + nz);
    scale << of.scales.q, of.scales.u, of.scales.z;
    dynamics.set_scale(scale, of.trajectory.tolerance);
    Vector y(nq + nu + nz), y_dot(nq + nu + nz);
    for (const auto& e : of.evidence) {
      y << e->sample.q, e->sample.u, e->sample.z;
      const std::string name(to_string(formulation));
      dynamics.set_formulation(formulation);
      // A new mode, so that the independent speeds are chosen at this state and not taken from the sample before it.
      sim::Mode mode = sim::mode_at_start(*compiled);
      set_friction(mode, e->sample.friction);
      dynamics.set_accelerations(mode, e->sample);
      if (const auto done = dynamics.derivative(mode, e->sample.t, y.data(), y_dot.data()); !done) {
        judge.see(Rounded(INFINITY), 1.0, e->sample.t, name + ": " + done.error().message);
        continue;
      }
      const Vector unit = e->at.units(), difference = y_dot.segment(nq, nu) - e->sample.reaction.u_dot();
      // Differences are compared in units of speeds with equal kinetic energies, relative to the largest of all forces.
      const double whole =
          e->at.sizes().cwiseProduct(unit).size() > 0 ? e->at.sizes().cwiseProduct(unit).maxCoeff() : 0.0;
      // Terms that cancel inside f and b also count. Their magnitude follows from their rounding error.
      const double hidden = nu > 0 ? e->at.doubt.cwiseQuotient(unit).maxCoeff() / tolerance::kRounding : 0.0;
      for (Eigen::Index r = 0; r < nu; ++r) {
        const double size = (whole + hidden) * unit[r] + std::abs(e->at.u_dot[r].value);
        judge.see({difference[r], 2.0 * e->at.u_dot[r].error}, size, e->sample.t,
                  fmt::format("{}, {}", name, of.bound->speed_name(static_cast<int>(r))),
                  tolerance::kStagnation * size);
      }
    }
  }
  return judge.verdict();
}

}  // namespace vinculum::audit

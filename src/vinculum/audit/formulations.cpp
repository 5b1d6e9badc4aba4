// One acceleration by every formulation.
#include <fmt/format.h>

#include <cmath>

#include "vinculum/audit/lines.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/sim/plant/dynamics.hpp"

namespace vinculum::audit {
AuditLine audit_formulations(const Case& of) {
  Judge judge("explicit = augmented = minimal accelerations, and those of the samples", "8.10", tolerance::kStagnation);
  const auto compiled = std::shared_ptr<const CompiledModel>(std::shared_ptr<const CompiledModel>(), &of.compiled);
  const Eigen::Index nq = of.compiled.nq(), nu = of.compiled.nu(), nz = of.compiled.system->nz();
  if (of.compiled.system->higher) judge.note("constraints of higher order have the explicit one alone");
  for (const dynamics::Formulation formulation : dynamics::kFormulations) {
    if (of.compiled.system->higher && formulation != dynamics::Formulation::kExplicit) continue;
    Dynamics dynamics(compiled);
    Vector y(nq + nu + nz), y_dot(nq + nu + nz);
    for (const auto& e : of.evidence) {
      y << e->sample.q, e->sample.u, e->sample.z;
      const std::string name(to_string(formulation));
      dynamics.set_friction(e->sample.friction);
      dynamics.set_formulation(formulation);  // afresh: independent speeds chosen here, not where the last sample lies
      if (const auto done = dynamics.derivative(e->sample.t, y.data(), y_dot.data()); !done) {
        judge.see(INFINITY, 1.0, e->sample.t, name + ": " + done.error().message);
        continue;
      }
      const Vector unit = e->at.units(), difference = y_dot.segment(nq, nu) - e->sample.reaction.u_dot();
      // In units of speeds that make kinetic energies alike, against all that pulls.
      const double whole = e->at.sizes(e->sample).cwiseProduct(unit).size() > 0
                               ? e->at.sizes(e->sample).cwiseProduct(unit).maxCoeff()
                               : 0.0;
      for (Eigen::Index r = 0; r < nu; ++r) {
        judge.see(difference[r] / unit[r], whole + std::abs(e->sample.reaction.u_dot()[r]) / unit[r], e->sample.t,
                  fmt::format("{}, {}", name, of.compiled.speed_name(static_cast<int>(r))));
      }
    }
  }
  return judge.verdict();
}

}  // namespace vinculum::audit

// Compares the rate of the energy with the power of all forces that are not included in the energy.
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/verify/audit/forces.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

using model::Model;

/// Returns the velocity of the point of action, or angular velocity of the frame.
Vector3 rate_of_place(Evidence& e, const Action& action) {
  model::TermPool& pool = *e.model.terms;
  return e.value(action.point ? pool.velocity(*action.point, Model::newtonian())
                              : pool.angular_velocity(action.frame, Model::newtonian()));
}

/// Returns the velocity (or angular velocity) of the point of action (or frame) at u = 0: the part due to time alone.
Vector3 rate_by_time(Evidence& e, const Action& action) {
  return action.point ? e.velocity_at_rest(*action.point) : e.angular_velocity_at_rest(action.frame);
}

}  // namespace

/// The energy is E = T + V + Σ (q'·L_q' − L), with kinetic energy T, potentials V and Lagrangians L. It is
/// differentiated by Taylor series. By Kane's identity, dE/dt is the power of all forces without potential, plus the
/// power of the forces on points that move due to time (rheonomic): Σ (m a − F)·v_t + …, where v_t is the velocity at u
/// = 0.
AuditLine audit_energy(const Case& of) {
  Judge judge("dE/dt = power of loads, efforts and reactions", "8.9", kOfTheSolve);
  const Model& model = *of.bound->model;
  const model::Term kinetic = model::kinetic_energy(model), potential = model::potential_energy(model);
  const model::Term of_lagrangians = model::lagrangian_energy(model);
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    const Forces forces(e);
    const Rounded rate_T = e.rate(kinetic), rate_V = e.rate(potential), rate_L = e.rate(of_lagrangians);
    Rounded power = forces.explicit_power;
    double size = std::abs(rate_T.value) + std::abs(rate_V.value) + std::abs(rate_L.value) + std::abs(power.value);
    const auto add = [&](Rounded share) {
      power += share;
      size += std::abs(share.value);
    };
    for (const Action& action : forces.actions) {
      const Vector3 v = rate_of_place(e, action);
      if (!action.is_conservative) add(action.value.dot(v));
      size += action.magnitude() * size_of(v);
      add(-action.value.dot(rate_by_time(e, action)));
    }
    for (const Action& action : inertia(e)) {
      add(-action.value.dot(rate_by_time(e, action)));
      size += action.magnitude() * size_of(rate_of_place(e, action));
    }
    const RoundedVector Q = forces.generalized - forces.conservative;
    for (Eigen::Index r = 0; r < Q.size(); ++r) add(Q[r] * e.sample.u[r]);
    size += forces.generalized_size.dot(e.sample.u.cwiseAbs());
    judge.see(rate_T + rate_V + rate_L - power, size, e.sample.t, "the whole model");
  }
  return judge.verdict();
}

}  // namespace vinculum::audit

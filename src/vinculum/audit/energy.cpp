// The rate of the energy against the power of everything that is not in it.
#include <cmath>

#include "vinculum/audit/forces.hpp"
#include "vinculum/audit/lines.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/mechanics/inspect/inspection.hpp"

namespace vinculum::audit {
namespace {

using mechanics::Model;

/// v of the point of action, or ω.
Vector3 rate_of_place(Evidence& e, const Action& action) {
  mechanics::TermPool& pool = *e.model.terms;
  return e.value(action.point ? pool.velocity(*action.point, Model::newtonian())
                              : pool.angular_velocity(action.frame, Model::newtonian()));
}

/// The same at u = 0: what the time alone moves.
Vector3 rate_by_time(Evidence& e, const Action& action) {
  return action.point ? e.velocity_at_rest(*action.point) : e.angular_velocity_at_rest(action.frame);
}

}  // namespace

/// dE/dt of jets, E = T + V + Σ (q'·L_q' − L), = power of all forces that have no potential, and of those that move
/// coordinates along with the time:
///   Σ (m a − F)·v_t + …, with v_t = v at u = 0, by Kane's identity.
AuditLine audit_energy(const Case& of) {
  Judge judge("dE/dt = power of loads, efforts and reactions", "8.9", tolerance::kStagnation);
  const Model& model = *of.compiled.model;
  const mechanics::Term kinetic = mechanics::kinetic_energy(model), potential = mechanics::potential_energy(model);
  const mechanics::Term of_lagrangians = mechanics::lagrangian_energy(model);
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    const Forces forces(e);
    judge.allow(forces.precision * 10.0);
    const double rate_T = e.now().scalar(kinetic).rate, rate_V = e.now().scalar(potential).rate;
    const double rate_L = e.now().scalar(of_lagrangians).rate;
    double power = forces.explicit_power;
    double size = std::abs(rate_T) + std::abs(rate_V) + std::abs(rate_L) + std::abs(forces.explicit_power);
    const auto add = [&](double share) {
      power += share;
      size += std::abs(share);
    };
    for (const Action& action : forces.actions) {
      const Vector3 v = rate_of_place(e, action);
      if (!action.is_conservative) add(action.value.dot(v));
      size += action.magnitude() * v.norm();
      add(-action.value.dot(rate_by_time(e, action)));
    }
    for (const Action& action : inertia(e, of.scales.duration)) {
      add(-action.value.dot(rate_by_time(e, action)));
      size += action.magnitude() * rate_of_place(e, action).norm();
    }
    const Vector Q = forces.generalized - forces.conservative;
    for (Eigen::Index r = 0; r < Q.size(); ++r) add(Q[r] * e.sample.u[r]);
    size += forces.generalized_size.dot(e.sample.u.cwiseAbs());
    judge.see(rate_T + rate_V + rate_L - power, size, e.sample.t, "the whole model");
  }
  return judge.verdict();
}

}  // namespace vinculum::audit

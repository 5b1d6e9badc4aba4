#include "vinculum/model/inspect/load_power.hpp"

#include <map>
#include <variant>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/hamiltonian.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {
namespace {

void add_gravity(const Model& model, const Gravity& gravity, LoadForces& all) {
  for (const Particle& particle : model.particles)
    all.forces.push_back({particle.point, particle.mass * gravity.acceleration, {}});
  for (const Body& body : model.bodies) all.forces.push_back({body.center, body.mass * gravity.acceleration, {}});
}

Term separation_of(const Model& model, const SpringBetween& spring) {
  return model.terms->position(spring.first, spring.second);
}

/// Force −T e of a tension T on the first end of the spring; e is the unit vector from the second end to the first.
Term drawn(const Model& model, const SpringBetween& spring, Term tension) {
  return -(tension * model.terms->unit(separation_of(model, spring)));
}

/// Elastic tension k (|r| − l) of a spring with the distance |r| between its ends.
Term elastic_tension(const Model& model, const SpringBetween& spring) {
  return spring.stiffness * (model.terms->norm(separation_of(model, spring)) - spring.length);
}

/// Elastic force −T e. For natural length 0 it is −k r, which is linear, so that the ends may coincide.
Term pull_of(const Model& model, const SpringBetween& spring) {
  if (spring.length.is_zero()) return -(spring.stiffness * separation_of(model, spring));
  return drawn(model, spring, elastic_tension(model, spring));
}

bool is_damped(const SpringBetween& spring) { return spring.damping.is_valid() && !spring.damping.is_zero(); }

/// Tension c v·e of the damper, where v·e is the rate at which the ends separate.
Term drag_of(const Model& model, const SpringBetween& spring) {
  TermPool& pool = *model.terms;
  const Term v = pool.velocity(spring.first, kNewtonian) - pool.velocity(spring.second, kNewtonian);
  return spring.damping * pool.dot(v, pool.unit(separation_of(model, spring)));
}

/// \param with_potential  whether forces of gravity and springs that have a potential are included
LoadForces forces_of(const Model& model, const Load& load, bool with_potential) {
  const bool has_potential = potential_of(model, load).is_valid();
  LoadForces all;
  if (const auto* force = std::get_if<ForceOn>(&load.what)) all.forces.push_back(*force);
  if (const auto* torque = std::get_if<TorqueOn>(&load.what)) all.torques.push_back(*torque);
  if (const auto* generalized = std::get_if<GeneralizedForceOn>(&load.what)) all.generalized.push_back(*generalized);
  if (const auto* gravity = std::get_if<Gravity>(&load.what);
      gravity != nullptr && (with_potential || !has_potential)) {
    add_gravity(model, *gravity, all);
  }
  if (const auto* spring = std::get_if<SpringBetween>(&load.what)) {
    if (with_potential || !has_potential)
      all.forces.push_back({spring->first, pull_of(model, *spring), spring->second});
    if (is_damped(*spring))
      all.forces.push_back({spring->first, drawn(model, *spring, drag_of(model, *spring)), spring->second});
  }
  return all;
}

/// Power Σ F·v + Σ T·ω + Σ D q' of the forces, for a motion given by velocity functions of points and frames.
template <class Velocity, class AngularVelocity>
Term power(const Model& model, const LoadForces& all, const Velocity& velocity, const AngularVelocity& omega) {
  TermPool& pool = *model.terms;
  Term sum = pool.number(0.0);
  for (const ForceOn& force : all.forces) {
    sum = sum + pool.dot(force.force, velocity(force.point));
    if (force.from) sum = sum - pool.dot(force.force, velocity(*force.from));
  }
  for (const TorqueOn& torque : all.torques) {
    sum = sum + pool.dot(torque.torque, omega(torque.body));
    if (torque.from) sum = sum - pool.dot(torque.torque, omega(*torque.from));
  }
  return sum;
}

Term power(const Model& model, const LoadForces& all) {
  TermPool& pool = *model.terms;
  Term sum = power(
      model, all, [&](PointId point) { return pool.velocity(point, kNewtonian); },
      [&](FrameId frame) {
        return frame == kNewtonian ? pool.zero_vector() : pool.angular_velocity(frame, kNewtonian);
      });
  for (const GeneralizedForceOn& one : all.generalized) sum = sum + one.force * pool.coordinate(one.coordinate, 1);
  return sum;
}

/// q'·∂L/∂q' − L of one Lagrangian function.
Term energy_of(const Model& model, const LagrangianFunction& function) {
  TermPool& pool = *model.terms;
  Term energy = -function.L;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const Term rate = pool.coordinate(CoordinateId(i), 1);
    energy = energy + pool.partial(function.L, rate) * rate;
  }
  return energy;
}

std::string name_of(const Model& model, const Load& load) {
  const auto point = [&](PointId id) {
    const Point& its = model.point(id);
    return its.has_own_name() ? its.name : its.name.substr(1, its.name.size() - 2);
  };
  const auto frame = [&](FrameId id) {
    const Frame& its = model.frame(id);
    return its.body ? model.body(*its.body).name : its.name;
  };
  if (const auto* force = std::get_if<ForceOn>(&load.what)) return "force on " + point(force->point);
  if (const auto* torque = std::get_if<TorqueOn>(&load.what)) return "torque on " + frame(torque->body);
  if (std::holds_alternative<Gravity>(load.what)) return "gravity";
  if (const auto* spring = std::get_if<SpringBetween>(&load.what))
    return (spring->stiffness.is_zero() && spring->length.is_zero() ? "damper " : "spring ") + point(spring->first) +
           " " + point(spring->second);
  if (std::holds_alternative<PotentialEnergy>(load.what)) return "potential";
  if (const auto* one = std::get_if<GeneralizedForceOn>(&load.what)) {
    return (load.is_friction ? "friction on " : "generalized force on ") +
           model.coordinates[one->coordinate.index()].name;
  }
  return "lagrangian";
}

}  // namespace

Term tension(const Model& model, const SpringBetween& spring) {
  if (!is_damped(spring)) return spring.length.is_zero() ? Term{} : elastic_tension(model, spring);
  const Term drag = drag_of(model, spring);
  return spring.length.is_zero() ? drag : elastic_tension(model, spring) + drag;
}

ForceOn force_of(const Model& model, const SpringBetween& spring) {
  const Term along = tension(model, spring);
  if (!along.is_valid()) return {spring.first, pull_of(model, spring), spring.second};
  const Term force = drawn(model, spring, along);
  return {spring.first, spring.length.is_zero() ? pull_of(model, spring) + force : force, spring.second};
}

LoadForces forces_without_potential(const Model& model, const Load& load) { return forces_of(model, load, false); }

Term power_without_potential(const Model& model, const Load& load) {
  return power(model, forces_of(model, load, false));
}

Term power_of_load(const Model& model, const Load& load) {
  TermPool& pool = *model.terms;
  if (const auto* potential = std::get_if<PotentialEnergy>(&load.what)) {
    return power_of_time(model, load) - pool.rate(potential->energy);
  }
  if (const auto* lagrangian = std::get_if<LagrangianFunction>(&load.what)) {
    return power_of_time(model, load) - pool.rate(energy_of(model, *lagrangian));
  }
  return power(model, forces_of(model, load, true));
}

Term power_of_time(const Model& model, const Load& load) {
  TermPool& pool = *model.terms;
  if (const auto* lagrangian = std::get_if<LagrangianFunction>(&load.what))
    return -pool.partial(lagrangian->L, pool.time());
  const Term potential = potential_of(model, load);
  if (!potential.is_valid()) return pool.number(0.0);
  if (std::holds_alternative<PotentialEnergy>(load.what)) return pool.partial(potential, pool.time());
  // For gravity and springs, ∂V/∂t follows from the rates of their parameters. It is −m g'·r for gravity g, and ½ k' s²
  // − k s l' for a spring of stiffness k, natural length l and stretch s. The parameters contain no coordinates, so
  // they change only with explicit time.
  if (const auto* spring = std::get_if<SpringBetween>(&load.what)) {
    const Term r = separation_of(model, *spring);
    if (spring->length.is_zero()) return pool.rate(spring->stiffness) * pool.dot(r, r) / 2.0;
    const Term stretch = pool.norm(r) - spring->length;
    return pool.rate(spring->stiffness) * stretch * stretch / 2.0 -
           spring->stiffness * stretch * pool.rate(spring->length);
  }
  LoadForces held;
  add_gravity(model, std::get<Gravity>(load.what), held);
  return pool.rate(potential) + power(model, held);
}

Term power_of_moved_points(const Model& model) {
  TermPool& pool = *model.terms;
  HeldVelocities held(model);
  const auto velocity = [&](PointId point) { return held.velocity(point); };
  const auto omega = [&](FrameId frame) { return held.angular_velocity(frame); };
  Term sum = pool.number(0.0);
  for (const Particle& particle : model.particles) {
    sum = sum + particle.mass * pool.dot(pool.acceleration(particle.point, kNewtonian), velocity(particle.point));
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    sum = sum + body.mass * pool.dot(pool.acceleration(body.center, kNewtonian), velocity(body.center));
    const Term turning = omega(body.frame);
    if (turning.is_zero()) continue;
    const Term w = pool.angular_velocity(body.frame, kNewtonian),
               alpha = pool.angular_acceleration(body.frame, kNewtonian);
    const Term rate = times_inertia(model, BodyId(b), alpha) + pool.cross(w, times_inertia(model, BodyId(b), w));
    sum = sum + pool.dot(rate, turning);
  }
  for (const Load& load : model.loads) sum = sum - power(model, forces_of(model, load, true), velocity, omega);
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintId id(c);
    if (acts_on_coordinates(model, id)) continue;
    for (const PointId point : points_of(model, id)) {
      const Term v = velocity(point);
      if (!v.is_zero()) sum = sum - pool.dot(total_force(model, id, point), v);
    }
    for (const FrameId frame : frames_of_torques(model, id)) {
      const Term w = omega(frame);
      if (!w.is_zero()) sum = sum - pool.dot(torque_on(model, id, frame), w);
    }
  }
  return sum;
}

std::vector<std::string> names_of_loads(const Model& model) {
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (const Load& load : model.loads) {
    std::string name = name_of(model, load);
    const int number = ++count[name];
    if (number > 1) name += " (" + std::to_string(number) + ")";
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace vinculum::model

#include <variant>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/kinematic_tree.hpp"

namespace vinculum::model {

Term along_the_rates(const Model& model, Term f) {
  TermPool& pool = *model.terms;
  Term sum = pool.number(0.0);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const Term rate = pool.coordinate(CoordinateId(i), 1);
    sum = sum + pool.partial(f, rate) * rate;
  }
  return sum;
}

Term kinetic_energy(const Model& model) {
  TermPool& pool = *model.terms;
  Term energy = pool.number(0.0);
  for (const Particle& particle : model.particles) {
    const Term v = pool.velocity(particle.point, Model::newtonian());
    energy = energy + particle.mass * pool.dot(v, v) / 2.0;
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const Term v = pool.velocity(body.center, Model::newtonian()),
               omega = pool.angular_velocity(body.frame, Model::newtonian());
    energy = energy + body.mass * pool.dot(v, v) / 2.0 + pool.dot(omega, times_inertia(model, BodyId(b), omega)) / 2.0;
  }
  return energy;
}

Term potential_of(const Model& model, const Load& load) {
  TermPool& pool = *model.terms;
  KinematicTree tree(model);
  const auto is_constant = [&tree](Term term) { return !tree.of_term(term).on_coordinates; };
  if (const auto* gravity = std::get_if<Gravity>(&load.what)) {
    if (!is_constant(gravity->acceleration)) return {};
    Term energy = pool.number(0.0);
    const auto lift = [&](PointId point, Term mass) {
      const Term r = pool.position(point, tree.origin_of(point));
      energy = energy - mass * pool.dot(gravity->acceleration, r);
    };
    for (const Particle& particle : model.particles) lift(particle.point, particle.mass);
    for (const Body& body : model.bodies) lift(body.center, body.mass);
    return energy;
  }
  if (const auto* spring = std::get_if<SpringBetween>(&load.what)) {
    if (!is_constant(spring->stiffness) || !is_constant(spring->length)) return {};
    const Term r = pool.position(spring->first, spring->second);
    // this form is smooth even where the ends of the spring coincide
    if (spring->length.is_zero()) return spring->stiffness * pool.dot(r, r) / 2.0;
    const Term stretch = pool.norm(r) - spring->length;
    return spring->stiffness * pool.function(expr::Op::kPower, stretch, pool.number(2.0)) / 2.0;
  }
  if (const auto* potential = std::get_if<PotentialEnergy>(&load.what)) return potential->energy;
  return {};
}

Term potential_energy(const Model& model) {
  Term energy = model.terms->number(0.0);
  for (const Load& load : model.loads) {
    if (const Term potential = potential_of(model, load); potential.is_valid()) energy = energy + potential;
  }
  return energy;
}

Term lagrangian_energy(const Model& model) {
  Term energy = model.terms->number(0.0);
  for (const Load& load : model.loads) {
    if (const auto* lagrangian = std::get_if<LagrangianFunction>(&load.what)) {
      energy = energy + (along_the_rates(model, lagrangian->L) - lagrangian->L);
    }
  }
  return energy;
}

Term total_energy(const Model& model) {
  return kinetic_energy(model) + potential_energy(model) + lagrangian_energy(model);
}

Term stored_energy(const Model& model, ConstraintId id) {
  const Term energy = model.constraint(id).law->stored_energy(model, id);
  return energy.is_valid() ? energy : model.terms->number(0.0);
}

Term effective_energy(const Model& model) {
  Term energy = total_energy(model);
  for (std::size_t c = 0; c < model.constraints.size(); ++c) energy = energy + stored_energy(model, ConstraintId(c));
  return energy;
}

Term generalized_momentum(const Model& model, CoordinateId coordinate) {
  TermPool& pool = *model.terms;
  Term L = kinetic_energy(model);
  for (const Load& load : model.loads) {
    if (const auto* lagrangian = std::get_if<LagrangianFunction>(&load.what)) L = L + lagrangian->L;
  }
  return pool.partial(L, pool.coordinate(coordinate, 1));
}

Term momentum(const Model& model, ParticleId particle) {
  const Particle& p = model.particle(particle);
  return p.mass * model.terms->velocity(p.point, Model::newtonian());
}

Term angular_momentum(const Model& model, ParticleId particle, PointId about) {
  const Particle& p = model.particle(particle);
  return p.mass *
         model.terms->cross(model.terms->position(p.point, about), model.terms->velocity(p.point, Model::newtonian()));
}

Term times_inertia(const Model& model, BodyId id, Term vector) {
  TermPool& pool = *model.terms;
  const Body& body = model.body(id);
  const Inertia& I = body.inertia;
  const Term rows[3][3] = {{I.xx, I.xy, I.zx}, {I.xy, I.yy, I.yz}, {I.zx, I.yz, I.zz}};
  Term sum = pool.zero_vector();
  for (int i = 0; i < 3; ++i) {
    Term along = pool.number(0.0);
    for (int k = 0; k < 3; ++k) {
      if (!rows[i][k].is_zero()) along = along + rows[i][k] * pool.dot(vector, pool.basis_vector(body.frame, k));
    }
    sum = sum + along * pool.basis_vector(body.frame, i);
  }
  return sum;
}

Term momentum(const Model& model, BodyId id) {
  const Body& body = model.body(id);
  return body.mass * model.terms->velocity(body.center, Model::newtonian());
}

Term angular_momentum(const Model& model, BodyId id, PointId about) {
  TermPool& pool = *model.terms;
  const Body& body = model.body(id);
  return times_inertia(model, id, pool.angular_velocity(body.frame, Model::newtonian())) +
         body.mass * pool.cross(pool.position(body.center, about), pool.velocity(body.center, Model::newtonian()));
}

}  // namespace vinculum::model

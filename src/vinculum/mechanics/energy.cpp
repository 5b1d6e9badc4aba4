#include <variant>

#include "vinculum/mechanics/inspection.hpp"
#include "vinculum/mechanics/kinematic_tree.hpp"

namespace vinculum::mechanics {

Term kinetic_energy(const Model& model) {
  TermPool& pool = *model.terms;
  Term energy = pool.number(0.0);
  for (const Particle& particle : model.particles) {
    const Term v = pool.velocity(particle.point, Model::newtonian());
    energy = energy + particle.mass * pool.dot(v, v) / 2.0;
  }
  return energy;
}

Term potential_energy(const Model& model) {
  TermPool& pool = *model.terms;
  KinematicTree tree(model);
  Term energy = pool.number(0.0);
  const auto is_constant = [&tree](Term term) { return !tree.of_term(term).on_coordinates; };
  for (const Load& load : model.loads) {
    if (const auto* gravity = std::get_if<Gravity>(&load.what)) {
      if (!is_constant(gravity->acceleration)) continue;
      for (const Particle& particle : model.particles) {
        const Term r = pool.position(particle.point, tree.origin_of(particle.point));
        energy = energy - particle.mass * pool.dot(gravity->acceleration, r);
      }
    } else if (const auto* spring = std::get_if<SpringBetween>(&load.what)) {
      if (!is_constant(spring->stiffness) || !is_constant(spring->length)) continue;
      const Term stretch = pool.norm(pool.position(spring->first, spring->second)) - spring->length;
      energy = energy + spring->stiffness * pool.function(expr::Op::kPower, stretch, pool.number(2.0)) / 2.0;
    } else if (const auto* potential = std::get_if<PotentialEnergy>(&load.what)) {
      energy = energy + potential->energy;
    }
  }
  return energy;
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

}  // namespace vinculum::mechanics

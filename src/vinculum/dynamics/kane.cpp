#include "vinculum/dynamics/kane.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <variant>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::dynamics {
namespace {

using expr::Expr;
using mechanics::PointId;
using mechanics::Term;

/// A partial velocity that is not zero. A point moves with few of the speeds.
struct Partial {
  std::size_t speed;
  ExprVector velocity;
};
std::vector<Partial> nonzero_partials(System& system, PointId point) {
  std::vector<Partial> partials;
  const auto all = partial_velocities(system, point);
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (!all[r][0].is_zero() || !all[r][1].is_zero() || !all[r][2].is_zero()) partials.push_back({r, all[r]});
  }
  return partials;
}

/// to_r += Σ v_r·F for a force at a point.
void add_generalized(System& system, PointId point, const ExprVector& force, std::vector<Expr>& to) {
  for (const Partial& partial : nonzero_partials(system, point)) to[partial.speed] += dot(partial.velocity, force);
}

/// to += Gᵀ D for a generalized force with power D q_i'.
void add_along_coordinate(const System& system, std::size_t coordinate, Expr force, std::vector<Expr>& to) {
  for (std::size_t r = 0; r < system.u.size(); ++r) to[r] += system.G[coordinate][r] * force;
}

void add_force(std::vector<AppliedForce>& forces, const mechanics::ForceOn& stated) {
  forces.push_back({stated.point, stated.force});
  if (stated.from) forces.push_back({*stated.from, -stated.force});
}

/// Resultants, so that a point's partial velocities are dotted once.
std::map<PointId, ExprVector> resultants(System& system, const std::vector<AppliedForce>& forces) {
  std::map<PointId, ExprVector> all;
  for (const AppliedForce& applied : forces) {
    const ExprVector force = system.lowering->vector(applied.force);
    const auto [it, is_new] = all.try_emplace(applied.point, force);
    if (!is_new) it->second = add(it->second, force);
  }
  return all;
}

/// C of the `nonideal` clauses of some constraints.
std::vector<Expr> nonideal_part(System& system, std::span<const mechanics::Constraint> constraints) {
  std::vector<Expr> C(system.u.size(), system.graph->constant(0.0));
  std::vector<AppliedForce> forces;
  for (const mechanics::Constraint& constraint : constraints) {
    for (const mechanics::Nonideal& nonideal : constraint.nonideal) {
      if (const auto* stated = std::get_if<mechanics::ForceOn>(&nonideal.what)) {
        add_force(forces, *stated);
      } else if (const auto* generalized = std::get_if<mechanics::GeneralizedForceOn>(&nonideal.what)) {
        add_along_coordinate(system, generalized->coordinate.index(), system.lowering->scalar(generalized->force), C);
      }
    }
  }
  for (const auto& [point, force] : resultants(system, forces)) add_generalized(system, point, force, C);
  return C;
}

}  // namespace

std::vector<AppliedForce> applied_forces(const mechanics::Model& model) {
  mechanics::TermPool& pool = *model.terms;
  std::vector<AppliedForce> forces;
  for (const mechanics::Load& load : model.loads) {
    if (const auto* stated = std::get_if<mechanics::ForceOn>(&load.what)) {
      add_force(forces, *stated);
    } else if (const auto* gravity = std::get_if<mechanics::Gravity>(&load.what)) {
      for (const mechanics::Particle& particle : model.particles) {
        forces.push_back({particle.point, particle.mass * gravity->acceleration});
      }
    } else if (const auto* spring = std::get_if<mechanics::SpringBetween>(&load.what)) {
      const Term r = pool.position(spring->first, spring->second);
      const Term v = pool.velocity(spring->first, mechanics::Model::newtonian()) -
                     pool.velocity(spring->second, mechanics::Model::newtonian());
      Term tension = spring->stiffness * (pool.norm(r) - spring->length);
      if (spring->damping.is_valid()) tension = tension + spring->damping * pool.dot(v, pool.unit(r));
      add_force(forces, {spring->first, -(tension * pool.unit(r)), spring->second});
    }
  }
  return forces;
}

void write_mass_and_force(System& system) {
  const mechanics::Model& model = *system.model;
  const auto nu = system.u.size();
  const Expr zero = system.graph->constant(0.0);
  system.M.assign(nu * nu, zero);
  system.f.assign(nu, zero);

  for (const auto& [point, force] : resultants(system, applied_forces(model))) {
    add_generalized(system, point, force, system.f);
  }

  // a_t of all particles: the accelerations with u' = 0, in one substitution.
  std::vector<Expr> accelerations;
  for (const mechanics::Particle& particle : model.particles) {
    const ExprVector& a = system.lowering->acceleration(particle.point);
    accelerations.insert(accelerations.end(), a.begin(), a.end());
  }
  const std::vector<Expr> zeros(nu, zero);
  accelerations = expr::substitute(accelerations, system.u_dot, zeros);

  for (std::size_t i = 0; i < model.particles.size(); ++i) {
    const Expr mass = system.lowering->scalar(model.particles[i].mass);
    const std::vector<Partial> partials = nonzero_partials(system, model.particles[i].point);
    const ExprVector a_t{accelerations[3 * i], accelerations[3 * i + 1], accelerations[3 * i + 2]};
    for (std::size_t k = 0; k < partials.size(); ++k) {
      const auto& [r, v_r] = partials[k];
      system.f[r] -= mass * dot(v_r, a_t);
      for (std::size_t j = 0; j <= k; ++j) {
        system.M[r * nu + partials[j].speed] += mass * dot(v_r, partials[j].velocity);
      }
    }
  }
  for (std::size_t r = 0; r < nu; ++r) {
    for (std::size_t s = 0; s < r; ++s) system.M[s * nu + r] = system.M[r * nu + s];
  }

  for (const mechanics::Load& load : model.loads) {
    if (const auto* generalized = std::get_if<mechanics::GeneralizedForceOn>(&load.what)) {
      add_along_coordinate(system, generalized->coordinate.index(), system.lowering->scalar(generalized->force),
                           system.f);
    } else if (const auto* potential = std::get_if<mechanics::PotentialEnergy>(&load.what)) {
      const std::vector<Expr> slope = expr::gradient(system.lowering->scalar(potential->energy), system.q);
      for (std::size_t i = 0; i < slope.size(); ++i) {
        if (!slope[i].is_zero()) add_along_coordinate(system, i, -slope[i], system.f);
      }
    }
  }
}

void write_nonideal(System& system) {
  system.C = nonideal_part(system, system.model->constraints);
  system.has_nonideal = std::ranges::any_of(system.model->constraints, [](const mechanics::Constraint& one) { return !one.nonideal.empty(); });
}

std::vector<std::vector<Expr>> generalized_forces(System& system) {
  std::vector<std::vector<Expr>> all;
  for (const mechanics::Constraint& constraint : system.model->constraints) all.push_back(nonideal_part(system, {&constraint, 1}));
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    std::vector<Expr>& force = all[system.rows[i].constraint.index()];
    for (std::size_t r = 0; r < force.size(); ++r) force[r] += system.rows[i].A[r] * system.lambda[i];
  }
  return all;
}

}  // namespace vinculum::dynamics

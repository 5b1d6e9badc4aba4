#include "vinculum/equations/kane.hpp"

#include <algorithm>
#include <span>
#include <variant>

#include "vinculum/equations/composite_inertia.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/inspect/load_power.hpp"

namespace vinculum::equations {
namespace {

// Largest number of speeds for which M is written when the System is derived. With more speeds, writing M takes longer
// than writing all other equations, and the motion of a tree of masses does not need M.
constexpr std::size_t kMostSpeedsAtOnce = 128;

using expr::Expr;
using model::FrameId;
using model::Model;
using model::PointId;
using model::Term;

/// to += Gᵀ D for a generalized force D on a coordinate q_i, whose power is D q_i'.
void add_along_coordinate(const System& system, std::size_t coordinate, Expr force, std::vector<Expr>& to) {
  for (const auto& [r, G] : system.G[coordinate]) to[r] += G * force;
}

void add_to(std::vector<Expr>& sum, const std::vector<Expr>& more) {
  for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += more[r];
}

/// C from the `nonideal` clauses of the given constraints.
std::vector<Expr> nonideal_part(System& system, ChainMotion& motion, std::span<const model::Constraint> constraints) {
  std::vector<Expr> C(system.u.size(), system.graph->constant(0.0));
  Wrenches wrenches(motion);
  for (const model::Constraint& constraint : constraints) {
    for (const model::Nonideal& nonideal : constraint.nonideal) {
      if (const auto* force = std::get_if<model::ForceOn>(&nonideal.what)) {
        wrenches.add(*force);
      } else if (const auto* torque = std::get_if<model::TorqueOn>(&nonideal.what)) {
        wrenches.add(*torque);
      } else if (const auto* generalized = std::get_if<model::GeneralizedForceOn>(&nonideal.what)) {
        add_along_coordinate(system, generalized->coordinate.index(), system.lowering->scalar(generalized->force), C);
      }
    }
  }
  add_to(C, wrenches.generalized(system));
  return C;
}

ExprVector times_inertia(Lowering& lowering, const model::Inertia& I, const ExprVector& a) {
  const Expr xy = lowering.scalar(I.xy), yz = lowering.scalar(I.yz), zx = lowering.scalar(I.zx);
  return {lowering.scalar(I.xx) * a[0] + xy * a[1] + zx * a[2], xy * a[0] + lowering.scalar(I.yy) * a[1] + yz * a[2],
          zx * a[0] + yz * a[1] + lowering.scalar(I.zz) * a[2]};
}

/// ω × I·ω. Differences of the moments of inertia are formed first. This avoids cancellation if moments are nearly
/// equal.
ExprVector inertia_torque(Lowering& lowering, const model::Inertia& inertia, const ExprVector& w) {
  const ExprVector d{lowering.scalar(inertia.xx), lowering.scalar(inertia.yy), lowering.scalar(inertia.zz)};
  const ExprVector o{lowering.scalar(inertia.yz), lowering.scalar(inertia.zx), lowering.scalar(inertia.xy)};
  ExprVector result;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    result[i] = (d[k] - d[j]) * (w[j] * w[k]) + o[i] * (w[j] * w[j] - w[k] * w[k]) + o[j] * (w[i] * w[j]) -
                o[k] * (w[i] * w[k]);
  }
  return result;
}

/// Adds the inertia forces −m a and −(I·α + ω×I·ω) of all masses. Terms with u' are included if `with_u_dot`.
void add_inertia(const System& system, ChainMotion& motion, Wrenches& wrenches, bool with_u_dot) {
  const Model& model = *system.model;
  Lowering& lowering = motion.lowering();
  std::vector<Expr> parts;
  const auto keep = [&parts](const ExprVector& v) { parts.insert(parts.end(), v.begin(), v.end()); };
  for (const model::Particle& particle : model.particles) {
    keep(scale(-lowering.scalar(particle.mass), motion.acceleration(particle.point)));
  }
  for (const model::Body& body : model.bodies) {
    keep(scale(-lowering.scalar(body.mass), motion.acceleration(body.center)));
    const FrameId axes = motion.axes(body.frame);
    const ExprVector alpha = lowering.angular_acceleration(body.frame, Model::newtonian(), axes),
                     omega = lowering.angular_velocity(body.frame, Model::newtonian(), axes);
    keep(negate(add(times_inertia(lowering, body.inertia, alpha), inertia_torque(lowering, body.inertia, omega))));
  }
  if (!with_u_dot) {
    parts = expr::substitute(parts, system.u_dot, std::vector<Expr>(system.u.size(), system.graph->constant(0.0)));
  }
  std::size_t next = 0;
  const auto take = [&] { return next += 3, ExprVector{parts[next - 3], parts[next - 2], parts[next - 1]}; };
  for (const model::Particle& particle : model.particles) wrenches.add_force(particle.point, take());
  for (const model::Body& body : model.bodies) {
    wrenches.add_force(body.center, take());
    wrenches.add_torque(body.frame, take());
  }
}

/// M = −∂(generalized inertia forces)/∂u'.
std::vector<Expr> mass_matrix_by_derivatives(System& system, ChainMotion& motion) {
  const std::size_t nu = system.u.size();
  Wrenches wrenches(motion);
  add_inertia(system, motion, wrenches, true);
  std::vector<Expr> M(nu * nu, system.graph->constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(wrenches.generalized(system), system.u_dot)) {
    if (entry.column > entry.row) continue;
    const auto r = static_cast<std::size_t>(entry.row), s = static_cast<std::size_t>(entry.column);
    M[r * nu + s] = M[s * nu + r] = -entry.value;
  }
  return M;
}

std::vector<Expr> mass_matrix(System& system, ChainMotion& motion) {
  auto M = composite_mass_matrix(system, motion);
  return M ? std::move(*M) : mass_matrix_by_derivatives(system, motion);
}

}  // namespace

void Wrenches::add_force(PointId point, const ExprVector& force) {
  const auto [it, is_new] = forces_.try_emplace(point, force);
  if (!is_new) it->second = equations::add(it->second, force);
}

void Wrenches::add_torque(FrameId frame, const ExprVector& torque) {
  if (frame == Model::newtonian()) return;
  const auto [it, is_new] = torques_.try_emplace(frame, torque);
  if (!is_new) it->second = equations::add(it->second, torque);
}

void Wrenches::add(const model::ForceOn& stated) {
  Lowering& lowering = motion_.lowering();
  const FrameId home = motion_.home(stated.point);
  const ExprVector force = lowering.vector(stated.force, home);
  add_force(stated.point, force);
  if (stated.from) add_force(*stated.from, negate(lowering.express(force, home, motion_.home(*stated.from))));
}

void Wrenches::add(const model::TorqueOn& stated) {
  Lowering& lowering = motion_.lowering();
  const FrameId axes = motion_.axes(stated.body);
  const ExprVector torque = lowering.vector(stated.torque, axes);
  add_torque(stated.body, torque);
  if (stated.from) add_torque(*stated.from, negate(lowering.express(torque, axes, motion_.axes(*stated.from))));
}

std::vector<Expr> Wrenches::generalized(const System& system) {
  expr::Graph& graph = *system.graph;
  std::vector<Expr> held, values;
  Expr power = graph.constant(0.0);
  const auto add_power = [&](const ExprVector& velocity, const ExprVector& wrench) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (wrench[i].is_zero() || velocity[i].is_zero()) continue;
      const Expr symbol = graph.symbol("wrench " + std::to_string(held.size()));
      held.push_back(symbol);
      values.push_back(wrench[i]);
      power += velocity[i] * symbol;
    }
  };
  for (const auto& [point, force] : forces_) {
    if (!is_zero(force)) add_power(motion_.velocity(point), force);
  }
  for (const auto& [frame, torque] : torques_) {
    if (!is_zero(torque)) {
      add_power(motion_.lowering().angular_velocity(frame, Model::newtonian(), motion_.axes(frame)), torque);
    }
  }
  if (held.empty()) return std::vector<Expr>(system.u.size(), graph.constant(0.0));
  return expr::substitute(expr::gradient(power, system.u), held, values);
}

ExprVector uniform_gravity(const System& system, Lowering& lowering) {
  ExprVector g = zero_vector(*system.graph);
  for (const model::Load& load : system.model->loads) {
    if (const auto* gravity = std::get_if<model::Gravity>(&load.what);
        gravity != nullptr && !lowering.tree().of_term(gravity->acceleration).on_coordinates) {
      g = add(g, lowering.vector(gravity->acceleration));
    }
  }
  return g;
}

void add_loads(const System& system, ChainMotion& motion, Wrenches& wrenches) {
  const Model& model = *system.model;
  Lowering& lowering = motion.lowering();
  for (const model::Load& load : model.loads) {
    if (const auto* force = std::get_if<model::ForceOn>(&load.what)) {
      wrenches.add(*force);
    } else if (const auto* torque = std::get_if<model::TorqueOn>(&load.what)) {
      wrenches.add(*torque);
    } else if (const auto* spring = std::get_if<model::SpringBetween>(&load.what)) {
      wrenches.add(model::force_of(model, *spring));
    } else if (const auto* gravity = std::get_if<model::Gravity>(&load.what);
               gravity != nullptr && lowering.tree().of_term(gravity->acceleration).on_coordinates) {
      for (const model::Particle& particle : model.particles) {
        wrenches.add(model::ForceOn{particle.point, particle.mass * gravity->acceleration, {}});
      }
      for (const model::Body& body : model.bodies) {
        wrenches.add(model::ForceOn{body.center, body.mass * gravity->acceleration, {}});
      }
    }
  }
}

void add_coordinate_loads(const System& system, std::vector<Expr>& f) {
  for (const model::Load& load : system.model->loads) {
    if (const auto* generalized = std::get_if<model::GeneralizedForceOn>(&load.what)) {
      add_along_coordinate(system, generalized->coordinate.index(), system.lowering->scalar(generalized->force), f);
    } else if (const auto* potential = std::get_if<model::PotentialEnergy>(&load.what)) {
      const std::vector<Expr> slope = expr::gradient(system.lowering->scalar(potential->energy), system.q);
      for (std::size_t i = 0; i < slope.size(); ++i) {
        if (!slope[i].is_zero()) add_along_coordinate(system, i, -slope[i], f);
      }
    }
  }
}

void write_mass_and_force(System& system, ChainMotion& motion) {
  Wrenches wrenches(motion);
  motion.fall_freely(uniform_gravity(system, motion.lowering()));
  add_loads(system, motion, wrenches);
  add_inertia(system, motion, wrenches, false);
  system.f = wrenches.generalized(system);
  add_coordinate_loads(system, system.f);
  if (system.u.size() <= kMostSpeedsAtOnce) {
    system.M = mass_matrix(system, motion);
    return;
  }
  System
      kinematics;  // only the members from which M is formed, because a copy of the whole System would contain itself
  kinematics.model = system.model;
  kinematics.graph = system.graph;
  kinematics.lowering = system.lowering;
  kinematics.t = system.t;
  kinematics.q = system.q;
  kinematics.u = system.u;
  kinematics.u_dot = system.u_dot;
  system.M = Deferred([kinematics = std::move(kinematics)]() mutable {
    ChainMotion own(*kinematics.lowering);
    return mass_matrix(kinematics, own);
  });
}

void write_nonideal(System& system, ChainMotion& motion) {
  system.C = nonideal_part(system, motion, system.model->constraints);
  system.has_nonideal = std::ranges::any_of(system.model->constraints,
                                            [](const model::Constraint& one) { return !one.nonideal.empty(); });
  system.has_implicit_nonideal = std::ranges::any_of(system.C, [&system](Expr C) {
    return expr::depends_on(C, system.lambda) || expr::depends_on(C, system.lambda_ideal) ||
           expr::depends_on(C, system.slide_direction);
  });
}

void write_directed(System& system, ChainMotion& motion) {
  int first_row = 0, first_effort = 0;
  for (std::size_t c = 0; c < system.model->constraints.size(); ++c) {
    const model::Constraint& constraint = system.model->constraints[c];
    const int rows = static_cast<int>(constraint.rows.size());
    if (const auto actuators = constraint.law->actuators(); !actuators.empty()) {
      DirectedReaction reaction;
      reaction.constraint = model::ConstraintId(c);
      reaction.first_row = first_row;
      reaction.row_count = rows;
      reaction.first_effort = first_effort;
      for (const model::Actuator& actuator : actuators) {
        Wrenches wrenches(motion);
        for (const auto& force : actuator.forces) wrenches.add(force);
        for (const auto& torque : actuator.torques) wrenches.add(torque);
        std::vector<Expr> gamma = wrenches.generalized(system);
        for (const auto& generalized : actuator.generalized) {
          add_along_coordinate(system, generalized.coordinate.index(), system.lowering->scalar(generalized.force),
                               gamma);
        }
        reaction.Gamma.push_back(std::move(gamma));
        reaction.scale.push_back(actuator.scale);
        ++first_effort;
      }
      system.directed.push_back(std::move(reaction));
    }
    if (model::has_rows(constraint)) first_row += rows;
  }
}

std::vector<std::vector<Expr>> generalized_forces(System& system, ChainMotion& motion) {
  std::vector<std::vector<Expr>> all;
  std::vector<bool> is_directed(system.model->constraints.size(), false);
  for (const model::Constraint& constraint : system.model->constraints)
    all.push_back(nonideal_part(system, motion, {&constraint, 1}));
  for (const DirectedReaction& reaction : system.directed) {
    is_directed[reaction.constraint.index()] = true;
    std::vector<Expr>& force = all[reaction.constraint.index()];
    for (std::size_t k = 0; k < reaction.Gamma.size(); ++k) {
      const Expr effort = system.effort[static_cast<std::size_t>(reaction.first_effort) + k];
      for (std::size_t r = 0; r < force.size(); ++r) force[r] += reaction.Gamma[k][r] * effort;
    }
  }
  const std::size_t nu = system.u.size();
  for (const LawChange& change : system.changes) {
    std::vector<Expr>& force = all[change.constraint.index()];
    add_to(force, change.f);
    for (std::size_t k = 0; k < change.M.size(); ++k) force[k / nu] -= change.M[k] * system.u_dot[k % nu];
  }
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const std::size_t c = system.rows[i].constraint.index();
    if (is_directed[c]) continue;
    for (const auto& [r, A] : system.rows[i].A) all[c][r] += A * system.lambda[i];
  }
  return all;
}

std::vector<std::vector<Expr>> ideal_forces(const System& system) {
  const std::vector<Expr> nothing(system.u.size(), system.graph->constant(0.0));
  std::vector<std::vector<Expr>> all(system.model->constraints.size(), nothing);
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    std::vector<Expr>& force = all[system.rows[i].constraint.index()];
    for (const auto& [r, A] : system.rows[i].A) force[r] += A * system.lambda_ideal[i];
  }
  return all;
}

std::vector<std::vector<Expr>> departures(const System& system) {
  std::vector<std::vector<Expr>> all(system.model->constraints.size());
  if (system.vectors.empty()) return all;
  for (const Row& row : system.rows) {
    Expr missed = row.b;
    for (const auto& [r, A] : row.A) missed -= A * system.vectors[r];
    all[row.constraint.index()].push_back(missed);
  }
  return all;
}

}  // namespace vinculum::equations

#include "vinculum/verify/audit/forces.hpp"

#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/model/inspect/variation.hpp"

namespace vinculum::audit {
namespace {

using model::ConstraintId;
using model::FrameId;
using model::Model;
using model::PointId;
using model::Term;

}  // namespace

Forces::Forces(Evidence& e)
    : generalized(RoundedVector::Constant(e.sample.u.size(), Rounded())),
      generalized_size(Vector::Zero(e.sample.u.size())),
      conservative(generalized) {
  for (const model::Load& load : e.model.loads) add_load(e, load);
  for (std::size_t c = 0; c < e.model.constraints.size(); ++c) add_constraint(e, ConstraintId(c));
}

RoundedVector Forces::along_speeds(Evidence& e, const Action& action) {
  if (action.point) return e.partial_velocities(*action.point).transpose() * action.value;
  return e.partial_angular_velocities(action.frame).transpose() * action.value;
}

void Forces::force(Evidence&, PointId point, const Vector3& F, bool is_conservative) {
  actions.push_back({point, {}, F, is_conservative});
}

void Forces::torque(FrameId frame, const Vector3& T) {
  if (frame != Model::newtonian()) actions.push_back({std::nullopt, frame, T});
}

void Forces::stated(Evidence& e, const model::ForceOn& stated, Rounded factor) {
  const Vector3 F = factor * e.value(stated.force);
  force(e, stated.point, F);
  if (stated.from) force(e, *stated.from, -F);
}

void Forces::stated(Evidence& e, const model::TorqueOn& stated, Rounded factor) {
  const Vector3 T = factor * e.value(stated.torque);
  torque(stated.body, T);
  if (stated.from) torque(*stated.from, -T);
}

void Forces::along_coordinate(Evidence& e, const model::GeneralizedForceOn& stated, Rounded factor) {
  const Rounded D = factor * e.scalar(stated.force);
  generalize(e.at.G.row(static_cast<Eigen::Index>(stated.coordinate.index())).transpose() * D);
}

void Forces::generalize(const RoundedVector& Q, bool is_conservative) {
  has_coordinates = true;
  generalized += Q;
  generalized_size += values_of(Q).cwiseAbs();
  if (is_conservative) conservative += Q;
}

void Forces::add_load(Evidence& e, const model::Load& load) {
  model::TermPool& pool = *e.model.terms;
  model::KinematicTree tree(e.model);
  const auto is_free_of_coordinates = [&tree](Term term) { return !tree.of_term(term).on_coordinates; };
  if (const auto* gravity = std::get_if<model::Gravity>(&load.what)) {
    const bool is_conservative = is_free_of_coordinates(gravity->acceleration);
    const auto pull = [&](PointId point, Term mass) {
      const Rounded m = e.scalar(mass);
      force(e, point, m * e.value(gravity->acceleration), is_conservative);
      if (is_conservative) {
        const Vector3 place = e.value(pool.position(point, tree.origin_of(point)));
        explicit_power -= m * e.rate_of(gravity->acceleration).dot(place);
      }
    };
    for (const model::Particle& particle : e.model.particles) pull(particle.point, particle.mass);
    for (const model::Body& body : e.model.bodies) pull(body.center, body.mass);
  } else if (const auto* one = std::get_if<model::ForceOn>(&load.what)) {
    stated(e, *one);
  } else if (const auto* couple = std::get_if<model::TorqueOn>(&load.what)) {
    stated(e, *couple);
  } else if (const auto* spring = std::get_if<model::SpringBetween>(&load.what)) {
    const Term r = pool.position(spring->first, spring->second);
    const Rounded k = e.scalar(spring->stiffness), k_rate = e.rate(spring->stiffness);
    // If the natural length l is 0, F = −k r, because the ends of the spring may coincide. Otherwise F = −k (|r| − l)
    // r/|r|.
    Vector3 pull = k * e.value(r);
    Rounded of_time = 0.5 * k_rate * e.value(r).dot(e.value(r));
    if (!spring->length.is_zero()) {
      const Rounded stretch = e.scalar(pool.norm(r)) - e.scalar(spring->length);
      pull = k * stretch * e.value(pool.unit(r));
      of_time = 0.5 * k_rate * stretch * stretch - k * stretch * e.rate(spring->length);
    }
    const bool is_conservative = is_free_of_coordinates(spring->stiffness) && is_free_of_coordinates(spring->length);
    force(e, spring->first, -pull, is_conservative);
    force(e, spring->second, pull, is_conservative);
    if (is_conservative) explicit_power += of_time;
    if (spring->damping.is_valid()) {
      // Relative velocity of the two material points.
      const Vector3 v = e.value(pool.velocity(spring->first, Model::newtonian())) -
                        e.value(pool.velocity(spring->second, Model::newtonian()));
      const Vector3 direction = e.value(pool.unit(r));
      const Rounded drag = e.scalar(spring->damping) * v.dot(direction);
      force(e, spring->first, -drag * direction);
      force(e, spring->second, drag * direction);
    }
  } else if (const auto* potential = std::get_if<model::PotentialEnergy>(&load.what)) {
    const Rounded still = e.rest().series(potential->energy).derivative(1);
    RoundedVector Q(e.sample.u.size());
    for (std::size_t r = 0; r < e.model.speeds.size(); ++r) {
      nth(Q, r) = -e.unit(r).series(potential->energy).derivative(1);
    }
    generalize(Q, true);
    explicit_power += still;
  } else if (const auto* generalized_force = std::get_if<model::GeneralizedForceOn>(&load.what)) {
    along_coordinate(e, *generalized_force);
  } else if (const auto* lagrangian = std::get_if<model::LagrangianFunction>(&load.what)) {
    add_lagrangian(e, lagrangian->L);
  }
}

void Forces::add_lagrangian(Evidence& e, Term L) {
  model::TermPool& pool = *e.model.terms;
  RoundedVector force(e.sample.q.size());
  for (std::size_t i = 0; i < e.model.coordinates.size(); ++i) {
    const model::CoordinateId q(i);
    const Rounded momentum_rate = e.rate(pool.partial(L, pool.coordinate(q, 1)));
    nth(force, i) = e.scalar(pool.partial(L, pool.coordinate(q, 0))) - momentum_rate;
    generalized_size +=
        values_of(e.at.G.row(static_cast<Eigen::Index>(i))).cwiseAbs().transpose() * std::abs(momentum_rate.value);
  }
  generalize(e.at.G.transpose() * force, true);
  explicit_power -= e.scalar(pool.partial(L, pool.time()));
}

void Forces::add_constraint(Evidence& e, ConstraintId id) {
  const model::Constraint& constraint = e.model.constraint(id);
  if (const auto actuators = constraint.law->actuators(); !actuators.empty()) {
    std::size_t first = 0;
    for (std::size_t c = 0; c < id.index(); ++c) first += e.model.constraints[c].law->actuators().size();
    for (std::size_t k = 0; k < actuators.size(); ++k) {
      const Rounded effort = nth(e.at.effort, first + k);
      for (const auto& one : actuators[k].forces) stated(e, one, effort);
      for (const auto& one : actuators[k].torques) stated(e, one, effort);
      for (const auto& one : actuators[k].generalized) along_coordinate(e, one, effort);
    }
  } else if (constraint.law->is_ideal()) {
    for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
      const Rounded lambda = nth(e.at.lambda, e.first_row(id) + row);
      // The direction of a row that does not act may be undefined, as for a rope whose ends meet.
      if (lambda.value == 0.0 && !e.acts(e.first_row(id) + row)) continue;
      const model::RowInspection inspection = model::inspect_row(e.model, id, row);
      if (inspection.has_bare_part) {
        const auto in_system = static_cast<Eigen::Index>(e.first_row(id) + row);
        const RoundedVector gradient = e.row_gradient(id, row);
        generalize(lambda * (values_of(gradient).allFinite() ? gradient : RoundedVector(e.at.A.row(in_system))));
        continue;
      }
      for (const auto& reaction : inspection.forces) force(e, reaction.point, lambda * e.value(reaction.W));
      for (const auto& reaction : inspection.torques) torque(reaction.body, lambda * e.value(reaction.tau));
    }
  } else if (model::is_higher_order(constraint)) {
    generalize(reaction_of_higher_order(e, id));
  } else if (model::acts_on_coordinates(e.model, id)) {
    generalize(reaction_of_law(e, id));
  } else {
    for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
      const LawFactors factors = law_factors(e, id, row);
      const auto exert = [&](const model::RowInspection& inspection, Rounded factor) {
        for (const auto& reaction : inspection.forces) force(e, reaction.point, factor * e.value(reaction.W));
        for (const auto& reaction : inspection.torques) torque(reaction.body, factor * e.value(reaction.tau));
      };
      exert(model::inspect_row(e.model, id, row), factors.lambda);
      exert(model::react(e.model, id, row).varied, factors.mu);
    }
    for (const model::VariedState& state : constraint.law->varied_states(e.model, id)) {
      const auto exert = [&](const model::RowInspection& inspection, Rounded factor) {
        for (const auto& reaction : inspection.forces) force(e, reaction.point, factor * e.value(reaction.W));
        for (const auto& reaction : inspection.torques) torque(reaction.body, factor * e.value(reaction.tau));
      };
      exert(model::inspect_rate(e.model, state.rate), e.scalar(state.lambda));
      exert(model::vary_row(e.model, state.rate), e.scalar(state.mu));
    }
  }
  for (const model::Nonideal& clause : constraint.nonideal) {
    if (const auto* one = std::get_if<model::ForceOn>(&clause.what)) stated(e, *one);
    if (const auto* one = std::get_if<model::TorqueOn>(&clause.what)) stated(e, *one);
    if (const auto* one = std::get_if<model::GeneralizedForceOn>(&clause.what)) along_coordinate(e, *one);
  }
}

Vector lengths_of(const RoundedMatrix& columns) { return values_of(columns).colwise().norm().transpose(); }

std::vector<Action> inertia(Evidence& e) {
  model::TermPool& pool = *e.model.terms;
  std::vector<Action> all;
  const auto of_mass = [&](PointId point, model::Term mass) {
    all.push_back({point, {}, -e.scalar(mass) * e.value(pool.acceleration(point, Model::newtonian()))});
  };
  for (const model::Particle& particle : e.model.particles) of_mass(particle.point, particle.mass);
  for (std::size_t b = 0; b < e.model.bodies.size(); ++b) {
    const model::Body& body = e.model.bodies[b];
    const model::BodyId id(b);
    of_mass(body.center, body.mass);
    const Term omega = pool.angular_velocity(body.frame, Model::newtonian());
    const Term H = model::times_inertia(e.model, id, omega);
    const Term alpha = pool.angular_acceleration(body.frame, Model::newtonian());
    const double size =
        size_of(e.value(model::times_inertia(e.model, id, alpha))) + size_of(e.value(H)) * size_of(e.value(omega));
    all.push_back({std::nullopt, body.frame, -e.rate_of(H), false, size});
  }
  return all;
}

}  // namespace vinculum::audit

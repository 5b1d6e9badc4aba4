// Computes the forces and torques of a whole constraint. They come from the multipliers and the reaction law of its
// rows, or from the efforts of its actuators. Forces and torques of `nonideal` clauses are added in both cases.
#include <algorithm>
#include <variant>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/variation.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

Term at_point(const ForceOn& force, PointId point) {
  Term sum = force.force.pool().zero_vector();
  if (force.point == point) sum = sum + force.force;
  if (force.from == point) sum = sum - force.force;
  return sum;
}
Term on_frame(const TorqueOn& torque, FrameId body) {
  Term sum = torque.torque.pool().zero_vector();
  if (torque.body == body) sum = sum + torque.torque;
  if (torque.from == body) sum = sum - torque.torque;
  return sum;
}

bool has_nonideal_part(const Model& model) {
  return std::ranges::any_of(model.constraints,
                             [](const Constraint& constraint) { return !constraint.nonideal.empty(); });
}

/// Sum of all contributions to a force at a point or a torque on a body.
/// \param stated       contribution of one `nonideal` clause
/// \param of_row       vector that multiplies λ of a row (W or τ), or μ (E)
/// \param of_actuator  vector that multiplies an effort
template <class Stated, class OfRow, class OfActuator>
Term summed(const Model& model, ConstraintId id, Share share, const Stated& stated, const OfRow& of_row,
            const OfActuator& of_actuator) {
  TermPool& pool = *model.terms;
  const Constraint& constraint = model.constraint(id);
  Term sum = pool.zero_vector();
  if (const auto actuators = constraint.law->actuators(); !actuators.empty()) {
    // A reaction of actuators is not split into an ideal and a non-ideal part: the law defines all of it.
    if (share == Share::kNonideal) return sum;
    for (std::size_t k = 0; k < actuators.size(); ++k) {
      sum = sum + pool.effort(id, static_cast<int>(k)) * of_actuator(actuators[k]);
    }
    if (share == Share::kReaction) return sum;
  } else if (is_higher_order(constraint)) {
    if (share == Share::kNonideal) return sum;
    for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
      const std::vector<RowInspection> by_rate = vary_path(model, id, row);
      for (std::size_t k = 0; k < by_rate.size(); ++k) sum = sum + rate_of_mu(model, id, row, k) * of_row(by_rate[k]);
    }
    return sum;
  } else {
    // If no `nonideal` force is stated in the model, λ and λ_ideal are equal, and their difference is 0.
    const bool has_lambda = share != Share::kNonideal || has_nonideal_part(model);
    for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
      const RowReaction reaction = react(model, id, row, share);
      if (has_lambda) sum = sum + reaction.lambda * of_row(inspect_row(model, id, row));
      if (reaction.mu.is_valid()) sum = sum + reaction.mu * of_row(reaction.varied);
    }
    for (const VariedState& state : constraint.law->varied_states(model, id)) {
      if (share == Share::kIdeal) break;
      sum =
          sum + state.lambda * of_row(inspect_rate(model, state.rate)) + state.mu * of_row(vary_row(model, state.rate));
    }
    if (share == Share::kReaction || share == Share::kIdeal) return sum;
  }
  for (const Nonideal& nonideal : constraint.nonideal) sum = sum + stated(nonideal);
  return sum;
}

/// Whether a vector contains directions or quotients, which are undefined at some states.
bool may_be_undefined(Term vector) {
  return std::ranges::any_of(in_order(vector), [](Term term) {
    const bool is_quotient = term.kind() == TermKind::kFunction && term.op() == expr::Op::kDivide;
    return term.kind() == TermKind::kUnit || term.kind() == TermKind::kNorm || is_quotient;
  });
}

/// The force or torque of a unilateral constraint, 0 while its gap is open: then the direction may be undefined, as for
/// a rope whose ends meet.
Term while_closed(const Model& model, ConstraintId id, Term vector) {
  const Constraint& constraint = model.constraint(id);
  if (!constraint.unilateral || !constraint.when.is_valid() || !may_be_undefined(vector)) return vector;
  return model.terms->vector_select(constraint.when, vector, model.terms->zero_vector());
}

Term force_at(const Model& model, ConstraintId id, PointId point, Share share) {
  const Term zero = model.terms->zero_vector();
  if (passes_on(model, id, point)) {
    Term sum = zero;
    for (std::size_t row = 0; row < model.constraint(id).rows.size(); ++row)
      sum = sum + react(model, id, row, share).lambda * passed_on(model, id, row, point);
    return while_closed(model, id, sum);
  }
  const Term force_of_rows = summed(
      model, id, share,
      [&](const Nonideal& nonideal) {
        const auto* force = std::get_if<ForceOn>(&nonideal.what);
        return force ? at_point(*force, point) : zero;
      },
      [&](const RowInspection& row) {
        const auto found = std::ranges::find(row.forces, point, &PointReaction::point);
        return found == row.forces.end() ? zero : found->W;
      },
      [&](const Actuator& actuator) {
        Term sum = zero;
        for (const ForceOn& force : actuator.forces) sum = sum + at_point(force, point);
        return sum;
      });
  return while_closed(model, id, force_of_rows);
}

template <class Id>
void name(std::vector<Id>& all, Id id) {
  if (std::ranges::find(all, id) == all.end()) all.push_back(id);
}

/// Visits the points and solids on which the constraint acts, in the order in which the constraint names them. The
/// second argument of `on_force` tells whether a clause or an actuator names the point.
template <class OnForce, class OnTorque>
void visit(const Model& model, ConstraintId id, const OnForce& on_force, const OnTorque& on_torque) {
  const Constraint& constraint = model.constraint(id);
  const auto actuators = constraint.law->actuators();
  const bool is_named = actuators.empty() || constraint.law->has_named_actuators();
  const auto force = [&](const ForceOn& stated) {
    on_force(stated.point, is_named);
    if (stated.from) on_force(*stated.from, is_named);
  };
  const auto torque = [&](const TorqueOn& stated) {
    on_torque(stated.body);
    if (stated.from) on_torque(*stated.from);
  };
  for (const Actuator& actuator : actuators) {
    std::ranges::for_each(actuator.forces, force);
    std::ranges::for_each(actuator.torques, torque);
  }
  const auto places = [&](const RowInspection& inspection) {
    for (const PointReaction& reaction : inspection.forces) on_force(reaction.point, false);
    for (const BodyReaction& reaction : inspection.torques) on_torque(reaction.body);
  };
  for (std::size_t row = 0; actuators.empty() && row < constraint.rows.size(); ++row) {
    if (is_higher_order(constraint)) {
      std::ranges::for_each(vary_path(model, id, row), places);
      continue;
    }
    places(inspect_row(model, id, row));
    places(react(model, id, row).varied);
  }
  for (const VariedState& state : constraint.law->varied_states(model, id)) {
    places(inspect_rate(model, state.rate));
    places(vary_row(model, state.rate));
  }
  for (const Nonideal& nonideal : constraint.nonideal) {
    if (const auto* stated = std::get_if<ForceOn>(&nonideal.what)) force(*stated);
    if (const auto* stated = std::get_if<TorqueOn>(&nonideal.what)) torque(*stated);
  }
}

/// Points on which the constraint exerts a force and that pass a test. Arguments of the test are the solid of the
/// point, and whether a clause or an actuator names the point.
template <class Test>
std::vector<PointId> points_where(const Model& model, ConstraintId id, const Test& is_wanted) {
  KinematicTree tree(model);
  std::vector<PointId> points;
  visit(
      model, id,
      [&](PointId point, bool is_stated) {
        if (is_wanted(tree.solid_of(point), is_stated)) name(points, point);
      },
      [](FrameId) {});
  return points;
}

/// Points of the solid on which the constraint exerts a force.
std::vector<PointId> points_on(const Model& model, ConstraintId id, FrameId solid) {
  return points_where(model, id, [solid](std::optional<FrameId> of_point, bool) { return of_point == solid; });
}

}  // namespace

std::string effort_text(const Model& model, ConstraintId id, std::size_t actuator) {
  const Actuator& its = model.constraint(id).law->actuators()[actuator];
  const std::string effort = to_text(model, model.terms->effort(id, static_cast<int>(actuator)));
  return its.unit.is_valid() ? effort + "/(" + to_text(model, its.unit) + ")" : effort;
}

bool passes_on(const Model& model, ConstraintId id, PointId point) {
  const Constraint& constraint = model.constraint(id);
  if (model.point(point).particle || KinematicTree(model).solid_of(point) || !names_point(constraint, point) ||
      is_higher_order(constraint) || !constraint.law->actuators().empty() || !constraint.nonideal.empty())
    return false;
  for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
    if (react(model, id, row).mu.is_valid()) return false;
  }
  return true;
}

Term total_force(const Model& model, ConstraintId constraint, PointId point) {
  return force_at(model, constraint, point, Share::kTotal);
}
Term ideal_force(const Model& model, ConstraintId constraint, PointId point) {
  return force_at(model, constraint, point, Share::kIdeal);
}
Term nonideal_force(const Model& model, ConstraintId constraint, PointId point) {
  return force_at(model, constraint, point, Share::kNonideal);
}
Term reaction(const Model& model, ConstraintId constraint, PointId point) {
  return force_at(model, constraint, point, Share::kReaction);
}

Term pushing_reaction(const Model& model, ConstraintId constraint, PointId point) {
  Term W = model.terms->zero_vector();
  if (passes_on(model, constraint, point)) {
    W = passed_on(model, constraint, 0, point);
  } else {
    const RowInspection row = inspect_row(model, constraint, 0);
    const auto found = std::ranges::find(row.forces, point, &PointReaction::point);
    if (found != row.forces.end()) W = found->W;
  }
  return react(model, constraint, 0, Share::kReaction).lambda * model.terms->norm(W);
}

Term torque_on(const Model& model, ConstraintId constraint, FrameId body, Share share) {
  const Term zero = model.terms->zero_vector();
  const Term torque_of_rows = summed(
      model, constraint, share,
      [&](const Nonideal& nonideal) {
        const auto* torque = std::get_if<TorqueOn>(&nonideal.what);
        return torque ? on_frame(*torque, body) : zero;
      },
      [&](const RowInspection& row) {
        const auto found = std::ranges::find(row.torques, body, &BodyReaction::body);
        return found == row.torques.end() ? zero : found->tau;
      },
      [&](const Actuator& actuator) {
        Term sum = zero;
        for (const TorqueOn& torque : actuator.torques) sum = sum + on_frame(torque, body);
        return sum;
      });
  return while_closed(model, constraint, torque_of_rows);
}

std::vector<PointId> points_of(const Model& model, ConstraintId constraint) {
  return points_where(model, constraint, [](std::optional<FrameId> solid, bool is_stated) {
    return is_stated || solid != Model::newtonian();
  });
}

std::vector<PointId> ground_points_of(const Model& model, ConstraintId constraint) {
  return points_where(model, constraint,
                      [](std::optional<FrameId> solid, bool) { return solid == Model::newtonian(); });
}

bool acts_on_ground(const Model& model, ConstraintId constraint) {
  bool acts = !ground_points_of(model, constraint).empty();
  visit(model, constraint, [](PointId, bool) {}, [&](FrameId frame) { acts = acts || frame == Model::newtonian(); });
  return acts;
}

std::vector<FrameId> frames_of_torques(const Model& model, ConstraintId constraint) {
  std::vector<FrameId> frames;
  visit(
      model, constraint, [](PointId, bool) {},
      [&](FrameId frame) {
        if (frame != Model::newtonian()) name(frames, frame);
      });
  return frames;
}

std::vector<FrameId> bodies_of(const Model& model, ConstraintId constraint) {
  KinematicTree tree(model);
  std::vector<FrameId> bodies;
  visit(
      model, constraint,
      [&](PointId point, bool) {
        if (const auto body = tree.carrier_of(point)) name(bodies, model.body(*body).frame);
      },
      [&](FrameId body) {
        if (model.frame(body).body) name(bodies, body);
      });
  return bodies;
}

Term resultant_force(const Model& model, ConstraintId constraint, FrameId body, Share share) {
  Term sum = model.terms->zero_vector();
  for (const PointId point : points_on(model, constraint, body)) sum = sum + force_at(model, constraint, point, share);
  return sum;
}

Term resultant_moment(const Model& model, ConstraintId constraint, FrameId body, PointId about, Share share) {
  TermPool& pool = *model.terms;
  Term sum = pool.zero_vector();
  for (const PointId point : points_on(model, constraint, body)) {
    sum = sum + pool.cross(pool.position(point, about), force_at(model, constraint, point, share));
  }
  return sum + torque_on(model, constraint, body, share);
}

bool acts_on_coordinates(const Model& model, ConstraintId id) {
  const Constraint& constraint = model.constraint(id);
  if (constraint.law->acts_on_coordinates(model)) return true;
  bool acts = std::ranges::any_of(constraint.nonideal, [](const Nonideal& nonideal) {
    return std::holds_alternative<GeneralizedForceOn>(nonideal.what);
  });
  if (const auto actuators = constraint.law->actuators(); !actuators.empty()) {
    return acts ||
           std::ranges::any_of(actuators, [](const Actuator& actuator) { return !actuator.generalized.empty(); });
  }
  if (is_higher_order(constraint)) {
    for (std::size_t row = 0; row < constraint.rows.size(); ++row)
      acts = acts || vary_path(model, id, row)[0].has_bare_part;
    return acts;
  }
  for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
    acts = acts || inspect_row(model, id, row).has_bare_part || react(model, id, row).varied.has_bare_part;
  }
  for (const VariedState& state : constraint.law->varied_states(model, id)) {
    acts = acts || inspect_rate(model, state.rate).has_bare_part || vary_row(model, state.rate).has_bare_part;
  }
  return acts;
}

Term power_of_constraint(const Model& model, ConstraintId constraint) {
  TermPool& pool = *model.terms;
  Term power = pool.number(0.0);
  const bool is_rheonomic = has_rheonomic_kinematics(model);
  if (acts_on_coordinates(model, constraint) || (is_higher_order(model.constraint(constraint)) && !is_rheonomic)) {
    if (is_rheonomic) return {};
    for (std::size_t k = 0; k < model.speeds.size(); ++k) {
      const SpeedId speed(k);
      power = power + pool.generalized_force(constraint, speed) * pool.speed(speed);
    }
    return power;
  }
  for (const PointId point : points_of(model, constraint)) {
    power = power + pool.dot(total_force(model, constraint, point), pool.velocity(point, Model::newtonian()));
  }
  for (const FrameId frame : frames_of_torques(model, constraint)) {
    power = power + pool.dot(torque_on(model, constraint, frame), pool.angular_velocity(frame, Model::newtonian()));
  }
  return power;
}

}  // namespace vinculum::model

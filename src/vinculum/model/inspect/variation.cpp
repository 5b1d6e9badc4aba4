#include "vinculum/model/inspect/variation.hpp"

#include <algorithm>
#include <span>
#include <variant>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/expansion.hpp"
#include "vinculum/model/inspect/adjoints.hpp"
#include "vinculum/model/inspect/hamiltonian.hpp"
#include "vinculum/model/inspect/inspection_memory.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

/// Computes the derivatives of a row ψ by all quantities that a virtual displacement changes, and the time derivatives
/// of the coefficients of velocities.
class Variation {
 public:
  Variation(const Model& model, bool is_frozen)
      : model_(model), pool_(*model.terms), tree_(model), is_frozen_(is_frozen) {}

  RowInspection of(Term row) {
    const Term expanded = in_places_of_matter(model_, row);
    const Adjoints adjoints(expanded);
    for (const Term leaf : leaves_as_read(expanded)) {
      const Term adjoint = adjoints.of(leaf);
      if (!adjoint.is_zero()) read_leaf(leaf, adjoint);
    }
    for (const Term node : in_order(expanded)) {
      const bool is_derivative = node.kind() == TermKind::kPartial || node.kind() == TermKind::kRate;
      if (is_derivative && !adjoints.of(node).is_zero()) result_.has_bare_part = true;
    }
    for (const PointReaction& velocity : by_velocity_.forces)
      act_on(result_, velocity.point, -rate(velocity.W, kNewtonian));
    for (const BodyReaction& turning : by_velocity_.torques)
      turn(result_, turning.body, -rate(turning.tau, turning.body));
    if (!has_rates_) return {{}, {}, true};
    std::erase_if(result_.forces, [](const PointReaction& force) { return force.W.is_zero(); });
    std::erase_if(result_.torques, [](const BodyReaction& torque) { return torque.tau.is_zero(); });
    return std::move(result_);
  }

 private:
  void read_leaf(Term leaf, Term adjoint) {
    switch (leaf.kind()) {
      case TermKind::kPosition:
        act_on(result_, point_of(leaf), adjoint);
        act_on(result_, PointId(std::size_t{leaf.second()}), -adjoint);
        return;
      case TermKind::kVelocity: act_on(by_velocity_, point_of(leaf), adjoint); return;
      case TermKind::kBasisVector: {
        const FrameId carrier = tree_.carrying_frame(frame_of(leaf));
        const Term tau = pool_.cross(leaf, adjoint);
        turn(result_, carrier, tau);
        if (!tau.is_zero() && tree_.of_rotation(frame_of(leaf), carrier).on_coordinates) result_.has_bare_part = true;
        return;
      }
      case TermKind::kAngularVelocity: {
        if (is_solid(frame_of(leaf)) && seen_in(leaf) == kNewtonian) {
          turn(by_velocity_, frame_of(leaf), adjoint);
          return;
        }
        // An angular velocity relative to a carrying body is a vector that turns with that body. It also changes with
        // the coordinates that rotate the frame relative to the body.
        turn(result_, tree_.carrying_frame(seen_in(leaf)), pool_.cross(leaf, adjoint));
        if (tree_.of_rotation(frame_of(leaf), seen_in(leaf)).on_coordinates) result_.has_bare_part = true;
        return;
      }
      case TermKind::kCoordinate:
        if (leaf.order() == 0 || !is_constant(adjoint)) result_.has_bare_part = true;
        return;
      case TermKind::kSpeed:
        if (!model_.speeds[leaf.index()].is_default || !is_constant(adjoint)) result_.has_bare_part = true;
        return;
      default: return;
    }
  }

  bool is_constant(Term scalar) {
    const Term change = time_derivative(model_, scalar);
    return change.is_valid() && change.is_zero();
  }

  Term rate(Term coefficient, FrameId frame) {
    const Term whole = time_derivative(model_, coefficient, frame);
    if (!whole.is_valid()) {
      has_rates_ = false;
      return pool_.zero_vector();
    }
    return is_frozen_ ? whole - at_held_coordinates(model_, whole) : whole;
  }

  void act_on(RowInspection& sums, PointId point, Term force) {
    if (force.is_zero() || (!model_.point(point).particle && !tree_.solid_of(point))) return;
    sums.add_force(point, force);
  }

  void turn(RowInspection& sums, FrameId solid, Term torque) {
    if (torque.is_zero() || !is_solid(solid)) return;
    sums.add_torque(solid, torque);
  }

  [[nodiscard]] bool is_solid(FrameId frame) const { return frame == kNewtonian || model_.frame(frame).body; }

  const Model& model_;
  TermPool& pool_;
  KinematicTree tree_;
  const bool is_frozen_;
  bool has_rates_ = true;
  RowInspection by_velocity_, result_;
};

bool holds_time(Term term) {
  return term.is_valid() &&
         std::ranges::any_of(in_order(term), [](Term part) { return part.kind() == TermKind::kTime; });
}

/// The multiplier of a row that belongs to the share: λ, λ_ideal or their difference λ − λ_ideal.
Term multiplier_of(TermPool& pool, ConstraintId id, std::size_t row, Share share) {
  const Term lambda = pool.multiplier(id, static_cast<int>(row)),
             ideal = pool.ideal_multiplier(id, static_cast<int>(row));
  switch (share) {
    case Share::kTotal:
    case Share::kReaction: return lambda;
    case Share::kIdeal: return ideal;
    case Share::kNonideal: return lambda - ideal;
  }
  return lambda;
}

}  // namespace

bool has_rheonomic_kinematics(const Model& model) {
  return std::ranges::any_of(model.points, [](const Point& point) { return holds_time(point.offset); }) ||
         std::ranges::any_of(model.speeds, [](const Speed& speed) { return holds_time(speed.definition); }) ||
         std::ranges::any_of(model.frames, [](const Frame& frame) {
           return std::ranges::any_of(frame.rotations,
                                      [](const SimpleRotation& turn) { return holds_time(turn.angle); });
         });
}

RowInspection vary_row(const Model& model, Term row, bool is_frozen) {
  return memory_of(model).variations.of({row.id(), is_frozen}, [&] { return Variation(model, is_frozen).of(row); });
}

RowInspection inspect_rate(const Model& model, Term rate) {
  return level_of(model, rate) == Level::kVelocity ? inspect_row(model, rate, Level::kVelocity) : RowInspection{};
}

RowReaction react(const Model& model, ConstraintId id, std::size_t row, Share share) {
  TermPool& pool = *model.terms;
  const Constraint& constraint = model.constraint(id);
  VINCULUM_EXPECTS(constraint.law->actuators().empty());
  const Term relation = constraint.rows[row];
  const RowFactors factors = constraint.law->factors(model, id, row);
  if (!factors.is_known) return {pool.number(0.0), pool.number(0.0), {{}, {}, true}};
  RowReaction reaction{factors.lambda.is_valid() ? factors.lambda : multiplier_of(pool, id, row, share)};
  if (share == Share::kIdeal || !factors.mu.is_valid() || level_of(model, relation) != Level::kVelocity)
    return reaction;
  reaction.mu = factors.mu;
  if (factors.is_frozen && has_rheonomic_kinematics(model)) {
    reaction.varied.has_bare_part =
        true;  // if points or frames depend explicitly on time, ∂/∂t at fixed coordinates is not the rate of a vector
  } else {
    reaction.varied = vary_row(model, relation, factors.is_frozen);
  }
  return reaction;
}

}  // namespace vinculum::model

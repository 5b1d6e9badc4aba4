// Computes the forces of joints that the choice of coordinates has eliminated. Each force follows from the power of all
// forces in an auxiliary motion that the joint excludes.
#include "vinculum/model/inspect/reveal.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/forward_rules.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/inspect/load_power.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/shared_frame.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

/// Velocities in an auxiliary motion: all coordinates are held fixed, and one point moves relative to its base, or the
/// frame of one body turns relative to its parent. All points and frames defined from that point or frame move with it.
class AuxiliaryMotion {
 public:
  AuxiliaryMotion(const Model& model, const Reveal& reveal, Term direction)
      : model_(model), pool_(*model.terms), tree_(model), reveal_(reveal), direction_(direction) {}

  /// Angular velocity of a frame in the auxiliary motion. The frame of the revealed body turns together with the frames
  /// defined from it. This includes other bodies that share the frame, and all frames of its rigid frame that belong to
  /// one of these bodies.
  Term angular_velocity(FrameId frame) {
    if (!reveal_.body.is_valid()) return pool_.zero_vector();
    const FrameId turned = shared_frame(model_, reveal_.body);
    for (; frame.is_valid(); frame = model_.frame(frame).parent) {
      const auto solid = tree_.solid_of(frame);
      if (frame == turned || (solid && shared_frame(model_, *solid) == turned)) return direction_;
    }
    return pool_.zero_vector();
  }

  /// Velocity of the material point in the auxiliary motion. If a body is turned, its points turn with it, whatever
  /// vectors define their offset. If a point is moved, all points offset from it move too.
  Term velocity(PointId point) {
    const FrameId on = model_.point(point).on;
    std::optional<FrameId> solid;
    if (reveal_.body.is_valid()) solid = tree_.solid_of(point);
    if (!on.is_valid() && !solid) return place_velocity(point);
    const FrameId frame = solid.value_or(on);
    const PointId anchor = tree_.anchor_of(frame).value_or(tree_.origin_of(point));
    return place_velocity(anchor) + pool_.cross(angular_velocity(frame), pool_.position(point, anchor));
  }

 private:
  // Bases precede the points defined from them, so filling the table in order needs no deep recursion.
  Term place_velocity(PointId point) {
    while (places_.size() <= point.index()) {
      const PointId next(places_.size());
      const Point& p = model_.point(next);
      Term v = pool_.zero_vector();
      const PointId anchor = fixed_to(next);
      if (anchor.is_valid()) {
        const FrameId solid = *tree_.solid_of(next);
        v = places_[anchor.index()] + pool_.cross(angular_velocity(solid), pool_.position(next, anchor));
      } else if (p.base.is_valid()) {
        v = places_[p.base.index()] + rate(p.offset);
      }
      if (next == reveal_.point) v = v + direction_;
      places_.push_back(v);
    }
    return places_[point.index()];
  }

  /// The mass center of the body that the point is fixed in, if it is defined before the point. If a body is turned,
  /// its points turn with it, whatever vectors define their offset.
  PointId fixed_to(PointId point) {
    if (!reveal_.body.is_valid()) return {};
    const auto solid = tree_.solid_of(point);
    const auto anchor = solid ? tree_.anchor_of(*solid) : std::nullopt;
    return anchor && anchor->index() < point.index() ? *anchor : PointId();
  }

  Term rate(Term root) {
    for (const Term node : in_order(root)) {
      if (rates_.contains(node.id())) continue;
      const bool is_leaf =
          node.operand_count() == 0 || node.kind() == TermKind::kPartial || node.kind() == TermKind::kRate;
      rates_[node.id()] = is_leaf
                              ? leaf_rate(node)
                              : derivative_by_operands(node, [this](Term operand) { return rates_.at(operand.id()); });
    }
    return rates_.at(root.id());
  }

  Term leaf_rate(Term leaf) {
    const auto first = std::size_t{leaf.index()}, second = std::size_t{leaf.second()};
    switch (leaf.kind()) {
      case TermKind::kPosition: return place_velocity(PointId(first)) - place_velocity(PointId(second));
      case TermKind::kBasisVector: return pool_.cross(angular_velocity(FrameId(first)), leaf);
      default: return leaf.is_scalar() ? pool_.number(0.0) : pool_.zero_vector();
    }
  }

  const Model& model_;
  TermPool& pool_;
  KinematicTree tree_;
  const Reveal& reveal_;
  const Term direction_;
  std::vector<Term> places_;
  std::unordered_map<TermId, Term> rates_;
};

/// Power of forces and torques in an auxiliary motion.
class Power {
 public:
  Power(const Model& model, AuxiliaryMotion& motion)
      : model_(model), pool_(*model.terms), motion_(motion), sum_(pool_.number(0.0)) {}

  void add(PointId point, Term force) {
    const Term v = motion_.velocity(point);
    if (!v.is_zero()) sum_ = sum_ + pool_.dot(v, force);
  }
  void add(FrameId frame, Term torque) {
    const Term omega = motion_.angular_velocity(frame);
    if (!omega.is_zero()) sum_ = sum_ + pool_.dot(omega, torque);
  }

  void add(const Load& load) {
    std::visit([this](const auto& what) { add_load(what); }, load.what);
  }

  void add_inertia() {
    for (const Particle& particle : model_.particles) {
      add(particle.point, -(particle.mass * pool_.acceleration(particle.point, kNewtonian)));
    }
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const Body& body = model_.bodies[b];
      const Term omega = pool_.angular_velocity(body.frame, kNewtonian);
      const Term alpha = pool_.angular_acceleration(body.frame, kNewtonian);
      add(body.center, -(body.mass * pool_.acceleration(body.center, kNewtonian)));
      add(body.frame,
          -(times_inertia(model_, BodyId(b), alpha) + pool_.cross(omega, times_inertia(model_, BodyId(b), omega))));
    }
  }

  void add_reactions(ConstraintId constraint) {
    for (const PointId point : points_of(model_, constraint)) add(point, total_force(model_, constraint, point));
    for (const FrameId frame : frames_of_torques(model_, constraint)) add(frame, torque_on(model_, constraint, frame));
  }

  [[nodiscard]] Term sum() const { return sum_; }

 private:
  void add_load(const ForceOn& force) {
    add(force.point, force.force);
    if (force.from) add(*force.from, -force.force);
  }
  void add_load(const TorqueOn& torque) {
    add(torque.body, torque.torque);
    if (torque.from) add(*torque.from, -torque.torque);
  }
  void add_load(const Gravity& gravity) {
    for (const Particle& particle : model_.particles) add(particle.point, particle.mass * gravity.acceleration);
    for (const Body& body : model_.bodies) add(body.center, body.mass * gravity.acceleration);
  }
  void add_load(const SpringBetween& spring) { add_load(force_of(model_, spring)); }
  void add_load(const PotentialEnergy& potential) {
    const RowInspection inspection = inspect_row(model_, potential.energy, Level::kPosition);
    for (const PointReaction& force : inspection.forces) add(force.point, -force.W);
    for (const BodyReaction& torque : inspection.torques) add(torque.body, -torque.tau);
  }
  void add_load(const GeneralizedForceOn&) {}  // acts at no point in space: `loads_without_place` reports it
  void add_load(const LagrangianFunction&) {}  // acts at no point in space: `loads_without_place` reports it

  const Model& model_;
  TermPool& pool_;
  AuxiliaryMotion& motion_;
  Term sum_;
};

}  // namespace

namespace {

AuxiliarySpeed auxiliary_speed(const Model& model, const Reveal& reveal, int k) {
  VINCULUM_EXPECTS(k >= 0 && static_cast<std::size_t>(k) < reveal.along.size());
  AuxiliarySpeed result;
  result.direction = model.terms->unit(reveal.along[static_cast<std::size_t>(k)]);
  AuxiliaryMotion motion(model, reveal, result.direction);
  const auto add_point = [&](PointId point) {
    const Term v = motion.velocity(point);
    if (!v.is_zero()) result.velocities.emplace_back(point, v);
  };
  for (const Particle& particle : model.particles) add_point(particle.point);
  for (const Body& body : model.bodies) {
    add_point(body.center);
    const Term omega = motion.angular_velocity(body.frame);
    if (!omega.is_zero()) result.angular_velocities.emplace_back(body.frame, omega);
  }
  Power active(model, motion), inertia(model, motion);
  for (const Load& load : model.loads) active.add(load);
  for (std::size_t c = 0; c < model.constraints.size(); ++c) active.add_reactions(ConstraintId(c));
  inertia.add_inertia();
  result.active = active.sum();
  result.inertia = inertia.sum();
  return result;
}

/// Whether a point moves any mass, load or reaction with it if it moves in one of the directions of a reveal.
bool carries_anything(const Model& model, PointId point, const Reveal& reveal) {
  const Reveal of_point{{}, point, {}, reveal.along, {}};
  for (int k = 0; k < static_cast<int>(reveal.along.size()); ++k) {
    const AuxiliarySpeed speed = auxiliary_speed(model, of_point, k);
    if (!(speed.active + speed.inertia).is_zero()) return true;
  }
  return false;
}

/// Whether a point moves with the body that owns a frame: it is fixed in the body, and offset by a vector of the body's
/// rigid frame. (On the axis about which the body turns, points that do not turn with it have a fixed position, too.)
bool belongs_to(const Model& model, KinematicTree& tree, PointId point, FrameId frame) {
  const Point& its = model.point(point);
  if (!tree.is_fixed_in(point, frame)) return false;
  return std::ranges::any_of(in_order(its.offset), [&](Term node) {
    return node.kind() == TermKind::kBasisVector && tree.are_one_rigid_frame(FrameId(std::size_t{node.index()}), frame);
  });
}

}  // namespace

AuxiliarySpeed auxiliary_speed(const Model& model, RevealId id, int k) {
  return auxiliary_speed(model, model.reveal(id), k);
}

std::optional<LeftOut> left_out_of(const Model& model, RevealId id) {
  const Reveal& reveal = model.reveal(id);
  if (!reveal.point.is_valid() || !model.point(reveal.point).center_of) return std::nullopt;
  const FrameId frame = model.bodies[model.point(reveal.point).center_of->index()].frame;
  KinematicTree tree(model);
  PointId below = reveal.point;  // the point offset from `base` on the path to the mass center
  for (PointId base = model.point(below).base; base.is_valid() && tree.is_fixed_in(base, frame);
       below = base, base = model.point(base).base) {
    for (std::size_t i = base.index() + 1; i < model.points.size(); ++i) {
      const PointId point(i);
      if (point == below || model.points[i].base != base || !belongs_to(model, tree, point, frame)) continue;
      if (carries_anything(model, point, reveal)) return LeftOut{point, base};
    }
  }
  return std::nullopt;
}

Term revealed(const Model& model, RevealId id, int k) {
  const AuxiliarySpeed speed = auxiliary_speed(model, id, k);
  return -(speed.active + speed.inertia);
}

std::vector<std::string> loads_without_place(const Model& model) {
  std::vector<std::string> names;
  for (const Load& load : model.loads) {
    if (const auto* force = std::get_if<GeneralizedForceOn>(&load.what)) {
      names.push_back("generalized force on " + model.coordinates[force->coordinate.index()].name);
    } else if (const auto* potential = std::get_if<PotentialEnergy>(&load.what)) {
      if (inspect_row(model, potential->energy, Level::kPosition).has_bare_part) {
        names.push_back("potential " + to_text(model, potential->energy));
      }
    } else if (const auto* lagrangian = std::get_if<LagrangianFunction>(&load.what)) {
      names.push_back("lagrangian " + to_text(model, lagrangian->L));
    }
  }
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    if (acts_on_coordinates(model, ConstraintId(c))) names.push_back(model.constraints[c].name);
  }
  return names;
}

}  // namespace vinculum::model

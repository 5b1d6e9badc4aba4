#include "vinculum/model/expansion.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "vinculum/model/forward_rules.hpp"
#include "vinculum/model/inspect/inspection_memory.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

/// Replaces massless points by their base and offset, and frames without body by their parent and rotation.
class Expander {
 public:
  /// \param known  terms already expanded with the same points `through` and `kept`
  Expander(const Model& model, const std::set<PointId>& through, const std::set<PointId>& kept,
           std::unordered_map<TermId, Term>& known)
      : model_(model), pool_(*model.terms), tree_(model), through_(through), kept_(kept), expanded_(known) {}

  Term expand(Term root) {
    for (const Term node : in_order(root, [this](Term one) { return expanded_.contains(one.id()); })) {
      if (expanded_.contains(node.id())) continue;  // expanded before, in the expansion of another node
      const Term result = expanded(node);
      expanded_[node.id()] = result;
    }
    return expanded_.at(root.id());
  }

 private:
  Term expanded(Term node) {
    switch (node.kind()) {
      case TermKind::kPosition: return position(point_of(node), PointId(std::size_t{node.second()}));
      case TermKind::kVelocity:
      case TermKind::kAcceleration: return motion(node);
      case TermKind::kAngularVelocity: return turning(node, false);
      case TermKind::kAngularAcceleration: return turning(node, true);
      case TermKind::kPartial:
      case TermKind::kRate: return node;
      default: break;
    }
    if (node.operand_count() == 0) return node;
    std::vector<Term> operands;
    for (int i = 0; i < node.operand_count(); ++i) operands.push_back(expanded_.at(node.operand(i).id()));
    return with_operands(node, operands);
  }

  /// The position of a point as anchor + offset. The anchor is a particle, a point fixed in a solid, or an origin.
  struct Place {
    PointId anchor;
    Term offset;
  };

  bool takes_force(PointId point) {
    return model_.point(point).particle || kept_.contains(point) || tree_.solid_of(point);
  }
  bool may_be_pushed(PointId point, FrameId seen_in) { return seen_in == kNewtonian && takes_force(point); }
  bool is_origin(PointId point) const { return !model_.point(point).base.is_valid(); }

  /// \param as_place  true: the anchor must be a point whose velocity is the rate of its position.
  Place place(PointId point, bool as_place) {
    std::vector<PointId> massless;
    PointId anchor = point;
    const auto is_anchor = [&](PointId p) {
      return is_origin(p) || (takes_force(p) && !through_.contains(p) && !(as_place && tree_.wanders(p)));
    };
    for (; !is_anchor(anchor); anchor = model_.point(anchor).base) {
      if (const auto particle = particle_at(anchor); particle && is_anchor(*particle)) {
        anchor = *particle;
        break;
      }
      massless.push_back(anchor);
    }
    Term offset = pool_.zero_vector();
    for (auto it = massless.rbegin(); it != massless.rend(); ++it) offset = offset + expand(model_.point(*it).offset);
    return {anchor, offset};
  }

  /// The particle that by definition coincides with a massless point, so that a force on the point acts on it.
  std::optional<PointId> particle_at(PointId point) {
    const auto [known, is_new] = particles_.try_emplace(point.value);
    if (is_new) {
      const auto stands_there = [&](const Particle& one) { return tree_.separation(one.point, point).is_zero(); };
      const auto found = std::ranges::find_if(model_.particles, stands_there);
      if (found != model_.particles.end()) known->second = found->point;
    }
    return known->second;
  }

  Term position(PointId to, PointId from) {
    const Place a = place(to, false), b = place(from, false);
    const bool same_place = a.anchor == b.anchor || (is_origin(a.anchor) && is_origin(b.anchor));
    const Term between = same_place ? pool_.zero_vector() : pool_.position(a.anchor, b.anchor);
    return between + a.offset - b.offset;
  }

  Term motion(Term leaf) {
    const PointId point = point_of(leaf);
    const FrameId frame = seen_in(leaf);
    const bool is_velocity = leaf.kind() == TermKind::kVelocity;
    if (kept_.contains(point)) return leaf;
    // A point of the ground, or of a body that no coordinate moves, is at rest. Its velocity is replaced by 0, unless a
    // force of the row may act on the point.
    if (!may_be_pushed(point, frame) && tree_.of_motion(point, frame).is_none()) return pool_.zero_vector();
    if (takes_force(point)) return leaf;
    if (tree_.wanders(point)) return matter(leaf);
    const Place at = place(point, true);
    Term offset_rate = time_derivative(model_, at.offset, frame);
    if (!is_velocity) offset_rate = time_derivative(model_, offset_rate, frame);
    Term of_anchor = pool_.zero_vector();
    if (may_be_pushed(at.anchor, frame) || !tree_.of_motion(at.anchor, frame).is_none()) {
      of_anchor = is_velocity ? pool_.velocity(at.anchor, frame) : pool_.acceleration(at.anchor, frame);
    }
    return of_anchor + expand(offset_rate) + turned_with_ground(at.offset, leaf);
  }

  /// The rate of the offset of a massless point if the ground rotated, with the zero angular velocity of the ground as
  /// a symbol. It is needed because a force at the point exerts a torque on the ground, with this offset as its lever
  /// arm, if the offset is written in vectors of the ground.
  Term turned_with_ground(Term offset, Term motion) {
    if (seen_in(motion) != kNewtonian) return pool_.zero_vector();
    const Term omega =
        motion.kind() == TermKind::kVelocity ? pool_.ground_angular_velocity() : pool_.ground_angular_acceleration();
    std::unordered_map<TermId, Term> changes;
    for (const Term node : in_order(offset)) {
      const bool is_leaf =
          node.operand_count() == 0 || node.kind() == TermKind::kPartial || node.kind() == TermKind::kRate;
      const bool turns = node.kind() == TermKind::kBasisVector && tree_.carrying_frame(frame_of(node)) == kNewtonian &&
                         tree_.solid_of(frame_of(node)) == kNewtonian;
      const Term still = node.is_scalar() ? pool_.number(0.0) : pool_.zero_vector();
      changes[node.id()] = turns     ? pool_.cross(omega, node)
                           : is_leaf ? still
                                     : derivative_by_operands(node, [&](Term one) { return changes.at(one.id()); });
    }
    return changes.at(offset.id());
  }

  /// Velocity or acceleration of a point that is declared `on` a frame without a body. The material of such a frame
  /// rotates about the newtonian origin, so v = v_O + ω × r with r the position of the point relative to its origin O.
  Term matter(Term leaf) {
    const PointId point = point_of(leaf), origin = tree_.origin_of(point);
    const FrameId on = model_.point(point).on, frame = seen_in(leaf);
    const Term omega = pool_.angular_velocity(on, frame), r = pool_.position(point, origin);
    const bool is_still = tree_.of_motion(origin, frame).is_none();
    if (leaf.kind() == TermKind::kVelocity) {
      const Term v = is_still ? pool_.zero_vector() : pool_.velocity(origin, frame);
      return v + expand(pool_.cross(omega, r));
    }
    const Term a = is_still ? pool_.zero_vector() : pool_.acceleration(origin, frame);
    return a +
           expand(pool_.cross(pool_.angular_acceleration(on, frame), r) + pool_.cross(omega, pool_.cross(omega, r)));
  }

  Term turning(Term leaf, bool is_acceleration) {
    const FrameId frame = frame_of(leaf), in = seen_in(leaf);
    if (tree_.of_rotation(frame, in).is_none()) {
      // The row may exert a torque on the ground, or on a body whose attitude no coordinate changes. So the angular
      // velocity of this solid remains in the term, although it is 0.
      const std::optional<FrameId> solid = tree_.solid_of(frame);
      if (in != kNewtonian || !solid) return pool_.zero_vector();
      if (*solid != kNewtonian)
        return is_acceleration ? pool_.angular_acceleration(*solid, in) : pool_.angular_velocity(*solid, in);
      return is_acceleration ? pool_.ground_angular_acceleration() : pool_.ground_angular_velocity();
    }
    const FrameId carrier = tree_.carrying_frame(frame), carrier_in = tree_.carrying_frame(in);
    // Angular velocities between two carrying frames, or between frames with the same carrying frame, stay unchanged.
    if ((frame == carrier && in == carrier_in) || carrier == carrier_in) return leaf;
    const auto omega = [&](FrameId of, FrameId seen) {
      return tree_.of_rotation(of, seen).is_none() ? pool_.zero_vector() : pool_.angular_velocity(of, seen);
    };
    const auto alpha = [&](FrameId of, FrameId seen) {
      return tree_.of_rotation(of, seen).is_none() ? pool_.zero_vector() : pool_.angular_acceleration(of, seen);
    };
    const auto newtonian_omega = [&](FrameId of, FrameId body) { return omega(body, kNewtonian) + omega(of, body); };
    const auto newtonian_alpha = [&](FrameId of, FrameId body) {
      return alpha(body, kNewtonian) + alpha(of, body) + pool_.cross(omega(body, kNewtonian), omega(of, body));
    };
    if (!is_acceleration) return newtonian_omega(frame, carrier) - newtonian_omega(in, carrier_in);
    return newtonian_alpha(frame, carrier) - newtonian_alpha(in, carrier_in) -
           pool_.cross(newtonian_omega(in, carrier_in), newtonian_omega(frame, carrier));
  }

  const Model& model_;
  TermPool& pool_;
  KinematicTree tree_;
  const std::set<PointId>&through_, &kept_;
  std::unordered_map<TermId, Term>& expanded_;
  /// the particle that coincides with a massless point
  std::unordered_map<std::size_t, std::optional<PointId>> particles_;
};

}  // namespace

std::optional<PointId> coincident_point(const Model& model, KinematicTree& tree, PointId point, FrameId frame) {
  const std::optional<FrameId> solid = tree.solid_of(frame);
  const std::optional<BodyId> body = solid ? model.frame(*solid).body : std::nullopt;
  if (!body) return std::nullopt;
  if (tree.carrier_of(point) == body) return point;
  for (std::size_t p = 0; p < model.points.size(); ++p) {
    const PointId other(p);
    if (tree.carrier_of(other) == body && tree.separation(other, point).is_zero()) return other;
  }
  return std::nullopt;
}

Term expand_massless(const Model& model, Term term) { return expand_massless(model, term, {}); }

Term expand_massless(const Model& model, Term term, const std::set<PointId>& through, const std::set<PointId>& kept) {
  if (!through.empty() || !kept.empty()) {
    std::unordered_map<TermId, Term> expanded;
    return Expander(model, through, kept, expanded).expand(term);
  }
  InspectionMemory& memory = memory_of(model);
  const std::lock_guard lock(memory.expanded.mutex);
  return Expander(model, through, kept, memory.expanded.known).expand(term);
}

Term seen_in_newtonian(const Model& model, Term root) {
  TermPool& pool = *model.terms;
  KinematicTree tree(model);
  const auto omega = [&](FrameId frame) {
    return tree.of_rotation(frame, kNewtonian).is_none() ? pool.zero_vector()
                                                         : pool.angular_velocity(frame, kNewtonian);
  };
  const auto alpha = [&](FrameId frame) {
    return tree.of_rotation(frame, kNewtonian).is_none() ? pool.zero_vector()
                                                         : pool.angular_acceleration(frame, kNewtonian);
  };
  const auto velocity = [&](PointId point) {
    return tree.of_motion(point, kNewtonian).is_none() ? pool.zero_vector() : pool.velocity(point, kNewtonian);
  };
  const auto acceleration = [&](PointId point) {
    return tree.of_motion(point, kNewtonian).is_none() ? pool.zero_vector() : pool.acceleration(point, kNewtonian);
  };
  const auto motion = [&](Term leaf) {
    const PointId point = point_of(leaf);
    const FrameId frame = seen_in(leaf);
    if (const auto facing = coincident_point(model, tree, point, frame)) {
      const Term v = velocity(point) - velocity(*facing);
      if (leaf.kind() == TermKind::kVelocity) return v;
      return acceleration(point) - acceleration(*facing) - 2.0 * pool.cross(omega(frame), v);
    }
    const PointId anchor = tree.anchor_of(frame).value_or(tree.origin_of(point));
    const Term w = omega(frame), r = pool.position(point, anchor);
    const Term v = velocity(point) - velocity(anchor);
    if (leaf.kind() == TermKind::kVelocity) return v - pool.cross(w, r);
    return acceleration(point) - acceleration(anchor) - pool.cross(alpha(frame), r) - 2.0 * pool.cross(w, v) +
           pool.cross(w, pool.cross(w, r));
  };
  const auto relative = [&](Term leaf) -> Term {
    switch (leaf.kind()) {
      case TermKind::kVelocity:
      case TermKind::kAcceleration: return motion(leaf);
      case TermKind::kAngularVelocity: return omega(frame_of(leaf)) - omega(seen_in(leaf));
      case TermKind::kAngularAcceleration:
        return alpha(frame_of(leaf)) - alpha(seen_in(leaf)) - pool.cross(omega(seen_in(leaf)), omega(frame_of(leaf)));
      default: return leaf;
    }
  };
  InspectionMemory& memory = memory_of(model);
  const std::lock_guard lock(memory.seen_in_newtonian.mutex);
  std::unordered_map<TermId, Term>& rewritten = memory.seen_in_newtonian.known;
  for (const Term node : in_order(root, [&](Term one) { return rewritten.contains(one.id()); })) {
    Term result = node;
    if (node.kind() == TermKind::kPartial || node.kind() == TermKind::kRate) {
      // partial derivatives and rates stay unchanged
    } else if (node.operand_count() > 0) {
      std::vector<Term> operands;
      for (int i = 0; i < node.operand_count(); ++i) operands.push_back(rewritten.at(node.operand(i).id()));
      result = with_operands(node, operands);
    } else if (node.second() != kNewtonian.value) {
      result = relative(node);
    }
    rewritten[node.id()] = result;
  }
  return rewritten.at(root.id());
}

namespace {

/// The velocity of the material point of a solid that at present coincides with the moving point.
Term velocity_of_matter(const Model& model, KinematicTree& tree, PointId point) {
  TermPool& pool = *model.terms;
  const auto solid = tree.solid_of(point);
  if (!solid) return pool.velocity(point, kNewtonian);  // the point is on no solid and has already been expanded
  const PointId center = *solid == kNewtonian ? tree.origin_of(point) : model.body(*model.frame(*solid).body).center;
  const Term omega = *solid == kNewtonian ? pool.ground_angular_velocity() : pool.angular_velocity(*solid, kNewtonian);
  return pool.velocity(center, kNewtonian) + pool.cross(omega, pool.position(point, center));
}

}  // namespace

Term in_places_of_matter(const Model& model, Term row) {
  KinematicTree tree(model);
  std::set<PointId> wandering;
  for (std::size_t p = 0; p < model.points.size(); ++p) {
    if (tree.wanders(PointId(p))) wandering.insert(PointId(p));
  }
  const Term seen = seen_in_newtonian(model, expand_massless(model, row, wandering));
  std::unordered_map<TermId, Term> rewritten;
  for (const Term node : in_order(seen)) {
    Term result = node;
    if (node.operand_count() > 0 && node.kind() != TermKind::kPartial && node.kind() != TermKind::kRate) {
      std::vector<Term> operands;
      for (int i = 0; i < node.operand_count(); ++i) operands.push_back(rewritten.at(node.operand(i).id()));
      result = with_operands(node, operands);
    } else if (node.kind() == TermKind::kVelocity && wandering.contains(point_of(node))) {
      result = velocity_of_matter(model, tree, point_of(node));
    }
    rewritten[node.id()] = result;
  }
  return expand_massless(model, rewritten.at(seen.id()), wandering);
}

}  // namespace vinculum::model

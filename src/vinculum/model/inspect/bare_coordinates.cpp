// Finds bare coordinates, that is, coordinates that occur in a row outside of vectors, and the points and frames that
// they move.
#include <algorithm>
#include <set>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

/// Collects coordinates on which positions and attitudes depend, and coordinates that occur in rows.
class Coordinates {
 public:
  explicit Coordinates(const Model& model) : model_(model), tree_(model) {}

  std::set<std::uint32_t> found;

  void of_frame(FrameId frame, FrameId up_to = kNewtonian) {
    for (; frame != up_to && frame != kNewtonian; frame = model_.frame(frame).parent) {
      const Frame& one = model_.frame(frame);
      if (one.quaternion)
        for (const CoordinateId e : one.quaternion->e) found.insert(e.value);
      for (const SimpleRotation& rotation : one.rotations) of_term(rotation.angle);
    }
  }
  void of_point(PointId point) {
    for (; model_.point(point).base.is_valid(); point = model_.point(point).base) of_term(model_.point(point).offset);
  }
  void of_term(Term term) {
    for (const Term leaf : leaves_as_read(term)) {
      if (leaf.kind() == TermKind::kCoordinate) found.insert(leaf.index());
      if (leaf.kind() == TermKind::kBasisVector) of_frame(frame_of(leaf));
      if (leaf.kind() == TermKind::kPosition) {
        of_point(model::point_of(leaf));
        of_point(PointId(std::size_t{leaf.second()}));
      }
    }
  }

  /// Collects the coordinates and speeds that occur outside of vectors in a row of this level, and those that move
  /// points and frames of no solid.
  void bare_in(Term row, Level level) {
    for (const Term leaf : leaves_as_read(row)) {
      switch (leaf.kind()) {
        case TermKind::kCoordinate:
          if (leaf.order() == static_cast<int>(level)) found.insert(leaf.index());
          break;
        case TermKind::kSpeed:
          if (leaf.order() + 1 == static_cast<int>(level)) of_speed(SpeedId(std::size_t{leaf.index()}));
          break;
        case TermKind::kPartial:
        case TermKind::kRate: all(); break;
        case TermKind::kPosition:
          if (level != Level::kPosition) break;
          massless(model::point_of(leaf));
          massless(PointId(std::size_t{leaf.second()}));
          break;
        case TermKind::kBasisVector:
          if (level == Level::kPosition) massless(frame_of(leaf));
          break;
        case TermKind::kVelocity:
        case TermKind::kAcceleration:
          if (level_of(model_, leaf) != level) break;
          massless(model::point_of(leaf));
          massless(seen_in(leaf));
          break;
        case TermKind::kAngularVelocity:
        case TermKind::kAngularAcceleration:
          if (level_of(model_, leaf) != level) break;
          massless(frame_of(leaf));
          massless(seen_in(leaf));
          break;
        default: break;
      }
    }
  }

 private:
  void all() {
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) found.insert(static_cast<std::uint32_t>(i));
  }
  void of_speed(SpeedId speed) {
    if (model_.speeds[speed.index()].is_default)
      of_rates(model_.speeds[speed.index()].definition);
    else
      all();
  }
  void of_rates(Term definition) {
    for (const Term leaf : leaves_as_read(definition)) {
      if (leaf.kind() == TermKind::kCoordinate) found.insert(leaf.index());
      if (leaf.kind() == TermKind::kAngularVelocity) of_frame(frame_of(leaf), seen_in(leaf));
    }
  }
  void massless(FrameId frame) {
    while (!tree_.solid_of(frame)) {
      const FrameId parent = model_.frame(tree_.rigid_root(frame)).parent;
      of_frame(frame, parent);
      frame = parent;
    }
  }
  /// Collects the coordinates in the offsets of a massless point, down to the first point on which a force may act.
  void massless(PointId point) {
    for (; !model_.point(point).particle && !tree_.solid_of(point) && model_.point(point).base.is_valid();
         point = model_.point(point).base) {
      const Term offset = model_.point(point).offset;
      for (const Term leaf : leaves_as_read(offset)) {
        if (leaf.kind() == TermKind::kCoordinate) found.insert(leaf.index());
        if (leaf.kind() == TermKind::kBasisVector) massless(frame_of(leaf));
      }
    }
  }

  const Model& model_;
  KinematicTree tree_;
};

/// \param is_named  whether an inspection contains a force or torque at the point or solid in question
template <class IsNamed>
bool acts(const Model& model, ConstraintId id, const std::set<std::uint32_t>& moving, const IsNamed& is_named) {
  const Constraint& constraint = model.constraint(id);
  if (!constraint.law->actuators().empty()) return false;
  Coordinates bare(model);
  for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
    const RowInspection inspection = inspect_row(model, id, row);
    if (is_named(inspection)) return false;
    if (inspection.has_bare_part) bare.bare_in(constraint.rows[row], level_of(model, constraint.rows[row]));
  }
  return std::ranges::any_of(bare.found, [&](std::uint32_t coordinate) { return moving.contains(coordinate); });
}

}  // namespace

bool acts_by_coordinates(const Model& model, ConstraintId constraint, PointId point) {
  if (names_point(model.constraint(constraint), point)) return false;
  Coordinates moving(model);
  moving.of_point(point);
  return acts(model, constraint, moving.found, [point](const RowInspection& row) {
    return std::ranges::find(row.forces, point, &PointReaction::point) != row.forces.end();
  });
}

bool acts_by_coordinates(const Model& model, ConstraintId constraint, FrameId solid) {
  if (solid == kNewtonian) return false;
  Coordinates moving(model);
  moving.of_frame(solid);
  moving.of_point(model.body(*model.frame(solid).body).center);
  KinematicTree tree(model);
  return acts(model, constraint, moving.found, [&](const RowInspection& row) {
    return std::ranges::any_of(row.forces, [&](const auto& force) { return tree.solid_of(force.point) == solid; }) ||
           std::ranges::find(row.torques, solid, &BodyReaction::body) != row.torques.end();
  });
}

}  // namespace vinculum::model

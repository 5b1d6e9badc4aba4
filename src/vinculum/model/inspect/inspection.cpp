#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/id_set.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/expansion.hpp"
#include "vinculum/model/inspect/adjoints.hpp"
#include "vinculum/model/inspect/inspection_memory.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

/// Whether a force W at the material point of B that coincides with a contact point is equivalent to a force at the
/// contact point. This is so if the material point and the contact point have the same velocity along W (theory.md
/// §5.3). The test uses random states.
bool moves_alike(const Model& model, PointId point, Term W) {
  constexpr int kStates = 3, kMaxTrials = 30;
  TermPool& pool = *model.terms;
  const Term place = time_derivative(model, pool.position(point, KinematicTree(model).origin_of(point)));
  const Term matter = pool.velocity(point, kNewtonian);
  const Term difference = pool.dot(W, place - matter);
  const Term size = pool.norm(W) * (pool.norm(place) + pool.norm(matter));

  std::mt19937_64 generator(20070711);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const std::size_t nq = model.coordinates.size();
  int states = 0;
  for (int trial = 0; trial < kMaxTrials && states < kStates; ++trial) {
    Instant moving;
    moving.t = uniform(generator);
    for (std::size_t i = 0; i < nq; ++i) {
      moving.q.push_back(uniform(generator));
      moving.q_dot.push_back(uniform(generator));
    }
    moving.q_ddot.assign(nq, 0.0);
    moving.parameters = declared_values(model);
    Instant held = moving;  // velocities due to explicit time are subtracted, because they are no virtual displacements
    held.q_dot.assign(nq, 0.0);
    TermValues values(model, std::move(moving));
    const double rest = values.scalar(difference).value - TermValues(model, std::move(held)).scalar(difference).value;
    const double scale = values.scalar(size).value;
    if (!std::isfinite(rest) || !std::isfinite(scale)) continue;
    if (std::fabs(rest) > tolerance::kGeneric * (1.0 + scale)) return false;
    ++states;
  }
  return states > 0;
}

class RowInspector {
 public:
  /// \param kept  massless points that are treated as if they had mass
  RowInspector(const Model& model, Level level, std::set<PointId> kept = {})
      : model_(model), pool_(*model.terms), tree_(model), level_(level), kept_(std::move(kept)) {}

  RowInspection inspect(Term row) {
    // A contact point that moves over a body is kept as the point of action if that is correct; otherwise it is
    // expanded.
    std::set<PointId> through;
    while (true) {
      const Term expanded = expand_massless(model_, row, through, kept_), seen = seen_in_newtonian(model_, expanded);
      read(seen == expanded ? expanded : expand_massless(model_, seen, through, kept_));
      bool is_right = true;
      if (level_ == Level::kPosition) {
        for (const PointReaction& force : inspection_.forces) {
          if (!tree_.wanders(force.point) || moves_alike(model_, force.point, force.W)) continue;
          through.insert(force.point);
          is_right = false;
        }
      }
      if (is_right) return std::move(inspection_);
    }
  }

 private:
  void read(Term expanded) {
    inspection_ = {};
    IdSet<TermTag> parts;
    find_parts(expanded, parts);
    const Adjoints adjoints(expanded, [&](Term node) { return parts.contains(node.id()); });
    for (const Term node : leaves_as_read(expanded)) {
      const Term adjoint = adjoints.of(node);
      if (!adjoint.is_zero()) read_leaf(node, adjoint);
    }
    for (const auto& [id, adjoint] : adjoints.all()) {
      const Term node(&pool_, id);
      const bool is_derivative = node.kind() == TermKind::kPartial || node.kind() == TermKind::kRate;
      if (!is_derivative || adjoint.is_zero() || level_of(model_, node) != level_) continue;
      if (level_ != Level::kPosition || tree_.of_term(node).on_coordinates) inspection_.has_bare_part = true;
    }
    std::erase_if(inspection_.forces, [](const PointReaction& reaction) { return reaction.W.is_zero(); });
    std::erase_if(inspection_.torques, [](const BodyReaction& reaction) { return reaction.tau.is_zero(); });
  }

  /// Finds the nodes that contain a quantity of the row's own level. For example, in a row of velocity level, it does
  /// not find a factor that contains only positions.
  void find_parts(Term expanded, IdSet<TermTag>& parts) const {
    for (const Term node : in_order(expanded)) {
      bool takes_part = is_of_level(node);
      if (node.kind() == TermKind::kPartial || node.kind() == TermKind::kRate) {
        takes_part = level_of(model_, node) >= level_;
      } else {
        for (int i = 0; i < node.operand_count(); ++i) takes_part = takes_part || parts.contains(node.operand(i).id());
      }
      if (takes_part) parts.insert(node.id());
    }
  }

  [[nodiscard]] bool is_of_level(Term leaf) const {
    switch (leaf.kind()) {
      case TermKind::kVelocity:
      case TermKind::kAngularVelocity: return level_ == Level::kVelocity;
      case TermKind::kAcceleration:
      case TermKind::kAngularAcceleration: return level_ == Level::kAcceleration;
      case TermKind::kPosition:
      case TermKind::kBasisVector: return level_ == Level::kPosition;
      case TermKind::kCoordinate: return leaf.order() == static_cast<int>(level_);
      case TermKind::kSpeed: return leaf.order() + 1 == static_cast<int>(level_);
      default: return false;
    }
  }

  void read_leaf(Term leaf, Term adjoint) {
    const bool at_position = level_ == Level::kPosition, at_velocity = level_ == Level::kVelocity;
    switch (leaf.kind()) {
      case TermKind::kPosition:
        if (!at_position) return;
        act_on(point_of(leaf), adjoint);
        act_on(PointId(std::size_t{leaf.second()}), -adjoint);
        return;
      case TermKind::kVelocity:
        if (at_velocity) act_on(point_of(leaf), adjoint);
        return;
      case TermKind::kAcceleration:
        if (level_ == Level::kAcceleration) act_on(point_of(leaf), adjoint);
        return;
      case TermKind::kBasisVector: {
        if (!at_position) return;
        // δb = δθ × b, where δθ is the rotation of the carrying body. Coordinates that turn the frame relative to that
        // body add a generalized force.
        const Term tau = pool_.cross(leaf, adjoint);
        const FrameId carrier = tree_.carrying_frame(frame_of(leaf));
        turn(carrier, tau);
        if (!tau.is_zero() && tree_.of_rotation(frame_of(leaf), carrier).on_coordinates)
          inspection_.has_bare_part = true;
        return;
      }
      case TermKind::kAngularVelocity:
        if (at_velocity) turn_by(leaf, adjoint);
        return;
      case TermKind::kAngularAcceleration:
        if (level_ == Level::kAcceleration) turn_by(leaf, adjoint);
        return;
      case TermKind::kCoordinate:
        if (leaf.order() == static_cast<int>(level_)) inspection_.has_bare_part = true;
        return;
      case TermKind::kSpeed:
        if (leaf.order() + 1 == static_cast<int>(level_)) inspection_.has_bare_part = true;
        return;
      default: return;
    }
  }

  void act_on(PointId point, Term W) {
    const bool takes_force = model_.point(point).particle || kept_.contains(point) || tree_.solid_of(point);
    if (W.is_zero() || !takes_force) return;
    inspection_.add_force(point, W);
  }

  void turn_by(Term leaf, Term adjoint) {
    if (is_solid(frame_of(leaf)) && seen_in(leaf) == kNewtonian) {
      turn(frame_of(leaf), adjoint);
    } else if (tree_.of_rotation(frame_of(leaf), seen_in(leaf)).on_coordinates) {
      inspection_.has_bare_part = true;
    }
  }

  void turn(FrameId solid, Term tau) {
    if (tau.is_zero() || !is_solid(solid)) return;
    inspection_.add_torque(solid, tau);
  }

  [[nodiscard]] bool is_solid(FrameId frame) const { return frame == kNewtonian || model_.frame(frame).body; }

  const Model& model_;
  TermPool& pool_;
  KinematicTree tree_;
  const Level level_;
  const std::set<PointId> kept_;
  RowInspection inspection_;
};

}  // namespace

void RowInspection::add_force(PointId point, Term W) {
  const auto found = std::ranges::find(forces, point, &PointReaction::point);
  if (found == forces.end()) {
    forces.push_back({point, W});
  } else {
    found->W = found->W + W;
  }
}

void RowInspection::add_torque(FrameId body, Term tau) {
  const auto found = std::ranges::find(torques, body, &BodyReaction::body);
  if (found == torques.end()) {
    torques.push_back({body, tau});
  } else {
    found->tau = found->tau + tau;
  }
}

RowInspection without_ground(const Model& model, RowInspection inspection) {
  KinematicTree tree(model);
  std::erase_if(inspection.forces, [&](const auto& force) { return tree.solid_of(force.point) == kNewtonian; });
  std::erase_if(inspection.torques, [](const auto& torque) { return torque.body == kNewtonian; });
  return inspection;
}

Term vector_gradient(const Model&, Term scalar, Term leaf) {
  VINCULUM_EXPECTS(leaf.is_vector());
  return Adjoints(scalar).of(leaf);
}

Model::Model() : terms(std::make_unique<TermPool>()), inspections(std::make_shared<InspectionMemory>()) {}

void InspectionMemory::read_from(const Model& model) {
  const std::array<std::size_t, 4> now{model.bodies.size(), model.frames.size(), model.points.size(),
                                       model.particles.size()};
  const std::lock_guard lock(mutex_);
  if (made_with_ == now) return;
  known.forget();
  variations.forget();
  paths.forget();
  heights.forget();
  expanded.forget();
  seen_in_newtonian.forget();
  made_with_ = now;
}

InspectionMemory& memory_of(const Model& model) {
  model.inspections->read_from(model);
  return *model.inspections;
}

RowInspection inspect_row(const Model& model, Term row, Level level) {
  return memory_of(model).known.of({row.id(), level}, [&] { return RowInspector(model, level).inspect(row); });
}

namespace {

/// The scalar that is inspected for a row: its rate in `row_rates` if the constraint states one, else the row.
std::pair<Term, Level> inspected(const Model& model, ConstraintId constraint, std::size_t row) {
  const Constraint& stated = model.constraint(constraint);
  if (row < stated.row_rates.size() && stated.row_rates[row].is_valid())
    return {stated.row_rates[row], Level::kVelocity};
  return {stated.rows[row], level_of(model, stated.rows[row])};
}

}  // namespace

RowInspection inspect_row(const Model& model, ConstraintId constraint, std::size_t row) {
  const auto [term, level] = inspected(model, constraint, row);
  return inspect_row(model, term, level);
}

Term passed_on(const Model& model, ConstraintId constraint, std::size_t row, PointId massless) {
  const auto [term, level] = inspected(model, constraint, row);
  const RowInspection inspection = RowInspector(model, level, {massless}).inspect(term);
  const auto found = std::ranges::find(inspection.forces, massless, &PointReaction::point);
  return found == inspection.forces.end() ? model.terms->zero_vector() : found->W;
}

std::optional<BodyId> carrier_of(const Model& model, PointId point) { return KinematicTree(model).carrier_of(point); }

bool names_point(const Constraint& constraint, PointId point) {
  const auto is_of_point = [point](Term leaf) {
    const TermKind kind = leaf.kind();
    if (kind != TermKind::kPosition && kind != TermKind::kVelocity && kind != TermKind::kAcceleration) return false;
    return leaf.index() == point.value || (kind == TermKind::kPosition && leaf.second() == point.value);
  };
  return std::ranges::any_of(constraint.rows,
                             [&](Term row) { return std::ranges::any_of(leaves_as_read(row), is_of_point); });
}

}  // namespace vinculum::model

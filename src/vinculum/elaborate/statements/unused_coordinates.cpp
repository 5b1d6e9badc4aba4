#include <algorithm>
#include <string>
#include <vector>

#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::elaborate {

namespace {

using model::FrameId;
using model::Model;
using model::PointId;
using model::Term;
using model::TermKind;

/// The coordinates on which terms, points and frames depend; each of these is visited once.
class CoordinatesOf {
 public:
  explicit CoordinatesOf(const Model& model)
      : model_(model),
        is_used_(model.coordinates.size()),
        has_frame_(model.frames.size()),
        has_observer_(model.frames.size()),
        has_point_(model.points.size()) {}

  void add(Term root) {
    if (!root.is_valid()) return;
    const auto is_known = [this](Term term) {
      return term.id().index() < has_term_.size() && has_term_[term.id().index()];
    };
    for (const Term node : model::in_order(root, is_known)) {
      has_term_.resize(std::max<std::size_t>(has_term_.size(), node.id().index() + 1));
      has_term_[node.id().index()] = true;
      leaf(node);
    }
  }

  void add(FrameId frame) {
    for (; frame.is_valid() && !has_frame_[frame.index()]; frame = model_.frame(frame).parent) {
      has_frame_[frame.index()] = true;
      const model::Frame& its = model_.frame(frame);
      for (const model::SimpleRotation& rotation : its.rotations) add(rotation.angle), add(rotation.direction);
      if (!its.quaternion) continue;
      for (const model::CoordinateId e : its.quaternion->e) is_used_[e.index()] = true;
    }
  }

  void add(PointId point) {
    for (; point.is_valid() && !has_point_[point.index()]; point = model_.point(point).base) {
      has_point_[point.index()] = true;
      add(model_.point(point).offset);
      add_observer(model_.point(point).on);
      if (const auto body = model_.point(point).center_of) add(model_.body(*body).frame);
    }
  }

  /// Adds a frame and the positions of its bodies, because velocities seen in the frame are relative to them.
  void add_observer(FrameId frame) {
    if (!frame.is_valid() || has_observer_[frame.index()]) return;
    has_observer_[frame.index()] = true;
    add(frame);
    if (const auto body = model_.frame(frame).body) add(model_.body(*body).center);
  }

  [[nodiscard]] bool has(std::size_t coordinate) const { return is_used_[coordinate]; }

 private:
  void leaf(Term node) {
    switch (node.kind()) {
      case TermKind::kCoordinate: is_used_[node.index()] = true; break;
      case TermKind::kSpeed: add(model_.speeds[node.index()].definition); break;
      case TermKind::kBasisVector: add(model::frame_of(node)); break;
      case TermKind::kPosition:
        add(model::point_of(node));
        add(PointId(std::size_t{node.second()}));
        break;
      case TermKind::kVelocity:
      case TermKind::kAcceleration:
        add(model::point_of(node));
        add_observer(model::seen_in(node));
        break;
      case TermKind::kAngularVelocity:
      case TermKind::kAngularAcceleration:
        add(model::frame_of(node));
        add(model::seen_in(node));
        break;
      default: break;
    }
  }

  const Model& model_;
  std::vector<bool> is_used_, has_frame_, has_observer_, has_point_, has_term_;
};

bool is_nothing(Term mass) { return mass.is_valid() && mass.is_zero(); }

}  // namespace

/// Reports coordinates that move no mass and occur in no constraint. Nothing determines their accelerations, whatever
/// loads depend on them.
void Elaborator::check_coordinates() {
  if (context_.file.has_faults || !context_.reporter.is_complete() || context_.guesses_places) return;
  CoordinatesOf used(model_);
  for (const model::Particle& one : model_.particles) {
    if (!is_nothing(one.mass)) used.add(one.point);
  }
  for (const model::Body& one : model_.bodies) {
    if (!is_nothing(one.mass)) used.add(one.center);
    used.add(one.frame);
  }
  for (const model::Load& load : model_.loads) {
    if (const auto* lagrangian = std::get_if<model::LagrangianFunction>(&load.what)) used.add(lagrangian->L);
  }
  for (const model::Constraint& constraint : model_.constraints) {
    for (const Term row : constraint.rows) used.add(row);
  }
  std::vector<std::size_t> unused;
  for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
    if (!used.has(i)) unused.push_back(i);
  }
  if (unused.empty()) return;
  constexpr std::size_t kMostNames = 4;
  std::string names;
  for (std::size_t k = 0; k < std::min(unused.size(), kMostNames); ++k)
    names += (k == 0 ? "`" : ", `") + model_.coordinates[unused[k]].name + "`";
  if (unused.size() > kMostNames) names += " and " + std::to_string(unused.size() - kMostNames) + " more";
  const bool is_one = unused.size() == 1;
  context_.reporter.error(
      diag::Kind::kUnusedCoordinate, model_.coordinates[unused[0]].range,
      (is_one ? "coordinate " : "coordinates ") + names + (is_one ? " appears" : " appear") +
          " in no mass or constraint",
      std::string("nothing determines ") + (is_one ? "its motion: use it" : "their motion: use them") +
          " in the place of a particle or a body, or in a `constraint`, or leave " + (is_one ? "it out" : "them out"));
}

}  // namespace vinculum::elaborate

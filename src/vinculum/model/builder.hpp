#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Builds a Model one statement at a time. C++ programs call it directly; the module elaborate calls it for a model
/// text.
///
/// Add an entity before you use it. Names are unique over all kinds of entities, and ids must come from this builder;
/// both are contracts. Source ranges and dimensions are optional.
class ModelBuilder {
 public:
  /// Begins a model whose only frame is the newtonian one.
  explicit ModelBuilder(std::string name, std::string newtonian_name = "N");

  /// The model as built so far. Callers set its title, sources, text and units directly.
  [[nodiscard]] Model& model() { return *model_; }
  [[nodiscard]] const Model& model() const { return *model_; }
  void name_newtonian(std::string name, SourceRange range = {});

  ParameterId add_parameter(std::string name, double value, Dimension dimension = {}, SourceRange range = {});
  CoordinateId add_coordinate(std::string name, Dimension dimension = {}, SourceRange range = {});
  /// \param definition  scalar of velocity level, affine in the q' (`finish` checks this)
  SpeedId add_speed(std::string name, Term definition, Dimension dimension = {}, SourceRange range = {});
  /// Adds a speed that is not affine in q' (see `is_affine_in_rates`). Also adds an output with the speed's name and
  /// value.
  /// \pre `complete_speeds` has not been called yet
  std::size_t add_nonlinear_speed(std::string name, Term definition, Dimension dimension = {}, SourceRange range = {});

  FrameId add_frame(std::string name, FrameId parent, std::vector<SimpleRotation> rotations, SourceRange range = {});
  /// Adds a frame that is rotated relative to its parent by `angle` about axis 0, 1 or 2 of the parent.
  FrameId add_rotated_frame(std::string name, FrameId parent, Term angle, int axis);
  /// Adds a frame that is rotated relative to its parent by `angle` about a nonzero direction that is constant in the
  /// parent.
  FrameId add_rotated_frame(std::string name, FrameId parent, Term angle, Term direction);

  /// \pre the coordinates occur in no other quaternion and in no angle of a rotation
  FrameId add_quaternion_frame(std::string name, FrameId parent, std::array<CoordinateId, 4> e, SourceRange range = {});

  PointId add_fixed_point(std::string name, FrameId frame, SourceRange range = {});
  PointId add_point(std::string name, PointId base, Term offset, SourceRange range = {});
  /// Adds the material point of frame `on` that is currently at base + offset.
  PointId add_point_on(std::string name, FrameId on, PointId base, Term offset, SourceRange range = {});
  ParticleId add_particle(std::string name, Term mass, PointId base, Term offset, SourceRange range = {});
  [[nodiscard]] PointId point_of(ParticleId particle) const { return model_->particle(particle).point; }

  /// Adds a rigid body and its mass center, a point of the same name.
  /// \param inertia  all six measure numbers in `frame`. Products of inertia carry their sign: xy = −∫ x y dm.
  /// \param about  the point fixed in the frame to which `inertia` refers; the builder converts `inertia` to the mass
  ///   center. Default: the mass center.
  /// \pre the frame is not the newtonian one and has no body yet.
  BodyId add_body(std::string name, FrameId frame, Term mass, Inertia inertia, PointId base, Term offset,
                  std::optional<PointId> about = {}, SourceRange range = {});
  [[nodiscard]] PointId center_of(BodyId body) const { return model_->body(body).center; }
  [[nodiscard]] FrameId frame_of(BodyId body) const { return model_->body(body).frame; }

  LoadId add_load(Load load);
  LoadId add_force(PointId point, Term force, std::optional<PointId> from = {});
  LoadId add_torque(FrameId body, Term torque, std::optional<FrameId> from = {});
  LoadId add_gravity(Term acceleration);
  LoadId add_spring(PointId first, PointId second, Term stiffness, Term length, Term damping = {});
  LoadId add_potential(Term energy);
  LoadId add_generalized_force(CoordinateId coordinate, Term force);

  /// Adds the constraint relation = 0. A scalar relation is one row. A vector relation has one row per direction in
  /// `along`; if `along` is empty, the directions are the newtonian x, y, z. The constraint has the level of the
  /// relation.
  ConstraintId add_constraint(std::string name, Term relation, std::span<const Term> along = {},
                              Dimension dimension = {}, SourceRange range = {}, std::string text = {});
  /// Adds a constraint made of scalar rows of any level; joints use this. If a row contains the velocity of a point P
  /// as seen in the frame of a body B, the opposite force acts on B. So the point of B that coincides with P is added,
  /// with the name `P on B`.
  /// \param dimensions  one per row, or empty.
  ConstraintId add_rows(std::string name, std::vector<Term> rows, std::vector<Dimension> dimensions = {},
                        std::string joint = {}, SourceRange range = {}, std::string text = {});
  /// \pre if multipliers of the law are states, these states have been added, one per row
  void set_law(ConstraintId constraint, std::shared_ptr<const Law> law);
  /// Adds a state z' = `state.rate`. An invalid rate means that the state is a multiplier of a reaction law.
  /// \pre rate and start are scalars if valid; the name is new.
  StateId add_state(State state);
  StateId add_state(std::string name, Term rate, Term start = {}, Dimension dimension = {});
  /// \pre L is a scalar of velocity level at most.
  LoadId add_lagrangian(Term L);
  /// \pre the reveal has either a point or a body, and directions.
  RevealId add_reveal(Reveal reveal);
  void add_nonideal(ConstraintId constraint, Nonideal nonideal);
  void add_nonideal_force(ConstraintId constraint, PointId point, Term force, std::optional<PointId> from = {});

  void add_output(std::string name, Term value, std::optional<FrameId> frame = {}, Dimension dimension = {},
                  SourceRange range = {});
  void add_start(StartCondition condition);

  // Shortcuts for terms of the model's pool
  [[nodiscard]] TermPool& terms() { return *model_->terms; }
  [[nodiscard]] Term number(double value) { return terms().number(value); }
  [[nodiscard]] Term time() { return terms().time(); }
  [[nodiscard]] Term parameter(ParameterId id) { return terms().parameter(id); }
  [[nodiscard]] Term q(CoordinateId id) { return terms().coordinate(id, 0); }
  [[nodiscard]] Term q_dot(CoordinateId id) { return terms().coordinate(id, 1); }
  [[nodiscard]] Term z(StateId id) { return terms().state(id); }
  [[nodiscard]] Term axis(FrameId frame, int axis) { return terms().basis_vector(frame, axis); }
  [[nodiscard]] Term pos(PointId to, PointId from) { return terms().position(to, from); }
  [[nodiscard]] Term vel(PointId point, FrameId seen_in = Model::newtonian()) {
    return terms().velocity(point, seen_in);
  }
  [[nodiscard]] Term acc(PointId point, FrameId seen_in = Model::newtonian()) {
    return terms().acceleration(point, seen_in);
  }
  [[nodiscard]] Term omega(FrameId frame, FrameId seen_in = Model::newtonian()) {
    return terms().angular_velocity(frame, seen_in);
  }
  [[nodiscard]] Term sin(Term x) { return terms().function(expr::Op::kSine, x); }
  [[nodiscard]] Term cos(Term x) { return terms().function(expr::Op::kCosine, x); }

  /// Adds default speeds q_i', in the order of the coordinates, until stated and default speeds together determine q'.
  /// Call it when all coordinates and speeds have been added; otherwise `finish` calls it.
  /// \returns kSingularKinematics if the stated speeds are not affine in q', depend on each other, or are more than the
  ///   coordinates; `coordinates` then contains the indices of these speeds.
  [[nodiscard]] std::optional<Failure> complete_speeds();

  /// Completes the speeds and returns the model; the builder is empty afterwards.
  [[nodiscard]] Outcome<std::shared_ptr<const Model>> finish();

 private:
  void claim(const std::string& name);
  /// For vel(P, F) or acc(P, F) in a row, where F is the frame of a body B: adds the point of B that coincides with P,
  /// with the name `P on B`.
  void add_coincident_points(Term row);
  std::unique_ptr<Model> model_;
  std::unordered_set<std::string> names_;
  bool has_all_speeds_ = false;
};

}  // namespace vinculum::model

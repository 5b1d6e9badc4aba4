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

/// Builds a Model one statement at a time: what programs call, and what elaboration calls for a text.
///
/// Things are added before they are used. Names are unique over all kinds, and an id is one this builder returned: both
/// are contracts. Ranges and dimensions may be left out.
class ModelBuilder {
 public:
  /// A model with its newtonian frame and nothing else.
  explicit ModelBuilder(std::string name, std::string newtonian_name = "N");

  /// The model so far; title, sources, text and units are set here directly.
  [[nodiscard]] Model& model() { return *model_; }
  [[nodiscard]] const Model& model() const { return *model_; }
  void name_newtonian(std::string name, SourceRange range = {});

  ParameterId add_parameter(std::string name, double value, Dimension dimension = {}, SourceRange range = {});
  CoordinateId add_coordinate(std::string name, Dimension dimension = {}, SourceRange range = {});
  /// \param definition scalar of velocity level, affine in the q'; `finish` finds out.
  SpeedId add_speed(std::string name, Term definition, Dimension dimension = {}, SourceRange range = {});
  /// One that is not affine in q' (`is_affine_in_rates`), whose value is an output of its name; before the speeds are
  /// complete.
  std::size_t add_nonlinear_speed(std::string name, Term definition, Dimension dimension = {}, SourceRange range = {});

  FrameId add_frame(std::string name, FrameId parent, std::vector<SimpleRotation> rotations, SourceRange range = {});
  /// One rotation about axis 0, 1 or 2 of the parent.
  FrameId add_rotated_frame(std::string name, FrameId parent, Term angle, int axis);
  /// One rotation about a direction fixed in the parent, of any length but zero.
  FrameId add_rotated_frame(std::string name, FrameId parent, Term angle, Term direction);

  /// \pre the coordinates stand in no other quaternion and in no angle.
  FrameId add_quaternion_frame(std::string name, FrameId parent, std::array<CoordinateId, 4> e, SourceRange range = {});

  PointId add_fixed_point(std::string name, FrameId frame, SourceRange range = {});
  PointId add_point(std::string name, PointId base, Term offset, SourceRange range = {});
  /// The material point of frame `on` that is now at base + offset.
  PointId add_point_on(std::string name, FrameId on, PointId base, Term offset, SourceRange range = {});
  ParticleId add_particle(std::string name, Term mass, PointId base, Term offset, SourceRange range = {});
  [[nodiscard]] PointId point_of(ParticleId particle) const { return model_->particle(particle).point; }

  /// A rigid body and its mass centre, a point of the same name.
  /// \param inertia  all six; products with their sign.
  /// \param about  where `inertia` is about another point fixed in the frame: it is made central here.
  /// \pre the frame is not newtonian and owns no body.
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

  /// relation = 0: scalar, or vector with one row per direction of `along` (newtonian x, y, z when it is empty).
  /// Its level follows from what the relation holds.
  ConstraintId add_constraint(std::string name, Term relation, std::span<const Term> along = {},
                              Dimension dimension = {}, SourceRange range = {}, std::string text = {});
  /// Rows of any level: what joints are made of. A velocity seen in the frame of a body adds the point of the body now
  /// there, `P on B`, for the opposite force to act at.  \param dimensions  one a row, or empty.
  ConstraintId add_rows(std::string name, std::vector<Term> rows, std::vector<Dimension> dimensions = {},
                        std::string joint = {}, SourceRange range = {}, std::string text = {});
  /// \pre multipliers that are states are there, one a row.
  void set_law(ConstraintId constraint, std::shared_ptr<const Law> law);
  /// \pre rate and start are scalars where valid; the name is new. A state whose rate is not valid is a law's
  /// multiplier.
  StateId add_state(State state);
  StateId add_state(std::string name, Term rate, Term start = {}, Dimension dimension = {});
  /// \pre L is a scalar of velocity level at most.
  LoadId add_lagrangian(Term L);
  /// \pre either a point or a body, and directions.
  RevealId add_reveal(Reveal reveal);
  void add_nonideal(ConstraintId constraint, Nonideal nonideal);
  void add_nonideal_force(ConstraintId constraint, PointId point, Term force, std::optional<PointId> from = {});

  void add_output(std::string name, Term value, std::optional<FrameId> frame = {}, Dimension dimension = {},
                  SourceRange range = {});
  void add_start(StartCondition condition);

  // Terms, shorter than through the pool.
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

  /// Adds the speeds q_i' that the stated ones leave open, coordinates gone through in order; to be called when all
  /// coordinates and speeds are there, or left to `finish`.
  /// \returns kSingularKinematics when the stated speeds are not affine in q', depend on each other or are more than
  /// the
  ///          coordinates; `coordinates` then holds the indices of the speeds at fault.
  [[nodiscard]] std::optional<Failure> complete_speeds();

  /// Completes the speeds and hands the model over; the builder is empty afterwards.
  [[nodiscard]] Outcome<std::shared_ptr<const Model>> finish();

 private:
  void claim(const std::string& name);
  /// Where a row holds vel(P, F) or acc(P, F), F of a body B: the point of B now at P, under the name `P on B`.
  void add_coincident_points(Term row);
  std::unique_ptr<Model> model_;
  std::unordered_set<std::string> names_;
  bool has_all_speeds_ = false;
};

}  // namespace vinculum::model

#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "vinculum/base/dimension.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/base/unit.hpp"
#include "vinculum/diag/source.hpp"
#include "vinculum/model/law.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::model {

using diag::SourceRange;

/// A number of the model, in SI units. Decisions that depend on numbers (dependent rows, the choice of speeds) are made
/// at `declared`, so that the equations are the same for all values.
struct Parameter {
  std::string name;
  double value;  ///< current value
  Dimension dimension;
  SourceRange range;
  double declared = value;  ///< value in the text
  /// In terms of earlier parameters; invalid for a plain number and for a value set from outside
  Term definition = {};
  UnitText unit = {};  ///< as declared; empty: SI
  /// The thing that its value decided when the model was built, "the length of a run"; empty: nothing
  std::string fixed_by = {};
};

/// A condition that functions of the parameters must satisfy, in addition to being finite.
struct Requirement {
  std::vector<ParameterId> parameters;  ///< parameters that occur in the terms
  std::vector<Term> terms;
  std::function<bool(std::span<const double>)> holds;  ///< whether the values of the terms satisfy the condition
  std::string text;                                    ///< "the mass of `A` is not negative"
};

struct Coordinate {
  std::string name;
  Dimension dimension;
  SourceRange range;
  std::optional<double> scale = {};  ///< typical size > 0 in SI, if it is stated
  UnitText unit = {};                ///< as declared; empty: SI
};

/// Motion variable. The defaults are u_i = q_i' with the name `q1'`, and B.wx, B.wy, B.wz = dot(omega(B,A), B.x) … for
/// the quaternion of a frame B with parent A. Stated speeds have a definition that is affine in the q'.
struct Speed {
  std::string name;
  Term definition;  ///< scalar term of velocity level
  bool is_default;  ///< default q_i', taken because fewer speeds are stated than there are coordinates
  Dimension dimension;
  SourceRange range;
  UnitText unit = {};  ///< as declared; empty: that of the coordinate per second, else SI
};

/// A stated speed u = U(q, q', t) that is not affine in q' ([SZ] Remark 4: quasi-velocities may depend on q'
/// nonlinearly; theory.md §0). The motion is integrated in `Model::speeds`, so that q' = w(q, u, t) stays on the branch
/// of the start. In texts, start values and results this speed replaces one of those.
struct NonlinearSpeed {
  Speed speed;
  SpeedId in_place_of = {};       ///< the default speed that it replaces; valid once the speeds are complete
  std::size_t speeds_before = 0;  ///< number of affine speeds stated before it
};

/// A rotation about one axis that is fixed both in the frame before and in the frame after it.
struct SimpleRotation {
  int axis = -1;   ///< 0, 1, 2; −1: `direction`
  Term direction;  ///< unit vector constant in the parent frame, for axis == −1
  Term angle;      ///< [rad] scalar of position level
};

/// R = 1 + 2 (e0 [e]× + [e]×²)/|(e0, e)|², homogeneous of degree 0 in the four coordinates, whose norm is arbitrary.
/// They have three independent rates: the measure numbers, in the frame itself, of its angular velocity in the parent.
struct QuaternionRotation {
  std::array<CoordinateId, 4> e;
};

/// A frame: its parent rotated by rotations one after another, each about an axis of the frame reached so far, or by a
/// quaternion.
struct Frame {
  std::string name;
  FrameId parent;                         ///< not valid for the newtonian frame
  std::vector<SimpleRotation> rotations;  ///< empty for the newtonian frame and for a quaternion
  SourceRange range;
  std::optional<QuaternionRotation> quaternion = {};
  std::optional<BodyId> body = {};  ///< the rigid body that is fixed in this frame, if any
};

/// A point: the origin of `frame` (offset invalid), or `base` + `offset`. If `on` is valid, it is at each instant the
/// material point of that frame at this place (a contact). Its velocity and acceleration are then the velocity and
/// acceleration of the material point; the derivatives of its position follow the place.
struct Point {
  std::string name;
  FrameId frame;  ///< valid only for `point O fixed in N`
  PointId base;
  Term offset;
  std::optional<ParticleId> particle;  ///< the particle at this point, with the same name
  SourceRange range;
  std::optional<BodyId> center_of = {};  ///< the body whose mass center this is, with the same name
  FrameId on = {};                       ///< valid only for `point P on B`
};

struct Particle {
  std::string name;
  PointId point;
  Term mass;
  SourceRange range;
};

/// Symmetric dyadic, given by its measure numbers b_i·I·b_j in the frame of a body; products of inertia with their
/// sign: xy = −∫xy dm. [kg m²], scalars of position level.
struct Inertia {
  Term xx, yy, zz, xy, yz, zx;
};

/// A rigid body. It owns its frame.
struct Body {
  std::string name;
  FrameId frame;
  PointId center;  ///< mass center, a Point with the name of the body
  Term mass;
  Inertia inertia;  ///< about the mass center
  SourceRange range;
};

struct ForceOn {
  PointId point;
  Term force;
  std::optional<PointId> from;
};  ///< the opposite force acts on `from`
struct TorqueOn {
  FrameId body;
  Term torque;
  std::optional<FrameId> from;
};  ///< acts on the body that owns the frame; the opposite torque acts on `from`
struct Gravity {
  Term acceleration;
};
struct SpringBetween {
  PointId first, second;
  Term stiffness, length, damping;
};  ///< invalid damping: none
struct PotentialEnergy {
  Term energy;
};
struct GeneralizedForceOn {
  CoordinateId coordinate;
  Term force;
};  ///< its power is force · q'
/// L(q, q', t), added to the contributions of particles and bodies (theory.md §1).
struct LagrangianFunction {
  Term L;
};
struct Load {
  using What =
      std::variant<ForceOn, TorqueOn, Gravity, SpringBetween, PotentialEnergy, GeneralizedForceOn, LagrangianFunction>;
  What what;  ///< friction directions are kept as separate unknowns, see Slide
  SourceRange range;
  std::optional<What> stated = {};  ///< as written in the text, if `what` contains friction directions; for listings
  Term static_ratio = {};           ///< ratio of the static bound of dry friction to the kinetic one; invalid: 1
  Term coefficient = {};            ///< coefficient of dry friction, which must be ≥ 0; invalid: not stated
  bool is_friction = false;         ///< from a statement `friction on q = …`
};

/// The forces of one unit of effort: for `via force on P along VEC [from Q]` force = VEC, for `via torque on B …` the
/// torque. For row k of `law directed along …`: the direction at the point on which the row acts, and the opposite at
/// the second point if it acts on two.
struct Actuator {
  std::vector<ForceOn> forces;
  std::vector<TorqueOn> torques;
  std::vector<GeneralizedForceOn> generalized;
  /// Typical effort > 0 in SI: Σ (effort/scale)² is minimized if there are more actuators than rows
  double scale = 1.0;
  SourceRange range;
  Dimension dimension = {};  ///< dimension of the effort
  /// Typical effort as a scalar of position level, if it is not a number. Forces and torques contain it as a factor, so
  /// that the unknown is the effort divided by it; invalid: 1.
  Term unit = {};
};

/// One `nonideal on` clause: a part of C in theory.md §4.
struct Nonideal {
  using What = std::variant<ForceOn, TorqueOn, GeneralizedForceOn>;
  What what;  ///< friction directions are kept as separate unknowns, see Slide
  SourceRange range;
  What stated = {};        ///< as written in the text, for listings
  Term static_ratio = {};  ///< ratio of the coefficient of static friction to the kinetic one; invalid: 1
  Term coefficient = {};   ///< friction coefficient or bound, which must be ≥ 0; invalid: not stated
};

/// A friction contact: a velocity v whose direction occurs as unit(v), sign(v), v/norm(v) or v/|v| in a `nonideal`
/// clause or a load whose force is linear in it. For v ≠ 0 the direction is v/|v|; in stick it is the s with |s| ≤
/// static_ratio that keeps v = 0 (theory.md §4.6).
struct Slide {
  ConstraintId constraint;  ///< the constraint that has the clause; invalid for a load
  Term velocity;            ///< scalar or vector of velocity level
  Term static_ratio;        ///< not valid: 1
  LoadId load = {};         ///< valid for a load
  Term coefficient = {};    ///< stated coefficient, which must be ≥ 0; invalid: none
  [[nodiscard]] int components() const { return velocity.is_vector() ? 3 : 1; }
};

struct Constraint {
  std::string name;
  Level level = Level::kPosition;
  std::vector<Term> rows;  ///< scalar relations row = 0, LHS − RHS along each direction
  std::shared_ptr<const Law> law = std::make_shared<Law>();
  std::vector<Nonideal> nonideal;
  Dimension dimension;                         ///< dimension of a row
  SourceRange range;                           ///< of the whole relation, for failures at run time
  std::string text;                            ///< the relation as the user wrote it
  std::vector<Dimension> row_dimensions = {};  ///< of each row if they differ (joints); else empty
  std::vector<Term> row_rates =
      /// For rows of position level, or empty. If valid: a scalar of velocity level that equals the row's rate wherever
      /// the rows are satisfied, written with the velocities of the points where its force acts. Inspection uses it
      /// instead of the row (for a gap: the force acts at the contact)
      {};
  Term branch = {};  ///< condition on q, u, u', t that selects one of several accelerations; invalid: not stated
  Term when = {};    ///< condition on t, q, u, z while which the constraint acts; invalid: always
  /// Kind of the joint it comes from: "revolute"; else empty. Rows of a joint may differ in level; `level` is then the
  /// highest
  std::string joint = {};
  std::vector<FrameId> sides =
      {};  ///< the two solids that a joint acts on, if its points are fixed in them; else empty
};

/// Whether it is a constraint of higher order (theory.md §6.5).
[[nodiscard]] inline bool is_higher_order(const Constraint& constraint) {
  return constraint.law->kept() == Kept::kByDerivatives;
}
/// Whether it has rows in the equations of motion, A u' = b. Penalty realizations and constraints of higher order have
/// none.
[[nodiscard]] inline bool has_rows(const Constraint& constraint) { return constraint.law->kept() == Kept::kByRows; }
/// Whether it has a penalty realization (theory.md §6.8) and so no multiplier.
[[nodiscard]] inline bool is_realised(const Constraint& constraint) {
  return constraint.law->kept() == Kept::kByPhysics;
}
/// Whether it does no virtual work: its law is ideal and no `nonideal` clause is stated.
[[nodiscard]] inline bool is_ideal(const Constraint& constraint) {
  return constraint.law->is_ideal() && constraint.nonideal.empty();
}

/// The word of its reaction law, or "nonideal".
[[nodiscard]] inline std::string_view law_name(const Constraint& constraint) {
  return constraint.law->is_ideal() && !constraint.nonideal.empty() ? "nonideal" : constraint.law->word();
}

/// `reveal NAME: force on P along …`: measure numbers of the force (torque) that joints embedded in the coordinates
/// exert. It acts on P and everything offset from it (on the body and everything that turns with it), and comes from
/// the base of P (theory.md §5.5).
struct Reveal {
  std::string name;
  PointId point;            ///< valid for a force
  FrameId body;             ///< valid for a torque: frame owned by the body
  std::vector<Term> along;  ///< vectors
  SourceRange range;
};

/// `state z' = EXPR`: an extra first-order state. Also a multiplier μ that is a state (Law::mu); its rate follows from
/// the reaction law.
struct State {
  std::string name;  ///< "z"; for a multiplier "mu(c)" or "mu(c)[2]"
  Term rate;         ///< scalar of t, q, u, states (and multipliers λ); invalid for a multiplier of a law
  Term start;        ///< of position level; invalid: 0
  bool is_start_stated = false;
  Dimension dimension;
  SourceRange range;
  bool is_of_input = false;  ///< a held value of an input
};

/// `input u = EXPR`: a quantity given from outside. Its value is u = own EXPR + given, of held states. If EXPR is
/// constant, the value is the state `given` alone, whose start is EXPR.
struct Input {
  std::string name;
  StateId given;     ///< the value; 0 while EXPR acts
  StateId rate;      ///< d/dt of `given`: not 0 along a linear record
  StateId own = {};  ///< 1 while EXPR acts, 0 once a value is given; invalid: EXPR is constant
  Dimension dimension;
  SourceRange range;
};

/// What an event does.
struct EventAction {
  enum class Kind { kStop, kRecord, kSetSpeed, kSetState } kind{};
  std::uint32_t index = 0;  ///< SpeedId or StateId of the variable that is set
  Term value = {};          ///< new value: scalar of t, q, u, z before the event
};

/// `event`, `terminate when`, or the samples of a state (`state x every T = …`).
struct Event {
  enum class Trigger {
    kBecomesTrue,   ///< the condition becomes true
    kBecomesFalse,  ///< the condition becomes false
    kChanges,       ///< either
    kAt,            ///< t = `time`
    kEvery,         ///< t = k `time`, k = 0, 1, 2, …
  };
  std::string name;  ///< empty: the samples of a state, which are not listed
  Trigger trigger{};
  Term condition = {};  ///< of t, q, u, z
  Term time = {};       ///< [s] of parameters
  std::vector<EventAction> actions;
  SourceRange range;
  bool terminates = false;  ///< `terminate when`

  [[nodiscard]] bool is_timed() const { return trigger == Trigger::kAt || trigger == Trigger::kEvery; }
};

struct Output {
  std::string name;
  Term value;                    ///< scalar or vector; invalid for a list
  std::optional<FrameId> frame;  ///< measure numbers in this frame (vectors; newtonian if not stated)
  Dimension dimension;
  SourceRange range;
  std::vector<Term> components = {};  ///< scalars of a list: `multiplier(c)` of a constraint with several rows
  std::vector<Dimension> component_dimensions = {};  ///< if they differ; else empty
  bool is_moment = false;                            ///< known to be a moment and not an energy
  std::vector<bool> component_is_moment = {};        ///< for each component of a list; or empty
  UnitText unit = {};                                ///< stated by `as [unit]`; empty: the result of `units_of`
};

enum class StartKind { kHeld, kGuess };
/// A start condition on q, q' or u.
struct StartCondition {
  enum class On { kCoordinate, kCoordinateRate, kSpeed, kHigherRate, kNonlinearSpeed } on;
  std::uint32_t index;  ///< CoordinateId, SpeedId, or index of the nonlinear speed
  StartKind kind;
  Term value;  ///< of position level: may contain the assembled q, parameters, t
  SourceRange range;
  int order = 1;  ///< order of the rate: 1, or from 2 for kHigherRate (a state of theory.md §6.5)
};

struct RunSettings {
  double duration = 0.0;                ///< [s]
  std::optional<double> step;           ///< [s] output step
  std::optional<double> max_step = {};  ///< [s] longest integration step
  double tolerance = tolerance::kDefaultRun;
  std::string method = "dop853";
  std::string formulation = "explicit";
  SourceRange range;
  std::vector<SpeedId> independent = {};  ///< stated for the minimal formulation; empty: found by pivoting
};

/// `conserve EXPR`: projection keeps its start value (compiled/level_outputs.hpp), after a check that it is an
/// invariant.
struct Conserved {
  enum class What { kEnergy, kHamiltonian, kEffectiveEnergy, kMomentum, kExpression } what = What::kExpression;
  Term value;                    ///< scalar of velocity level
  CoordinateId coordinate = {};  ///< for kMomentum: ∂L/∂q'
  Dimension dimension = {};
  std::string text = {};  ///< as written by the user
  SourceRange range = {};
};

/// One `expect` statement: an equality with a tolerance, a condition, or how the run must stop.
struct Expectation {
  enum class When { kAt, kStart, kEnd, kAlways, kStop } when;
  double time = 0.0;  ///< [s] for kAt, and for kStop if a time is stated
  bool has_time = false;
  Term left;               ///< scalar or vector; invalid for kStop
  Term right;              ///< for EXPR = VALUE the value; invalid for a comparison, where `left` is the condition
  double tolerance = 0.0;  ///< SI
  std::string stop_kind;   ///< for kStop
  std::string text;        ///< as written by the user
  SourceRange range;
};

struct InspectionMemory;
struct View;

/// A complete and checked mechanical system. Built once (by elaborate, or by a program through `add_…`), then const and
/// shared. Entities are found by id; names are unique over all kinds.
struct Model {
  Model();

  std::string name;
  std::string title;
  std::vector<std::string> sources;
  diag::SourceText source_text;  ///< the text of the model; empty for a model built by a program
  bool has_units = false;        ///< whether the text states any unit; if not, all quantities are dimensionless

  std::unique_ptr<TermPool> terms;
  std::shared_ptr<InspectionMemory> inspections;  ///< cache of `inspect_row`
  std::vector<Parameter> parameters;
  std::vector<Requirement> requirements;  ///< conditions on the parameter values
  std::vector<Coordinate> coordinates;
  std::vector<Speed> speeds;  ///< complete: nu speeds, stated ones first, in order; nu = nq − one per quaternion
  std::vector<NonlinearSpeed> nonlinear_speeds;
  std::vector<Frame> frames;  ///< frames[0] is newtonian; parents precede children
  std::vector<Point> points;  ///< bases precede the points defined from them
  std::vector<Particle> particles;
  std::vector<Body> bodies;
  std::vector<Load> loads;
  std::vector<Constraint> constraints;
  std::vector<Slide> slides;  ///< friction contacts of the `nonideal` clauses and loads
  std::vector<Reveal> reveals;
  std::vector<State> states;
  std::vector<Input> inputs;
  std::vector<Event> events;  ///< in declared order
  std::vector<Output> outputs;
  std::vector<StartCondition> starts;
  std::optional<RunSettings> run;
  std::vector<Expectation> expectations;
  std::vector<Conserved> conserved;
  std::shared_ptr<const View> view;  ///< what a drawing shows (view.hpp); null: the default drawing

  [[nodiscard]] const Frame& frame(FrameId id) const { return frames[id.index()]; }
  [[nodiscard]] const Point& point(PointId id) const { return points[id.index()]; }
  [[nodiscard]] const Particle& particle(ParticleId id) const { return particles[id.index()]; }
  [[nodiscard]] const Body& body(BodyId id) const { return bodies[id.index()]; }
  [[nodiscard]] const Reveal& reveal(RevealId id) const { return reveals[id.index()]; }
  [[nodiscard]] const Constraint& constraint(ConstraintId id) const { return constraints[id.index()]; }
  [[nodiscard]] static constexpr FrameId newtonian() { return FrameId(std::size_t{0}); }
};

inline constexpr FrameId kNewtonian = Model::newtonian();

/// The point or frame of a leaf that describes motion, and the frame in which it is seen.
[[nodiscard]] inline PointId point_of(Term leaf) { return PointId(std::size_t{leaf.index()}); }
[[nodiscard]] inline FrameId frame_of(Term leaf) { return FrameId(std::size_t{leaf.index()}); }
[[nodiscard]] inline FrameId seen_in(Term leaf) { return FrameId(std::size_t{leaf.second()}); }

}  // namespace vinculum::model

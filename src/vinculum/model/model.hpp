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

/// A parameter of the model, in SI units. Decisions that depend on numbers (dependent rows, choice of speeds) use
/// `declared`, so that the equations are the same for all values.
struct Parameter {
  std::string name;
  double value;  ///< the value in use
  Dimension dimension;
  SourceRange range;
  double declared = value;  ///< the value in the model text
  /// Formula in earlier parameters. Invalid if the parameter is a plain number or its value is set from outside
  Term definition = {};
  UnitText unit = {};  ///< unit as declared in the text; empty: the SI unit
  /// What the parameter's value determined when the model was built, "the length of a run", so that the value cannot be
  /// changed afterwards; empty: nothing
  std::string fixed_by = {};
};

/// A condition on functions of the parameters. The functions must be finite too.
struct Requirement {
  std::vector<ParameterId> parameters;  ///< parameters that occur in the terms
  std::vector<Term> terms;
  std::function<bool(std::span<const double>)> holds;  ///< whether the values of the terms satisfy the condition
  std::string text;                                    ///< the condition in words, "the mass of `A` is not negative"
};

struct Coordinate {
  std::string name;
  Dimension dimension;
  SourceRange range;
  std::optional<double> scale = {};  ///< typical size > 0 in SI, if it is stated
  UnitText unit = {};                ///< unit as declared in the text; empty: the SI unit
};

/// Motion variable. Defaults are u_i = q_i' with the name `q1'`. For the quaternion of a frame B with parent A they are
/// B.wx, B.wy, B.wz = dot(omega(B,A), B.x) and so on. The definition of a stated speed is affine in the q'.
struct Speed {
  std::string name;
  Term definition;  ///< the speed as a scalar term of velocity level
  bool is_default;  ///< not stated: added because fewer speeds are stated than there are coordinates
  Dimension dimension;
  SourceRange range;
  UnitText unit = {};  ///< as declared; empty: the unit of the coordinate per second, else SI
};

/// A stated speed u = U(q, q', t) that is not affine in q' ([SZ] Remark 4: quasi-velocities may depend on q'
/// nonlinearly; theory.md §1). The integrated variables are `Model::speeds`, so that the inverse q' = w(q, u, t) stays
/// on the branch of the start. In texts, start values and results the nonlinear speed replaces one of `Model::speeds`.
struct NonlinearSpeed {
  Speed speed;
  SpeedId in_place_of = {};       ///< the default speed that it replaces; valid once the speeds are complete
  std::size_t speeds_before = 0;  ///< number of affine speeds stated before it
};

/// A rotation about one axis; the axis is fixed both in the frame before the rotation and in the frame after it.
struct SimpleRotation {
  int axis = -1;   ///< 0, 1, 2 for x, y, z; −1: the axis is `direction`
  Term direction;  ///< unit vector constant in the parent frame, for axis == −1
  Term angle;      ///< [rad] scalar of position level
};

/// Rotation by a quaternion (e0, e): R = 1 + 2 (e0 [e]× + [e]×²)/|(e0, e)|². R is homogeneous of degree 0 in the four
/// coordinates, so their norm is arbitrary. They have three independent rates: the measure numbers, in the rotated
/// frame, of its angular velocity relative to the parent.
struct QuaternionRotation {
  std::array<CoordinateId, 4> e;
};

/// A frame. It results from its parent by rotations one after another, each about an axis of the frame reached so far,
/// or by a quaternion.
struct Frame {
  std::string name;
  FrameId parent;                         ///< not valid for the newtonian frame
  std::vector<SimpleRotation> rotations;  ///< empty for the newtonian frame and for a quaternion
  SourceRange range;
  std::optional<QuaternionRotation> quaternion = {};
  std::optional<BodyId> body = {};  ///< the rigid body that is fixed in this frame, if any
};

/// A point: the origin of `frame` (if `offset` is invalid), or `base` + `offset`. If `on` is valid, the point is at
/// each instant the material point of frame `on` that is at this position (a contact). Its velocity and acceleration
/// are those of the material point. The time derivatives of its position are not: they follow the position.
struct Point {
  std::string name;
  FrameId frame;  ///< valid only for `point O fixed in N`
  PointId base;
  Term offset;
  std::optional<ParticleId> particle;  ///< the particle at this point, with the same name
  SourceRange range;
  std::optional<BodyId> center_of = {};  ///< the body whose mass center this is, with the same name
  FrameId on = {};                       ///< the frame B of `point P on B`; invalid for other points
  /// False for the point of `force on B = VEC at PLACE`, whose name is in brackets.
  [[nodiscard]] bool has_own_name() const { return !name.starts_with('('); }
};

struct Particle {
  std::string name;
  PointId point;
  Term mass;
  SourceRange range;
};

/// Symmetric inertia dyadic, given by its measure numbers b_i·I·b_j along the basis vectors of a body's frame. Products
/// of inertia carry their sign: xy = −∫xy dm. [kg m²], scalars of position level.
struct Inertia {
  Term xx, yy, zz, xy, yz, zx;
};

/// A rigid body. It owns its frame.
struct Body {
  std::string name;
  FrameId frame;
  PointId center;  ///< mass center, a Point with the name of the body
  Term mass;
  Inertia inertia;  ///< inertia about the mass center
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
/// A stated Lagrangian function L(q, q', t). It is added to that of the particles and bodies (theory.md §1).
struct LagrangianFunction {
  Term L;
};
struct Load {
  using What =
      std::variant<ForceOn, TorqueOn, Gravity, SpringBetween, PotentialEnergy, GeneralizedForceOn, LagrangianFunction>;
  What what;  ///< the load; if it is friction, its friction directions are separate unknowns (see Slide)
  SourceRange range;
  /// as written in the text, if `what` contains friction directions; used in listings
  std::optional<What> stated = {};
  Term static_ratio = {};    ///< static bound of dry friction divided by the kinetic friction force; invalid: 1
  Term coefficient = {};     ///< coefficient of dry friction, which must be ≥ 0; invalid: not stated
  bool is_friction = false;  ///< whether a statement `friction on q = …` defines the load
};

/// The forces of one unit of effort. For `via force on P along VEC [from Q]` it is the force VEC, for `via torque on B
/// …` the torque VEC. For row k of `law directed along …` it is the stated direction as a force on the point on which
/// the row acts. If the row acts on two points, the opposite force acts on the second one.
struct Actuator {
  std::vector<ForceOn> forces;
  std::vector<TorqueOn> torques;
  std::vector<GeneralizedForceOn> generalized;
  /// Typical effort > 0 in SI. If there are more actuators than rows, Σ (effort/scale)² is minimized
  double scale = 1.0;
  SourceRange range;
  Dimension dimension = {};  ///< dimension of the effort, for example that of a force
  /// Typical effort as a scalar of position level, if it is not a number. Forces and torques contain it as a factor, so
  /// the unknown of the equations is the effort divided by `unit`. Invalid: 1.
  Term unit = {};
};

/// One `nonideal on` clause: its contribution to the vector C (theory.md §4).
struct Nonideal {
  using What = std::variant<ForceOn, TorqueOn, GeneralizedForceOn>;
  What what;  ///< the force or torque; its friction directions are separate unknowns (see Slide)
  SourceRange range;
  What stated = {};        ///< as written in the text; used in listings
  Term static_ratio = {};  ///< coefficient of static friction divided by the kinetic one; invalid: 1
  Term coefficient = {};   ///< friction coefficient or bound, which must be ≥ 0; invalid: not stated
};

/// A friction contact. It belongs to a velocity v whose direction occurs as unit(v), sign(v), v/norm(v) or v/|v| in a
/// `nonideal` clause or a load, if the force is linear in that direction. For v ≠ 0 the direction is v/|v|. In stick it
/// is the vector s with |s| ≤ static_ratio that keeps v = 0 (theory.md §4.6).
struct Slide {
  ConstraintId constraint;  ///< the constraint that has the clause; invalid for a load
  Term velocity;            ///< the sliding velocity v, a scalar or vector of velocity level
  Term static_ratio;        ///< ratio of static to kinetic friction; invalid: 1
  LoadId load = {};         ///< the load that contains v; invalid for a clause of a constraint
  Term coefficient = {};    ///< stated coefficient, which must be ≥ 0; invalid: none
  [[nodiscard]] int components() const { return velocity.is_vector() ? 3 : 1; }
};

/// Condition that ends the restitution of a contact in an impact. γ⁻ is the normal velocity before the impact, γ the
/// present one. W_c and W_r ≥ 0 are the works of the normal force in compression and in restitution, p_c and p_r its
/// impulses. e is the coefficient of restitution. Source: theory.md §10.3.
enum class RestitutionLaw : char {
  kEnergetic,  ///< W_r = −e² W_c (Stronge)
  kNewton,     ///< γ = −e γ⁻
  kPoisson,    ///< p_r = e p_c
  kMoreau,     ///< no process: one problem for velocities after the impact, γ + e min(γ⁻, 0) ≥ 0
};

/// `constraint NAME: LHS >= RHS`, or `<=`: the row is the gap, which must not become negative. The constraint acts
/// while the gap is closed; its multiplier is then ≥ 0. It is a constraint with the condition (`Constraint::when`)
/// 0.5 < closed. Only the event sources of contacts set this state.
struct Unilateral {
  StateId closed;    ///< 1 while the constraint acts, 0 while the gap is open
  Term restitution;  ///< coefficient of restitution, in [0, 1]
  Term compliance;   ///< > 0, constant; selects forces that are not unique (theory.md §10.3). Invalid: rigid
  RestitutionLaw law = RestitutionLaw::kEnergetic;
  bool is_sequential = false;  ///< impacts at one instant happen one after the other
};

struct Constraint {
  std::string name;
  Level level = Level::kPosition;
  std::vector<Term> rows;  ///< scalar relations row = 0: left side minus right side, along each direction
  std::shared_ptr<const Law> law = std::make_shared<Law>();
  std::vector<Nonideal> nonideal;
  Dimension dimension;                         ///< dimension of each row, unless `row_dimensions` is given
  SourceRange range;                           ///< of the whole relation, for failures at run time
  std::string text;                            ///< the relation as the user wrote it
  std::vector<Dimension> row_dimensions = {};  ///< dimension of each row if the rows differ (joints); else empty
  std::vector<Term> row_rates =
      /// Empty, or one entry per row of position level. A valid entry is a scalar of velocity level that equals the
      /// row's time derivative wherever the rows are satisfied, written with velocities of the points where the row's
      /// force acts. Inspection then uses it instead of the row. For example, the force that closes a gap acts at the
      /// contact.
      {};
  Term branch = {};  ///< condition on q, u, u', t that selects one of several accelerations; invalid: not stated
  Term when = {};    ///< condition on t, q, u, z while which the constraint acts; invalid: always
  std::optional<Unilateral> unilateral = {};
  /// Kind of the joint that the constraint comes from: "revolute"; else empty. Rows of a joint may differ in level;
  /// `level` is then the highest of them
  std::string joint = {};
  std::vector<FrameId> sides =
      {};  ///< the two solids that a joint acts on, if its points are fixed in them; else empty
};

/// Whether the constraint is of higher order: it raises the order of the equations of motion (theory.md §6.5).
[[nodiscard]] inline bool is_higher_order(const Constraint& constraint) {
  return constraint.law->kept() == Kept::kByDerivatives;
}
/// Whether the constraint has rows in A u' = b. Penalty realizations and constraints of higher order have no rows
/// there.
[[nodiscard]] inline bool has_rows(const Constraint& constraint) { return constraint.law->kept() == Kept::kByRows; }
/// Whether the constraint has a penalty realization (theory.md §6.8) and so no multiplier λ.
[[nodiscard]] inline bool is_realised(const Constraint& constraint) {
  return constraint.law->kept() == Kept::kByPhysics;
}
/// Whether the reaction does no virtual work: the law is ideal, and no `nonideal` clause is stated.
[[nodiscard]] inline bool is_ideal(const Constraint& constraint) {
  return constraint.law->is_ideal() && constraint.nonideal.empty();
}

/// The word of the constraint's reaction law; "nonideal" for an ideal law with a `nonideal` clause.
[[nodiscard]] inline std::string_view law_name(const Constraint& constraint) {
  return constraint.law->is_ideal() && !constraint.nonideal.empty() ? "nonideal" : constraint.law->word();
}

/// `reveal NAME: force on P along …`: measure numbers of the force (or torque) that is exerted by joints which the
/// coordinates have eliminated. The base of P exerts the force on P and on all points offset from P. A torque acts on
/// the body and on everything that turns with it (theory.md §5.5).
struct Reveal {
  std::string name;
  PointId point;            ///< the point of a revealed force; else invalid
  FrameId body;             ///< for a torque: the frame owned by the body; else invalid
  std::vector<Term> along;  ///< vectors along which the force or torque is measured
  SourceRange range;
};

/// `state z' = EXPR`: an extra first-order state. A multiplier μ that is a state (Law::mu) is also stored as a State;
/// the reaction law defines its rate.
struct State {
  std::string name;  ///< "z" as stated; for a multiplier "mu(c)" or "mu(c)[2]"
  Term rate;         ///< scalar of t, q, u, states (and multipliers λ); invalid for a multiplier of a law
  Term start;        ///< start value, of position level; invalid: 0
  bool is_start_stated = false;
  Dimension dimension;
  SourceRange range;
  bool is_of_input = false;  ///< one of the states of an `input`
  UnitText unit = {};        ///< as declared; empty: the SI unit
};

/// `input u = EXPR`: a quantity that is given from outside during a run. Its value is u = own · EXPR + given, where
/// `own` and `given` are states. If EXPR is constant, the value is the state `given` alone, and EXPR is its start.
struct Input {
  std::string name;
  StateId given;     ///< the value given from outside; 0 while EXPR is in force
  StateId rate;      ///< time derivative of `given`; it is not 0 if recorded values are interpolated linearly
  StateId own = {};  ///< 1 while EXPR is in force, 0 once a value is given; invalid: EXPR is constant
  Dimension dimension;
  SourceRange range;
};

/// One action of an event: stop, record, or set a variable.
struct EventAction {
  enum class Kind {
    kStop,
    kRecord,
    kSetSpeed,
    kSetState,
    kClose,  ///< the gap of a unilateral constraint closes: an impact
  } kind{};
  std::uint32_t index = 0;  ///< SpeedId or StateId of the variable that is set; ConstraintId of the gap that closes
  Term value = {};          ///< new value: scalar of t, q, u, z before the event; kClose: coefficient of restitution
};

/// `event`, `terminate when`, the samples of a state (`state x every T = …`), or the closing of the gap of a
/// unilateral constraint.
struct Event {
  enum class Trigger {
    kBecomesTrue,   ///< the condition becomes true
    kBecomesFalse,  ///< the condition becomes false
    kChanges,       ///< the condition becomes true or false
    kAt,            ///< the time reaches `time`
    kEvery,         ///< the time reaches k `time`, k = 0, 1, 2, …
  };
  std::string name;  ///< empty: the samples of a state, or a gap that closes; these are not listed
  Trigger trigger{};
  Term condition = {};  ///< condition on t, q, u, z
  Term time = {};       ///< [s] an expression in parameters
  std::vector<EventAction> actions;
  SourceRange range;
  bool terminates = false;  ///< whether the statement is `terminate when`

  [[nodiscard]] bool is_timed() const { return trigger == Trigger::kAt || trigger == Trigger::kEvery; }
  [[nodiscard]] bool is_sample() const { return name.empty() && is_timed(); }
  [[nodiscard]] bool is_closing() const {
    return actions.size() == 1 && actions.front().kind == EventAction::Kind::kClose;
  }
};

struct Output {
  std::string name;
  Term value;                    ///< scalar or vector; invalid for a list
  std::optional<FrameId> frame;  ///< measure numbers in this frame (vectors; newtonian if not stated)
  Dimension dimension;
  SourceRange range;
  std::vector<Term> components = {};  ///< scalars of a list: `multiplier(c)` of a constraint with several rows
  std::vector<Dimension> component_dimensions = {};  ///< dimension of each component if they differ; else empty
  bool is_moment = false;                      ///< the value is a moment, although it has the dimension of an energy
  std::vector<bool> component_is_moment = {};  ///< `is_moment` for each component of a list; or empty
  UnitText unit = {};                          ///< stated by `as [unit]`; empty: the result of `units_of`
};

enum class StartKind { kHeld, kGuess };
/// A start condition on a coordinate, a rate or a speed.
struct StartCondition {
  enum class On { kCoordinate, kCoordinateRate, kSpeed, kHigherRate, kNonlinearSpeed } on;
  std::uint32_t index;  ///< CoordinateId, SpeedId, or index of the nonlinear speed
  StartKind kind;
  Term value;  ///< of position level: may contain the assembled q, parameters, t
  SourceRange range;
  int order = 1;  ///< order of the started time derivative: 1, or ≥ 2 for kHigherRate (theory.md §6.5)
};

struct RunSettings {
  double duration = 0.0;                ///< [s] length of the run
  std::optional<double> step;           ///< [s] time between two samples of the results
  std::optional<double> max_step = {};  ///< [s] longest integration step
  double tolerance = tolerance::kDefaultRun;
  std::string method = "dop853";
  std::string formulation = "explicit";
  SourceRange range;
  /// speeds stated as independent for the minimal formulation; empty: pivoting selects them
  std::vector<SpeedId> independent = {};
};

/// `conserve EXPR`: the projection after each step restores the start value of EXPR (compiled/level_outputs.hpp).
/// Before the run, a check decides whether EXPR is an invariant.
struct Conserved {
  enum class What { kEnergy, kHamiltonian, kEffectiveEnergy, kMomentum, kExpression } what = What::kExpression;
  Term value;                    ///< the quantity EXPR, a scalar of velocity level
  CoordinateId coordinate = {};  ///< for kMomentum, which is ∂L/∂q' of this coordinate
  Dimension dimension = {};
  std::string text = {};  ///< EXPR as written by the user
  SourceRange range = {};
};

/// One `expect` statement: an equality with a tolerance, a condition, or the way in which the run must stop.
struct Expectation {
  enum class When { kAt, kStart, kEnd, kAlways, kStop } when;
  double time = 0.0;  ///< [s] for kAt, and for kStop if a time is stated
  bool has_time = false;
  Term left;                 ///< scalar or vector; invalid for kStop
  Term right;                ///< the expected value; invalid for a comparison, in which `left` is the condition
  double tolerance = 0.0;    ///< tolerance of the equality, in SI units
  Dimension dimension = {};  ///< of both sides of the equality
  std::string stop_kind;     ///< kind of stop that is expected, for kStop
  std::string text;          ///< the statement as written by the user
  SourceRange range;
};

struct InspectionMemory;
struct View;

/// A complete and checked mechanical system. The module elaborate builds it from a text, or a C++ program builds it
/// through ModelBuilder; then it is const and shared. Entities are found by id; names are unique over all kinds of
/// entities.
struct Model {
  Model();

  std::string name;
  std::string title;
  std::vector<std::string> sources;
  diag::SourceText source_text;  ///< the text of the model; empty for a model built by a program
  bool has_units = false;        ///< whether the text states any unit; if it does not, all quantities are dimensionless

  std::unique_ptr<TermPool> terms;
  std::shared_ptr<InspectionMemory> inspections;  ///< cache of `inspect_row`
  std::vector<Parameter> parameters;
  std::vector<Requirement> requirements;  ///< conditions on the parameter values
  std::vector<Coordinate> coordinates;
  std::vector<Speed> speeds;  ///< the stated speeds in order, then default ones; nu = nq − one per quaternion
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
  std::vector<Event> events;  ///< events, in the order in which they are declared
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

/// The point or frame that a leaf term such as vel(P, F) describes; `seen_in` returns the frame F.
[[nodiscard]] inline PointId point_of(Term leaf) { return PointId(std::size_t{leaf.index()}); }
[[nodiscard]] inline FrameId frame_of(Term leaf) { return FrameId(std::size_t{leaf.index()}); }
[[nodiscard]] inline FrameId seen_in(Term leaf) { return FrameId(std::size_t{leaf.second()}); }

}  // namespace vinculum::model

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

/// A number of the model, in SI units. What is decided by numbers (which rows depend on each other, which speeds are
/// chosen) is decided at `declared`, so that the equations are the same whatever value is in force.
struct Parameter {
  std::string name;
  double value;  ///< in force
  Dimension dimension;
  SourceRange range;
  double declared = value;  ///< what the text says
  Term definition = {};     ///< of parameters before it; not valid for a plain number and for a value set from outside
  UnitText unit = {};       ///< as declared; empty: SI
  std::string fixed_by = {};  ///< what its value decided once and for all, "the length of a run"; empty: nothing
};

/// What numbers made of parameters satisfy in a model that is one, beyond being finite.
struct Requirement {
  std::vector<ParameterId> parameters;  ///< that the terms hold
  std::vector<Term> terms;
  std::function<bool(std::span<const double>)> holds;  ///< of their values
  std::string text;                                    ///< "the mass of `A` is not negative"
};

struct Coordinate {
  std::string name;
  Dimension dimension;
  SourceRange range;
  std::optional<double> scale = {};  ///< typical size > 0 in SI, where it is stated
  UnitText unit = {};                ///< as declared; empty: SI
};

/// Motion variable. By default u_i = q_i' under the name `q1'`, and B.wx, B.wy, B.wz = dot(omega(B,A), B.x) … for the
/// quaternion of a frame B with parent A; stated ones come with their operational definition, affine in the q'.
struct Speed {
  std::string name;
  Term definition;  ///< scalar term of velocity level
  bool is_default;  ///< q_i' taken because fewer speeds are stated than there are coordinates
  Dimension dimension;
  SourceRange range;
  UnitText unit = {};  ///< as declared; empty: that of the coordinate a second, else SI
};

/// A stated speed u = U(q, q', t) that is not affine in q' ([SZ] Remark 4: quasi-velocities may depend on q'
/// nonlinearly; theory.md §0). The motion is that of `Model::speeds`, so that q' = w(q, u, t) stays on the branch of
/// the start; texts, start values and results over all speeds have this one in the place of one of those.
struct NonlinearSpeed {
  Speed speed;
  SpeedId in_place_of = {};       ///< of the default ones; valid once the speeds are complete
  std::size_t speeds_before = 0;  ///< affine ones stated before it
};

/// A rotation about one axis fixed in the frame before and in the frame after.
struct SimpleRotation {
  int axis = -1;   ///< 0, 1, 2; −1: `direction`
  Term direction;  ///< unit vector constant in the parent frame, for axis == −1
  Term angle;      ///< [rad] scalar of position level
};

/// R = 1 + 2 (e0 [e]× + [e]×²)/|(e0, e)|²: homogeneous of degree 0 in the four coordinates, whose norm is a gauge. They
/// count for three rates: the measure numbers, in the frame itself, of its angular velocity in the parent.
struct QuaternionRotation {
  std::array<CoordinateId, 4> e;
};

/// B = parent rotated by the rotations one after the other, each about an axis of the frame reached so far; or by a
/// quaternion.
struct Frame {
  std::string name;
  FrameId parent;                         ///< not valid for the newtonian frame
  std::vector<SimpleRotation> rotations;  ///< empty for the newtonian frame and for a quaternion
  SourceRange range;
  std::optional<QuaternionRotation> quaternion = {};
  std::optional<BodyId> body = {};  ///< the one rigid body that is fixed in this frame
};

/// fixed in `frame` (its origin, offset not valid), or at `base` + `offset`. With `on` it is at each instant the
/// material point of that frame at this place: its velocity and acceleration are those of the frame's point, while the
/// derivatives of its position follow the place (a contact).
struct Point {
  std::string name;
  FrameId frame;  ///< valid for `point O fixed in N`
  PointId base;
  Term offset;
  std::optional<ParticleId> particle;  ///< the particle that sits here, under the same name
  SourceRange range;
  std::optional<BodyId> center_of = {};  ///< the body whose mass centre this is, under the same name
  FrameId on = {};                       ///< valid for `point P on B`
};

struct Particle {
  std::string name;
  PointId point;
  Term mass;
  SourceRange range;
};

/// Symmetric dyadic by its measure numbers b_i·I·b_j in a body's frame, products of inertia with their sign: xy = −∫xy
/// dm. [kg m²] scalars of position level.
struct Inertia {
  Term xx, yy, zz, xy, yz, zx;
};

/// Rigid body: it owns its frame.
struct Body {
  std::string name;
  FrameId frame;
  PointId center;  ///< mass centre; a Point under the body's name
  Term mass;
  Inertia inertia;  ///< central
  SourceRange range;
};

struct ForceOn {
  PointId point;
  Term force;
  std::optional<PointId> from;
};  ///< the opposite acts on `from`
struct TorqueOn {
  FrameId body;
  Term torque;
  std::optional<FrameId> from;
};  ///< on the body that owns the frame; opposite on `from`
struct Gravity {
  Term acceleration;
};
struct SpringBetween {
  PointId first, second;
  Term stiffness, length, damping;
};  ///< damping may be not valid: none
struct PotentialEnergy {
  Term energy;
};
struct GeneralizedForceOn {
  CoordinateId coordinate;
  Term force;
};  ///< has power force · q'
/// L(q, q', t): adds to what particles and bodies give (theory.md §1, Lagrangian door).
struct LagrangianFunction {
  Term L;
};
struct Load {
  using What =
      std::variant<ForceOn, TorqueOn, Gravity, SpringBetween, PotentialEnergy, GeneralizedForceOn, LagrangianFunction>;
  What what;  ///< directions of sliding velocities held as leaves, see Slide
  SourceRange range;
  std::optional<What> stated = {};  ///< as it was written, where `what` holds directions: for texts
  Term static_ratio = {};           ///< bound of dry friction at rest over that of sliding; not valid: 1
  Term coefficient = {};            ///< of dry friction, to be ≥ 0; not valid: none is stated
  bool is_friction = false;         ///< from a statement `friction on q = …`
};

/// What one unit of effort exerts: `via force on P along VEC [from Q]` (force = VEC), `via torque on B …`, or row k of
/// `law directed along …`: the direction at the point the row acts on, and the opposite at the other where it acts on
/// two.
struct Actuator {
  std::vector<ForceOn> forces;
  std::vector<TorqueOn> torques;
  std::vector<GeneralizedForceOn> generalized;
  double scale = 1.0;  ///< typical effort > 0 in SI: least Σ (effort/scale)² where there are more than rows
  SourceRange range;
  Dimension dimension = {};  ///< of the effort
  /// Scalar of position level: a typical effort that is no number. Forces and torques hold it as a factor, so that what
  /// is solved for is the effort over it; not valid: 1.
  Term unit = {};
};

/// One `nonideal on` clause: C of theory.md §4.
struct Nonideal {
  using What = std::variant<ForceOn, TorqueOn, GeneralizedForceOn>;
  What what;  ///< directions of sliding velocities held as leaves, see Slide
  SourceRange range;
  What stated = {};        ///< as it was written, for texts
  Term static_ratio = {};  ///< coefficient of static friction over that of sliding; not valid: 1
  Term coefficient = {};   ///< of friction, or its bound, to be ≥ 0; not valid: none is stated
};

/// A friction contact: a velocity v whose direction friction takes, unit(v), sign(v), v/norm(v) or v/|v| in a
/// `nonideal` clause or a load whose force is linear in it. Where v is not 0 the direction is v/|v|; at rest it is any
/// s with |s| ≤ static_ratio, the one that keeps v = 0 (theory.md §4.6).
struct Slide {
  ConstraintId constraint;  ///< whose clause has named it; not valid for a load
  Term velocity;            ///< scalar or vector of velocity level
  Term static_ratio;        ///< not valid: 1
  LoadId load = {};         ///< of a load
  Term coefficient = {};    ///< stated one, to be ≥ 0; not valid: none
  [[nodiscard]] int components() const { return velocity.is_vector() ? 3 : 1; }
};

struct Constraint {
  std::string name;
  Level level = Level::kPosition;
  std::vector<Term> rows;  ///< scalar relations row = 0, LHS − RHS along each direction
  std::shared_ptr<const Law> law = std::make_shared<Law>();
  std::vector<Nonideal> nonideal;
  Dimension dimension;                         ///< of a row
  SourceRange range;                           ///< of the whole relation, for failures at run time
  std::string text;                            ///< the relation as the user wrote it
  std::vector<Dimension> row_dimensions = {};  ///< of each row, where they differ (joints); else empty
  std::vector<Term> row_rates =
      {};            ///< of rows of position level, or empty: where valid, a scalar of velocity level that equals
                     ///< the row's rate wherever the rows hold, in the velocities of the points where its force
                     ///< acts. Inspection reads it for the row (a gap: the force acts at the contact)
  Term branch = {};  ///< condition on q, u, u', t that chooses among several accelerations; not valid: none stated
  Term when = {};    ///< condition on t, q, u, z while which the constraint acts; not valid: always
  std::string joint = {};  ///< kind of the joint it comes from: "revolute"; else empty. Its rows may differ in level,
                           ///< `level` is then the highest
  std::vector<FrameId> sides =
      {};  ///< the two solids that a joint acts on, if its points are fixed in them; else empty
};

/// Whether it is a constraint of higher order (theory.md §6.5).
[[nodiscard]] inline bool is_higher_order(const Constraint& constraint) {
  return constraint.law->kept() == Kept::kByDerivatives;
}
/// Whether it has rows in the equations of motion, A u' = b: one that is realised or of higher order has none.
[[nodiscard]] inline bool has_rows(const Constraint& constraint) { return constraint.law->kept() == Kept::kByRows; }
/// Whether it is realised by physics (theory.md §6.8), and kept by no multiplier.
[[nodiscard]] inline bool is_realised(const Constraint& constraint) {
  return constraint.law->kept() == Kept::kByPhysics;
}
/// Whether it does no virtual work: an ideal law, and nothing non-ideal stated beside it.
[[nodiscard]] inline bool is_ideal(const Constraint& constraint) {
  return constraint.law->is_ideal() && constraint.nonideal.empty();
}

/// The word of its law, or "nonideal".
[[nodiscard]] inline std::string_view law_name(const Constraint& constraint) {
  return constraint.law->is_ideal() && !constraint.nonideal.empty() ? "nonideal" : constraint.law->word();
}

/// `reveal NAME: force on P along …`: measure numbers of the force (torque) that joints embedded in the coordinates
/// exert, on P and all that is set off from it (on the body and all that turns with it), from what P is set off from
/// (theory.md §5.5).
struct Reveal {
  std::string name;
  PointId point;            ///< valid for a force
  FrameId body;             ///< valid for a torque: frame owned by a body
  std::vector<Term> along;  ///< vectors
  SourceRange range;
};

/// `state z' = EXPR`: an extra first-order state; or a multiplier μ of a law that makes it one (Law::mu), whose rate
/// follows from the law.
struct State {
  std::string name;  ///< "z"; of a multiplier "mu(c)" or "mu(c)[2]"
  Term rate;         ///< scalar of t, q, u, states (and multipliers λ); not valid for a multiplier of a law
  Term start;        ///< of position level; not valid: 0
  bool is_start_stated = false;
  Dimension dimension;
  SourceRange range;
};

struct Output {
  std::string name;
  Term value;                    ///< scalar or vector; not valid for a list
  std::optional<FrameId> frame;  ///< measure numbers in this frame (vectors; newtonian when not given)
  Dimension dimension;
  SourceRange range;
  std::vector<Term> components = {};  ///< of a list, scalars: `multiplier(c)` of a constraint with several rows
  std::vector<Dimension> component_dimensions = {};  ///< where they differ; else empty
  bool is_moment = false;                            ///< known to be one, and no energy
  std::vector<bool> component_is_moment = {};        ///< the same of each component of a list; or empty
  UnitText unit = {};                                ///< stated by `as [unit]`; empty: what `units_of` finds
};

enum class StartKind { kHeld, kGuess };
/// A start condition on q, q' or u.
struct StartCondition {
  enum class On { kCoordinate, kCoordinateRate, kSpeed, kHigherRate, kNonlinearSpeed } on;
  std::uint32_t index;  ///< CoordinateId, SpeedId, or number of the nonlinear speed
  StartKind kind;
  Term value;  ///< position level: may use the assembled q, parameters, t
  SourceRange range;
  int order = 1;  ///< of the rate: 1, or from 2 for kHigherRate (a state of theory.md §6.5 alone)
};

struct RunSettings {
  double duration = 0.0;                ///< [s]
  std::optional<double> step;           ///< [s] output step
  std::optional<double> max_step = {};  ///< [s] longest step of the integration
  double tolerance = tolerance::kDefaultRun;
  std::string method = "dop853";
  std::string formulation = "explicit";
  SourceRange range;
  std::vector<SpeedId> independent = {};  ///< stated for the minimal formulation; empty: found by pivoting
};

/// `conserve EXPR`: kept at its level of the start by projection (compiled/level_outputs.hpp), once the engine has
/// found that it is an invariant.
struct Conserved {
  enum class What { kEnergy, kHamiltonian, kEffectiveEnergy, kMomentum, kExpression } what = What::kExpression;
  Term value;                    ///< scalar of velocity level
  CoordinateId coordinate = {};  ///< for kMomentum: ∂L/∂q'
  Dimension dimension = {};
  std::string text = {};  ///< as the user wrote it
  SourceRange range = {};
};

/// A named residual: the worst row of a constraint at the constraint's own level, for `residual(c)`.
struct Expectation {
  enum class When { kAt, kStart, kEnd, kAlways, kStop } when;
  double time = 0.0;  ///< [s] for kAt, and for kStop where a time is stated
  bool has_time = false;
  Term left;               ///< scalar or vector; not valid for kStop
  Term right;              ///< EXPR = VALUE: the value; comparison: not valid, `left` is the condition
  double tolerance = 0.0;  ///< SI
  std::string stop_kind;   ///< for kStop
  std::string text;        ///< as the user wrote it
  SourceRange range;
};

struct InspectionMemory;
struct View;

/// A system of mechanics, complete and checked. Built once (elaborate, or a program through `add_…`), then const and
/// shared. Entities are found by id; names are unique over all kinds.
struct Model {
  Model();

  std::string name;
  std::string title;
  std::vector<std::string> sources;
  diag::SourceText source_text;  ///< the text that built it; empty for a programmatic model
  bool has_units = false;        ///< whether the text states any unit; if not, all dimensions are 1

  std::unique_ptr<TermPool> terms;
  std::shared_ptr<InspectionMemory> inspections;  ///< of inspect_row: what is read off a row once is kept
  std::vector<Parameter> parameters;
  std::vector<Requirement> requirements;  ///< of the parameters' values
  std::vector<Coordinate> coordinates;
  std::vector<Speed> speeds;  ///< complete: nu of them, stated ones first, in order; nu = nq − one for each quaternion
  std::vector<NonlinearSpeed> nonlinear_speeds;
  std::vector<Frame> frames;  ///< frames[0] is newtonian, parents before children
  std::vector<Point> points;  ///< bases before what stands on them
  std::vector<Particle> particles;
  std::vector<Body> bodies;
  std::vector<Load> loads;
  std::vector<Constraint> constraints;
  std::vector<Slide> slides;  ///< of the `nonideal` clauses
  std::vector<Reveal> reveals;
  std::vector<State> states;
  std::vector<Output> outputs;
  std::vector<StartCondition> starts;
  std::optional<RunSettings> run;
  std::vector<Expectation> expectations;
  std::vector<Conserved> conserved;
  std::shared_ptr<const View> view;  ///< what a drawing shows (view.hpp); null: what it shows by itself

  [[nodiscard]] const Frame& frame(FrameId id) const { return frames[id.index()]; }
  [[nodiscard]] const Point& point(PointId id) const { return points[id.index()]; }
  [[nodiscard]] const Particle& particle(ParticleId id) const { return particles[id.index()]; }
  [[nodiscard]] const Body& body(BodyId id) const { return bodies[id.index()]; }
  [[nodiscard]] const Reveal& reveal(RevealId id) const { return reveals[id.index()]; }
  [[nodiscard]] const Constraint& constraint(ConstraintId id) const { return constraints[id.index()]; }
  [[nodiscard]] static constexpr FrameId newtonian() { return FrameId(std::size_t{0}); }
};

inline constexpr FrameId kNewtonian = Model::newtonian();

/// What a leaf of motion is about: its point or frame, and the frame it is seen in.
[[nodiscard]] inline PointId point_of(Term leaf) { return PointId(std::size_t{leaf.index()}); }
[[nodiscard]] inline FrameId frame_of(Term leaf) { return FrameId(std::size_t{leaf.index()}); }
[[nodiscard]] inline FrameId seen_in(Term leaf) { return FrameId(std::size_t{leaf.second()}); }

}  // namespace vinculum::model

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/vinculum.hpp"

namespace vinculum {

/// A scalar or vector expression of a model that is being built. Operators and functions below make new terms; a vector
/// may be multiplied or divided by a scalar. A term is valid as long as its builder, or the model made from that
/// builder. Terms of different builders must not be mixed.
class Term {
 public:
  Term() = default;  ///< empty; as an argument: "not given"
  [[nodiscard]] bool is_valid() const { return pool_ != nullptr; }

 private:
  friend struct TermAccess;  // of the implementation
  void* pool_ = nullptr;
  std::uint32_t id_ = 0;
};
[[nodiscard]] Term operator+(Term a, Term b);
[[nodiscard]] Term operator-(Term a, Term b);
[[nodiscard]] Term operator-(Term a);
[[nodiscard]] Term operator*(Term a, Term b);
[[nodiscard]] Term operator/(Term a, Term b);
[[nodiscard]] Term operator*(double a, Term b);
[[nodiscard]] Term operator+(Term a, double b);
[[nodiscard]] Term operator-(Term a, double b);
[[nodiscard]] Term dot(Term a, Term b);
[[nodiscard]] Term cross(Term a, Term b);
[[nodiscard]] Term norm(Term a);
[[nodiscard]] Term unit(Term a);
[[nodiscard]] Term sin(Term x);
[[nodiscard]] Term cos(Term x);
[[nodiscard]] Term tan(Term x);
[[nodiscard]] Term asin(Term x);
[[nodiscard]] Term acos(Term x);
[[nodiscard]] Term atan(Term x);
[[nodiscard]] Term sinh(Term x);
[[nodiscard]] Term cosh(Term x);
[[nodiscard]] Term tanh(Term x);
[[nodiscard]] Term abs(Term x);
[[nodiscard]] Term sign(Term x);
[[nodiscard]] Term floor(Term x);
[[nodiscard]] Term sqrt(Term x);
[[nodiscard]] Term exp(Term x);
[[nodiscard]] Term log(Term x);
[[nodiscard]] Term pow(Term x, Term y);
[[nodiscard]] Term atan2(Term y, Term x);
[[nodiscard]] Term min(Term x, Term y);
[[nodiscard]] Term max(Term x, Term y);
// Conditions, for `terminate_when`, `when` and `select`; && and || evaluate both operands.
[[nodiscard]] Term operator<(Term a, Term b);
[[nodiscard]] Term operator<=(Term a, Term b);
[[nodiscard]] Term operator>(Term a, Term b);
[[nodiscard]] Term operator>=(Term a, Term b);
[[nodiscard]] Term operator&&(Term a, Term b);
[[nodiscard]] Term operator||(Term a, Term b);
[[nodiscard]] Term operator!(Term a);
/// `if` of the language: the second term where the condition is true, else the third; both scalars or both vectors.
[[nodiscard]] Term select(Term condition, Term if_true, Term if_false);

class View;

/// Arguments of a joint in addition to its points and bodies; which of them a joint takes is listed in docs/joints.md.
struct JointParts {
  Term axis = {};                          ///< vector fixed in the first body, nonzero
  Term axis2 = {};                         ///< vector fixed in the second body, nonzero
  Term ratio = {};                         ///< [1] teeth of the second gear divided by those of the first one
  Term pitch = {};                         ///< [m] advance of a screw per turn
  Term length = {};                        ///< [m] of a strut; may depend on time
  Term radius = {};                        ///< [m] of a sphere
  Term prescribed = {};                    ///< vector: position [m], rotation [rad] or velocity [m/s]
  std::string surface = {};                ///< word of the language, such as "plane", "sphere" or "box"
  std::vector<Term> surface_lengths = {};  ///< [m] > 0, as many as the surface has; of a polygon: its corners, vectors
  std::string surface2 = {};               ///< surface of the second body of a contact
  std::vector<Term> surface2_lengths = {};
};

/// Impacts of a unilateral constraint, as the clause `restitution` of the language (docs/language.md).
struct Restitution {
  enum class Law { kEnergetic, kNewton, kPoisson, kMoreau };
  Term e = {};                 ///< [1] coefficient from 0 to 1, made of numbers and parameters; default 0
  Law law = Law::kEnergetic;   ///< condition at the end of an impact
  bool is_sequential = false;  ///< contacts that close at one instant act one after the other
};

/// Coefficients of Coulomb friction: scalars of the time, coordinates, speeds and states.
struct Friction {
  Term mu = {};         ///< [1] ≥ 0
  Term static_mu = {};  ///< [1] ≥ 0; default: equal to `mu`
};

/// Clauses of a unilateral constraint or of a contact.
struct ContactClauses {
  Restitution restitution = {};
  Friction friction = {};  ///< of `Builder::contact` only; default: none
  /// > 0, made of numbers and parameters; only ratios between contacts matter. It makes forces unique that the
  /// equations do not determine. Default: rigid.
  Term compliance = {};
};

/// Stops of a coordinate or of a joint, as the statement and the clause `limits` of the language.
struct Limits {
  Term lower = {}, upper = {};  ///< [SI] lower < upper, made of numbers and parameters; one may be left out
  Restitution restitution = {};
  std::string name = {};  ///< the constraints are `name.min` and `name.max`; default: that of the coordinate or joint
};

/// An argument of a reaction law under its name in the language, such as "kappa" or "mu".
struct LawArgument {
  std::string name;
  std::vector<Term> values;  ///< one value, one per row, or a matrix row by row
};

/// Interpolation of a table, as the options of `table` in the language.
struct TableOptions {
  enum class Kind { kSpline, kSmooth, kLinear, kHold } kind = Kind::kSpline;
  /// Outside the range: the run stops, the value at the end is held, or the line at the end continues.
  enum class Outside { kError, kHold, kLinear } outside = Outside::kError;
  bool is_periodic = false;  ///< the range is one period; the first and the last value are equal
};

/// Settings of `Builder::run`, which options of `Model::run` replace.
struct RunSettings {
  std::optional<double> step = {};       ///< [s] > 0, time between two samples
  std::optional<double> max_step = {};   ///< [s] > 0, longest integration step
  std::optional<double> tolerance = {};  ///< relative, in the range that the language allows
};

/// Builds a model by one call per statement of the language (docs/language.md). A thing must be added before it is
/// used, names are unique over all kinds of things, and handles (`Frame`, `Point`, …) belong to the builder that made
/// them. Mistakes in joints, contacts, limits, friction, laws, tables, `run`, inputs, sampled states, events and
/// `when`, and numbers as masses that are negative or not finite, are diagnostics of the Error that
/// `Model::from_builder` returns. Other mistakes throw std::logic_error. Numbers are in SI units. A unit is a product
/// of SI units with whole powers, such as "kg*m/s^2"; results are labelled with it.
class Builder {
 public:
  struct Frame {
    std::uint32_t id;
  };
  struct Point {
    std::uint32_t id;
  };
  struct Constraint {
    std::uint32_t id;
    int rows = 0;  ///< number of scalar equations
  };
  struct Body {
    Frame frame;
    Point center;
  };
  /// Central inertia of a body, as measure numbers in the body's frame. Products carry their sign: xy = −∫ x y dm. [kg
  /// m²]
  struct Inertia {
    Term xx, yy, zz, xy = {}, yz = {}, zx = {};
  };
  /// What an event does: ends the run, records a sample, or sets a speed, a rate of a coordinate or a state.
  struct Action {
    enum class Kind { kStop, kRecord, kSet } kind{};
    Term what = {}, value = {};  ///< for kSet; the value is that of the state before the event
  };
  enum class Crossing { kEither, kRising, kFalling };

  explicit Builder(std::string name);  ///< a model with the newtonian frame `N` only
  ~Builder();
  Builder(Builder&&) noexcept;
  Builder& operator=(Builder&&) noexcept;

  [[nodiscard]] Frame newtonian() const { return {0}; }
  [[nodiscard]] Term number(double value);
  [[nodiscard]] Term time();
  Term parameter(std::string name, double value, const std::string& unit = "");
  Term coordinate(std::string name, const std::string& unit = "");
  [[nodiscard]] Term rate(Term coordinate);  ///< q'
  /// A generalized speed (motion variable) u = definition.
  /// \param definition  scalar expression in coordinates, their rates q' and time. If it is affine in the q', the speed
  /// is a motion variable; rates that no speed covers remain motion variables. If it is not affine, the motion is
  /// computed in the q' and the speed is evaluated from them; it still has start values and an output of its name
  /// (docs/theory.md §1).
  Term speed(std::string name, Term definition, const std::string& unit = "");
  /// A function of `at` given by its values at points, as `table` of the language but from data. Numbers in SI units.
  /// \param name  appears in messages
  /// \param x     [n] strictly increasing, n ≥ 2      \param y  [n] values
  /// \param at    scalar of time, coordinates, speeds and states
  [[nodiscard]] Term table(const std::string& name, std::vector<double> x, std::vector<double> y, Term at,
                           const TableOptions& options = {});
  /// A first-order state z with z' = rate. It starts at `start`, or at 0 if no start is given.
  Term state(std::string name, Term rate, Term start = {}, const std::string& unit = "");

  /// A quantity that a program or a file gives: it is `value` [unit] until another value is set
  /// (`Simulation::set_input`).
  /// \param value  scalar of parameters, or of time, coordinates, speeds and states; default 0.
  Term input(std::string name, const std::string& unit = "", Term value = {});
  /// A state that changes at t = 0, period, 2 period, … only, to the value that `sample` states. It is `start` before.
  /// \param period  [s] > 0, of numbers and parameters
  Term sampled_state(std::string name, Term period, Term start = {}, const std::string& unit = "");
  /// The value that a sampled state takes at each of its instants, from the state just before; it may contain the
  /// sampled state itself. Exactly one call per sampled state.
  void sample(Term state, Term value);

  /// A frame turned relative to `parent` by `angle` [rad], about axis 0, 1 or 2 of the parent or about a direction that
  /// is fixed in it.
  Frame frame(std::string name, Frame parent, Term angle, int axis);
  Frame frame(std::string name, Frame parent, Term angle, Term direction);
  /// A frame whose attitude relative to `parent` is given by four coordinates, a quaternion e0, e1, e2, e3. Its norm
  /// has no influence.
  Frame frame(std::string name, Frame parent, const std::array<Term, 4>& quaternion);
  [[nodiscard]] Term axis(Frame frame, int axis);
  Point fixed_point(std::string name, Frame frame);
  Point point(std::string name, Point base, Term offset);
  Point particle(std::string name, Term mass, Point base, Term offset);
  Body body(std::string name, Frame frame, Term mass, const Inertia& inertia, Point base, Term offset);
  [[nodiscard]] Term pos(Point to, Point from);
  [[nodiscard]] Term vel(Point point, Frame seen_in = {0});
  [[nodiscard]] Term acc(Point point, Frame seen_in = {0});
  [[nodiscard]] Term omega(Frame frame, Frame seen_in = {0});

  void force(Point point, Term force, std::optional<Point> from = {});
  void torque(Frame body, Term torque, std::optional<Frame> from = {});
  void gravity(Term acceleration);
  void spring(Point first, Point second, Term stiffness, Term length, Term damping = {});
  void potential(Term energy);
  void generalized_force(Term coordinate, Term force);
  /// A system given by its equations M(q, t) q'' = Q(q, q', t), without constraints. Loads and bodies that the model
  /// has in addition are added. If the model has no bodies, the equations are read as L = ½ q'ᵀ M q' with generalized
  /// forces that complete them to the given equations; `energy` is then ½ q'ᵀ M q'.
  /// \param M  lower triangle of the symmetric mass matrix: row i has i + 1 entries, functions of coordinates and time.
  /// \param Q  [n] right-hand sides; they may also depend on the rates q'.
  void equations(const std::vector<Term>& coordinates, const std::vector<std::vector<Term>>& M,
                 const std::vector<Term>& Q);

  /// The constraint relation = 0. A scalar relation gives one row. A vector relation gives one row per direction in
  /// `along` (N.x, N.y and N.z if `along` is empty). The reaction law is ideal unless `nonideal` or `variational`
  /// changes it.
  Constraint constraint(std::string name, Term relation, const std::vector<Term>& along = {},
                        const std::string& unit = "");
  /// Adds a non-ideal force at `point` (the opposite force at `from`) to the reaction of the constraint. The virtual
  /// work of all non-ideal forces defines C: it is vᵀC (docs/theory.md §4).
  void nonideal(Constraint constraint, Point point, Term force, std::optional<Point> from = {});
  /// Adds a non-ideal generalized force on a coordinate: one entry of C.
  void nonideal(Constraint constraint, Term coordinate, Term force);
  /// Changes the reaction law to Hamilton–Lusternik (vakonomic). With c [1/s] it is the one-parameter family of laws
  /// between that and the ideal one (docs/laws.md). `starts` has the initial multipliers μ, one per row; default 0.
  void variational(Constraint constraint, const std::vector<Term>& starts = {}, Term c = {});
  /// Sets the reaction law, as the clause `law NAME …` of the language (docs/laws.md); one call per constraint. The
  /// arguments are checked as those of a text, except for their units.
  /// \param name  word of the law in the language
  /// \param arguments  in SI units. Directions are vectors without dimension. A matrix has
  /// nq·nq values, row by row.
  void law(Constraint constraint, const std::string& name, const std::vector<LawArgument>& arguments = {});
  /// A point and the frame in which it is fixed. The frame is that of a body, or the newtonian one for a point of the
  /// ground and for a particle.
  struct JointEnd {
    Point point;
    Frame body = {0};
  };
  /// A joint between a point of one body and a point of another one (docs/joints.md), as one constraint.
  /// \param kind   word of the language, such as "revolute"
  /// \param parts  the axis and other arguments that this joint takes
  /// \returns the constraint. After a mistake, which is a diagnostic, its rows are 0 = 0.
  Constraint joint(std::string name, const std::string& kind, JointEnd first, JointEnd second,
                   const JointParts& parts = {});
  /// The constraint acts while the condition is true; where it begins to act, an impulse makes the speeds fit.
  void when(Constraint constraint, Term condition);

  // Contacts (docs/language.md, `constraint` and `limits`; docs/joints.md). After a mistake, which is a diagnostic, the
  // rows of the returned constraints are 0 = 0.
  /// The unilateral constraint gap ≥ 0: while the gap is closed, the multiplier is ≥ 0. Laws, `when` and `nonideal` are
  /// not possible.
  /// \param gap   scalar of positions and the time
  /// \param unit  of the gap
  Constraint unilateral(std::string name, Term gap, const ContactClauses& clauses = {}, const std::string& unit = "");
  /// The constraints of `limits`; nothing for a limit that is not stated.
  struct LimitPair {
    std::optional<Constraint> min, max;
  };
  LimitPair limits(Term coordinate, const Limits& limits);
  /// The limits of the position of a joint `revolute`, `prismatic` or `screw`, as its clause `limits`: of its angle
  /// [rad] or advance [m] (docs/joints.md). One call per joint. The constraints have the name of the joint by default.
  LimitPair limits(Constraint joint, const Limits& limits);
  /// A place at which two surfaces can touch: its unilateral constraint, and the material points of the first and the
  /// second body at the contact.
  struct Contact {
    Constraint constraint;
    Point P, Q;
  };
  /// The joint `contact`: two bodies that do not penetrate each other.
  /// \param parts  `surface` about the point of the first body and `surface2` about that of the second one, with their
  ///   lengths; `axis` and `axis2` of surfaces with an axis, default z of the body
  /// \returns one element per place, in the order of the language. If there are several, their constraints are
  ///   `name[1]`, `name[2]`, …
  std::vector<Contact> contact(std::string name, JointEnd first, JointEnd second, const JointParts& parts,
                               const ContactClauses& clauses = {});
  /// Coulomb friction on a point, bounded by the reaction of the constraint on it. A unilateral constraint has one.
  /// \param from     point on which the opposite force acts
  /// \param sliding  velocity of sliding [m/s], a vector; default: the velocity of the point relative to `from`, or in
  ///   the newtonian frame
  void friction(Constraint constraint, Point point, const Friction& coefficients, std::optional<Point> from = {},
                Term sliding = {});
  /// Dry friction on a coordinate, −bound·sign(q') − viscous·q', as `friction on q = …` of the language. The arguments
  /// are scalars ≥ 0 of the time, coordinates, speeds and states.
  /// \param bound         [N] or [N m]
  /// \param static_bound  bound at rest; default: `bound`
  /// \param viscous       [N s/m] or [N m s]; default 0
  void friction(Term coordinate, Term bound, Term static_bound = {}, Term viscous = {});
  /// Dry friction along the motion of a joint `revolute`, `prismatic` or `screw`, as its clause `friction BOUND`. The
  /// arguments are those of friction on a coordinate; a bound of `revolute` and `screw` is a torque [N m].
  void friction(Constraint joint, Term bound, Term static_bound = {}, Term viscous = {});

  [[nodiscard]] Term multiplier(Constraint constraint, int row = 0);
  /// total force of the constraint on the point, for outputs; `force(c, P)` of the language
  [[nodiscard]] Term force_of(Constraint constraint, Point point);
  /// Entry number `speed` of the system vectors `Q_ideal`, `Q_constraint`, `free_acceleration`, for outputs. The order
  /// is the order of `Model::speeds`: first the stated speeds that are affine in q', then the rates that they leave
  /// open.
  [[nodiscard]] Term Q_ideal(int speed);
  [[nodiscard]] Term Q_constraint(int speed);
  [[nodiscard]] Term free_acceleration(int speed);

  // Events (docs/language.md, `event`). Events at one instant act in the order of the calls, on the state before it.
  [[nodiscard]] static Action stop() { return {Action::Kind::kStop}; }
  [[nodiscard]] static Action record() { return {Action::Kind::kRecord}; }
  [[nodiscard]] static Action set(Term what, Term value) { return {Action::Kind::kSet, what, value}; }
  /// An event where the expression passes 0.   \param expression  scalar of time, coordinates, speeds and states
  void event(std::string name, Term expression, Crossing crossing, const std::vector<Action>& actions);
  void event_at(std::string name, Term time, const std::vector<Action>& actions);       ///< at t = time [s]
  void event_every(std::string name, Term period, const std::vector<Action>& actions);  ///< at t = 0, period, … [s]
  void terminate_when(Term condition);  ///< the run ends, as a success, where the condition becomes true

  void output(std::string name, Term value, const std::string& unit = "", std::optional<Frame> frame = {});
  /// Start value of a coordinate, of its rate or of a speed. `start` is exact, like `=` in a text; `guess`, like `~`,
  /// may be changed to satisfy the constraints.
  void start(Term what, double value);
  void guess(Term what, double value);
  /// The run of the model, at most one call.   \param duration  [s] ≥ 0
  void run(double duration, const RunSettings& settings = {});
  [[nodiscard]] View view();  ///< adds items to the drawing; valid while the builder exists and is not moved

  struct Own;  // of the implementation

 private:
  friend class Model;
  std::unique_ptr<Own> own_;
};

/// The drawing of a model: one item per call, as in the `view` statement of the language (docs/language.md). It has no
/// influence on the motion. Sizes, radii and lengths [m] are positive and made of numbers and parameters. Colors have
/// the names used in the language; "" means a default color. Anything that cannot be drawn throws
/// std::invalid_argument.
class View {
 public:
  struct Shape {
    std::string kind;         ///< such as "cylinder"; the list is in docs/reference
    std::vector<Term> sizes;  ///< [m] as many as this kind has
    Term axis = {};           ///< vector fixed in the frame; default: the z axis of the frame
    std::string colour = {};
    bool is_surface = false;  ///< drawn transparent
  };
  /// Replaces the shape that is drawn by default (from the inertia). It turns with the body and is centered at the mass
  /// center, or at `at`.
  void shape(Builder::Body on, const Shape& shape, std::optional<Builder::Point> at = {});
  void shape(Builder::Frame on, const Shape& shape, Builder::Point at);
  void shape(Builder::Point on, const Shape& shape);  ///< has the axes of the newtonian frame
  void rod(Builder::Point first, Builder::Point second, Term radius = {}, const std::string& colour = "");
  void coil(Builder::Point first, Builder::Point second, Term radius = {}, const std::string& colour = "");
  void axes(Builder::Frame frame, Builder::Point at, Term length = {});
  void trace(Builder::Point point, const std::string& colour = "");  ///< the first call turns the default traces off
  /// An arrow `vector` at the point `at`, labelled `name`. The vector may depend on accelerations and reactions.
  void arrow(const std::string& name, Term vector, Builder::Point at, const std::string& unit = "",
             const std::string& colour = "");
  /// Shows the force or torque of a constraint. If there is any such call, all other reactions are hidden at first.
  void force(Builder::Constraint constraint, Builder::Point on);
  void torque(Builder::Constraint constraint, Builder::Frame body);
  void colour(Builder::Body of, const std::string& colour);
  void colour(Builder::Point of, const std::string& colour);
  void colour(Builder::Constraint of, const std::string& colour);
  void hide(Builder::Body body);
  void hide(Builder::Point point);
  void hide(Builder::Constraint constraint);  ///< hidden at first
  void without(const std::string& what);      ///< leaves out "ground", "rods" or "traces", which are drawn by default

 private:
  friend class Builder;
  explicit View(Builder::Own& own) : own_(&own) {}
  Builder::Own* own_;
};

}  // namespace vinculum

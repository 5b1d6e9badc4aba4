#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vinculum/error.hpp"
#include "vinculum/names.hpp"

/// Results of motions. All numbers are in SI units. Vectors are measure numbers in the newtonian frame unless a frame
/// is named. Letters have the meaning that docs/theory.md §0 gives them.
namespace vinculum {

/// Formats that a run writes in addition to CSV.
struct Formats {
  bool parquet = false;  ///< trajectory.parquet and, if energies are recorded, energy.parquet (docs/json.md)
};

/// A folder for results, reserved for one writer from `open` until this value is destroyed. So a full disk, a folder
/// without write permission or a second writer is reported before the motion is computed.
///
/// Writing replaces earlier results in the folder. New files are first written completely under hidden names; then all
/// old files are removed and the new ones renamed, `result.json` (`compare.json`) last. If that file exists, all files
/// next to it are complete and from the same run. The path of the folder may contain links. A link in place of a result
/// file is replaced, not followed.
class Results {
 public:
  /// Creates and reserves the folder. \returns an Error if it is not writable or another writer has reserved it.
  [[nodiscard]] static Result<Results> open(const std::filesystem::path& folder, Formats formats = {});
  struct Own;
  explicit Results(std::unique_ptr<Own> own);
  /// Removes what `open` has created, if no results were written.
  ~Results();
  Results(Results&&) noexcept;
  Results& operator=(Results&&) noexcept;
  [[nodiscard]] Own& own() { return *own_; }

 private:
  std::unique_ptr<Own> own_;
};

/// A state of the motion: coordinates, speeds and extra states (`state z' = …`, multipliers μ of a reaction law).
struct State {
  double t = 0.0;           ///< [s]
  std::vector<double> q;    ///< [nq] in the order of `Model::coordinates`
  std::vector<double> u;    ///< [nu] in the order of `Model::speeds`
  std::vector<double> z{};  ///< [nz] in the order of `Model::states`, then derivatives used as states (theory.md §6.5)
};

/// A matrix, stored row by row.
struct Array {
  int rows = 0, columns = 0;
  std::vector<double> values;  ///< [rows × columns]
  [[nodiscard]] double operator()(int row, int column) const { return values[at(row) * at(columns) + at(column)]; }
  [[nodiscard]] std::span<const double> row(int row) const {
    return std::span(values).subspan(at(row) * at(columns), at(columns));
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

/// The equations of motion at a state:   q' = G u + g,   M u' = f + C + Aᵀλ,   A u' = b.
/// Rows are in the order of the model's constraints. A constraint has no row if its law realizes it by a stiff, viscous
/// or inertial force, or if it is of higher order (docs/theory.md §6.5, §6.8).
struct Matrices {
  Array G;                    ///< [nq × nu]
  std::vector<double> q_dot;  ///< [nq]
  Array M;                    ///< [nu × nu] mass matrix
  std::vector<double> f, C;   ///< [nu] given forces minus inertia bias; forces of `nonideal` clauses
  Array A;                    ///< [nc × nu] constraint Jacobian
  std::vector<double> b;      ///< [nc]
  std::vector<double> phi,
      psi;  ///< [nc] residuals at position and at velocity level; 0 if a row has no such level

  // Geometry of constrained motion (docs/theory.md §4.4), formed with M and f without the terms that laws such as
  // `vakonomic` add. So M u' = f + Q_constraint under every law. Empty (and 0) if the motion is not unique at the state
  // (`forces` reports why) or if a constraint of higher order has no row in A.
  int rank = 0;                                           ///< rank of A
  std::vector<double> Q_ideal, Q_nonideal, Q_constraint;  ///< [nu] Qi, Qni, Qc = Qi + Qni
  std::vector<double> a;  ///< [nu] unconstrained acceleration M⁻¹f; of H = M + AᵀWA if M is singular (§3.3)
  std::vector<double> e;  ///< [nc] b − A a
  Array L;                ///< [nu × nu] Cholesky factor, M = L Lᵀ, lower triangular
  Array B, T, N;          ///< B = A L⁻ᵀ [nc × nu]; T = B⁺B and N = 1 − T [nu × nu]
  double gauss = 0.0;     ///< Gauss' function (u' − a)ᵀ M (u' − a)
};

/// Force or couple of a constraint on one point or body: three measure numbers in the newtonian frame.
struct Exerted {
  std::string constraint, on;  ///< names; `on` is a point, or for a couple a body
  /// [N] or [N m]. It acts on the point or body `on`; the opposite acts on the points or bodies that the constraint
  /// connects with `on`.
  std::array<double, 3> value{};
  /// Per component. False: redundant constraints make it indeterminate, and `value` is the solution of least norm.
  std::array<bool, 3> is_unique{true, true, true};
};

/// Impulse of a constraint on one point, or its moment on one body in addition to these impulses, at an instant at
/// which the speeds jump: an impact, or a constraint that begins to act.
struct ExertedImpulse {
  double t = 0.0;              ///< [s]
  Exerted impulse;             ///< [N s], or [N m s] for a moment; friction of contacts is included
  bool is_couple = false;      ///< whether it is a moment
  std::array<double, 3> at{};  ///< [m] position of the point, or of the mass center of the body, from the origin
};

/// Accelerations and all constraint forces at a state.
struct Forces {
  std::vector<double> u_dot;                   ///< [nu] accelerations u'
  std::vector<double> z_dot;                   ///< [nz]
  std::vector<double> lambda, lambda_ideal;    ///< [nc] multipliers of rows, and of their ideal part
  std::vector<char> lambda_is_unique;          ///< [nc]
  std::vector<double> Q, Q_ideal, Q_nonideal;  ///< [nu] generalized constraint forces, Q = Q_ideal + Q_nonideal
  std::vector<double> efforts;                 ///< efforts of actuators that enforce servo constraints (theory.md §6.9)
  int rank = 0;                                ///< rank of A
  std::vector<Exerted> on_points;              ///< [N] `force(c, P)` of the language
  std::vector<Exerted> on_bodies;              ///< [N m] `torque(c, B)`: couples in addition to the forces at points
};

/// A state with everything that is reported about it.
struct Instant {
  State state;
  Forces forces;
  std::vector<double> outputs;  ///< values of the outputs, one per component, in the order of `Trajectory::names`
};

/// A number or a word that an event changes, such as "sticks"; std::monostate if it changes none.
using EventValue = std::variant<std::monostate, double, std::string>;

/// An event of a run: a row of `events.csv` (docs/json.md).
struct Event {
  double t = 0.0;            ///< [s]
  std::string kind;          ///< "event", "constraint", "impulse", "friction", "switch", "rank", "stop"
  std::string where;         ///< an event, a constraint or row, a switch, or a place in the text; may be empty
  EventValue before, after;  ///< docs/json.md lists them by kind; an impulse has the unit of its multiplier times s
};

/// A function that is called for each event of a motion when it happens, in the order of `Trajectory::events`. Its
/// calls do not change the motion.
/// \param before, after  state at the instant of the event, before and after all events of this instant; the same for
/// an event that changes no state.
/// \returns `true` to end the run: with the state after the event, or, after an event of kind "rank", at the end of the
/// step in which it lies. All events of the same instant are told before. The answer to "stop" has no effect.
///
/// An exception that the function throws ends the run likewise and is then thrown by the function that computes the
/// motion; other events of the instant are not told.
using OnEvent = std::function<bool(const Event& event, const State& before, const State& after)>;

/// One quantity at all samples.
struct Column {
  std::string name;            ///< "x", "C1.x", "force(rod, P)"
  std::string unit;            ///< SI: "N", "rad", "N*m" (moment), "1" (no unit), "N, N*m" (components differ)
  std::string frame;           ///< frame of a vector's measure numbers; empty for scalars
  int components = 1;          ///< 3 for a vector; one per row for a multiplier
  std::vector<double> values;  ///< [samples × components]
  /// [samples × components] 0 if redundant constraints make it indeterminate; empty: always unique
  std::vector<char> is_unique;
  [[nodiscard]] double operator()(std::size_t sample, int component = 0) const {
    return values[sample * static_cast<std::size_t>(components) + static_cast<std::size_t>(component)];
  }
  [[nodiscard]] std::size_t size() const { return values.size() / static_cast<std::size_t>(components); }
};

enum class Backend { kInterpreter, kTape, kNative };
[[nodiscard]] std::string_view to_string(Backend backend);

struct Statistics {
  long steps = 0, rejected = 0;  ///< integration steps
  long static_solves = 0;   ///< accelerations and projections solved by generated code (its guards accepted the result)
  long pivoted_solves = 0;  ///< solved by the pivoted solver
  Backend backend = Backend::kTape;  ///< back end in use; all give the same bits
  std::string backend_note;          ///< why it is not the requested one; else empty
  bool from_cache = false;           ///< native code was loaded from the cache
  double seconds_read = 0.0, seconds_derive = 0.0, seconds_compile = 0.0, seconds_run = 0.0;
};

/// A reason why a run is slow, reported while it runs (docs/numerics.md): steps limited by stability, events in quick
/// succession, or a limit on steps.
struct Note {
  std::string kind;       ///< "start", "impact", "stiffness", "oscillation", "chatter", "max-step", "short-steps"
  double t = 0.0;         ///< [s] time in the motion
  std::string message;    ///< one sentence
  std::string component;  ///< the coordinate, speed or state concerned; may be empty
  std::string term;       ///< the load, constraint or switch that is the cause; may be empty
  double rate = 0.0;      ///< [1/s] rate that limits the step
  double steps = 0.0;     ///< number of steps still to be taken at this pace
};

/// Inputs that determine a motion: the same inputs give the same bits.
struct Provenance {
  std::string version;                 ///< version of Vinculum
  std::string model, file, text_hash;  ///< hash: 128 bits of the text and all included files; empty without text
  std::vector<std::pair<std::string, std::string>> set;  ///< changed parameters
  std::string backend, method, formulation;
  double until = 0.0, tolerance = 0.0, step = 0.0;
  std::optional<State> start = {};  ///< value of `RunOptions::start`
  /// Records of inputs, as text of the option `--input`: "u=force.csv, linear"; "u" alone if the values came from a
  /// program.
  std::vector<std::string> inputs = {};
  [[nodiscard]] std::string json() const;
};

/// Energies, powers and their balance along a run (docs/language.md, `run --energy`).
struct Energy {
  std::vector<Column> columns;  ///< over the samples: "kinetic_energy", …, "power(gravity)", …, "work", "balance"
  double worst = 0.0;           ///< [J] largest |balance|
  double relative = 0.0;        ///< `worst` relative to the largest energy or work
  double t = 0.0;               ///< [s] time of `worst`
};

/// The load of one constraint on a point or body along a run: what a bearing, motor or weld has to carry.
struct Load {
  std::string constraint;        ///< name of the constraint or of the `reveal`
  std::string on;                ///< name of the point, or for a torque of the body (as in `Exerted`)
  std::string kind;              ///< "force" or "torque"
  double peak = 0.0;             ///< [N] or [N m] largest magnitude, also between samples
  double t = 0.0;                ///< [s] time of the peak
  double rms = 0.0, mean = 0.0;  ///< root mean square and mean of the magnitude over time
  /// Frame of the components. Empty for a `reveal`: the components are along its directions, which should be
  /// perpendicular to each other.
  std::string frame;
  std::array<double, 3> at_peak{};           ///< components at the peak
  std::array<double, 3> mean_vector{};       ///< mean of each component over time
  std::array<double, 3> least{}, largest{};  ///< extremes of each component
  bool is_unique = true;  ///< false: redundant constraints make a component indeterminate at some instant
  State pose{};           ///< a state at or near the peak
};

/// Loads along a run. Impulses are not forces and are left out; `Trajectory::impulses` lists them.
struct Loads {
  std::string frame;      ///< frame of the components of all loads except for reveals
  std::vector<Load> all;  ///< one per constraint and point or body, then one per `reveal`
};

/// Whether a motion and its forces satisfy the identities of mechanics (docs/audit.md).
struct Audit {
  struct Line {
    std::string identity, section;  ///< such as "A u' = b", and "8.2", the section of docs/theory.md
    std::string verdict;            ///< "holds", "broken", "does not apply"
    /// largest residual relative to its terms; its limit; time of the largest [s]
    double worst = 0.0, allowed = 0.0, t = 0.0;
    /// constraint, body or coordinate of the largest residual; why the identity does not apply
    std::string where, reason;
    std::string allowed_from;  ///< origin of the limit, such as "rounding, conditioning of the solve"
  };
  std::vector<Line> lines;
  int samples = 0;  ///< number of audited instants
  [[nodiscard]] bool holds() const {
    return is_held_;
  }  ///< at least one line holds, none is broken, and the run reached its end or its `expect stop`
  /// The verdict in one sentence, and the broken lines.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// The verdict, and all lines.
  [[nodiscard]] const std::string& list() const { return list_; }
  [[nodiscard]] const std::string& json() const { return json_; }

 private:
  friend class Trajectory;
  bool is_held_ = false;
  std::string text_, list_, json_;
};

/// Motions as data for the page that draws them, in the format `vinculum-scene/1` (docs/report.md).
struct Scene {
  std::string json;     ///< one object: the things drawn, and the columns of numbers of each quantity
  std::string columns;  ///< base64 of all columns, one little-endian buffer
  /// The page with this scene in it. \param blank  the empty page, as built from the folder page/.
  /// \returns an Error if `blank` has no place for a scene.
  [[nodiscard]] Result<std::string> page(std::string_view blank) const;
};

/// Which samples a scene contains. kFewest: the fewest whose straight-line interpolation differs from every quantity by
/// less than is visible, or fewer if the page would exceed 2 MB. kAll: all samples of the run, whatever the size.
enum class SceneSamples { kFewest, kAll };

/// Derivatives of a motion with respect to one parameter or one start value (docs/howto/sensitivities.md).
struct Sensitivity {
  std::string of;         ///< name of the parameter, or of the coordinate, speed or state that is changed at the start
  std::string unit;       ///< its SI unit
  std::vector<double> t;  ///< [instants] s
  /// Derivatives of the coordinates, speeds, states, outputs and multipliers, with names as in `Trajectory::column` and
  /// `multiplier(c)`. Units are quotients such as "m/kg". Without meaning where redundant constraints make a quantity
  /// indeterminate (`Column::is_unique` of the quantity); NaN where it has no derivative.
  std::vector<Column> columns;
  /// Why there are no derivatives after the last of `t`: an Error of kind "not-smooth", with the time and the reason,
  /// if the motion does not depend smoothly on parameters from some instant on: a grazing impact, several switches at
  /// one instant, a singular pose. Then the times `RunOptions::at` after that instant have NaN.
  std::optional<Error> ended;
  /// \returns an Error if the name is unknown, or if the output is not a smooth function of state and reactions.
  [[nodiscard]] Result<Column> column(std::string_view name) const;
};

/// Instants at which a `Sensitivity` is given: all samples of the run, or the times `RunOptions::at`, in their order.
enum class SensitivityAt { kSamples, kAsked };

/// A motion up to its end, or up to the time at which it had to stop. Cheap to copy: copies share one constant motion,
/// which any number of threads may read. Spans are valid as long as one copy exists.
class Trajectory {
 public:
  struct Shared;
  explicit Trajectory(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

  [[nodiscard]] std::span<const double> t() const;  ///< [samples] s
  [[nodiscard]] const Array& q() const;             ///< [samples × nq]
  [[nodiscard]] const Array& u() const;             ///< [samples × nu]
  [[nodiscard]] const Array& z() const;             ///< [samples × nz]

  /// Names of the columns that `column` returns, one per component, as in the header of trajectory.csv after `t`: "x",
  /// "C1.x", "residual(rod)".
  [[nodiscard]] std::vector<std::string> names() const;
  /// A coordinate, speed, extra state or output by its name. "C1" of a vector has three components, "C1.x" one.
  [[nodiscard]] Result<Column> column(std::string_view name) const;
  /// The same for a handle of the model.   \returns an Error if the handle is of another model.
  [[nodiscard]] Result<Column> column(const QuantityHandle& quantity) const;
  /// Everything about one instant: a sample, or a time in `RunOptions::at`. \returns an Error at other times.
  [[nodiscard]] Result<Instant> at(double t) const;
  /// Force of a constraint on a point, or its resultant on a body, as `force(c, P)` of the language; `nonideal` forces
  /// are included. [N], components in the newtonian frame. It acts on the point or body; the opposite acts on the
  /// points or bodies that the constraint connects with it.
  [[nodiscard]] Result<Column> force(std::string_view constraint, std::string_view point) const;
  [[nodiscard]] Result<Column> force(ConstraintHandle constraint, PointHandle point) const;
  [[nodiscard]] Result<Column> force(ConstraintHandle constraint, BodyHandle body) const;  ///< the resultant
  /// Couple of a constraint on a body, in addition to its forces at points, as `torque(c, B)`. [N m]
  [[nodiscard]] Result<Column> torque(std::string_view constraint, std::string_view body) const;
  [[nodiscard]] Result<Column> torque(ConstraintHandle constraint, BodyHandle body) const;
  /// Multipliers of a constraint's rows, as `multiplier(c)`. Under the ideal law Aᵀλ is the generalized force.
  [[nodiscard]] Result<Column> multiplier(std::string_view constraint) const;
  [[nodiscard]] Result<Column> multiplier(ConstraintHandle constraint) const;
  /// Derivatives by a quantity that `RunOptions::sensitivity` names.
  /// \returns an Error for another name
  [[nodiscard]] Result<Sensitivity> sensitivity(std::string_view of, SensitivityAt at = SensitivityAt::kSamples) const;
  /// \returns an Error unless `RunOptions::record.energy` was set.
  [[nodiscard]] Result<Energy> energy() const;
  /// \returns an Error unless `RunOptions::record.loads` was set.
  [[nodiscard]] Result<Loads> loads() const;
  /// Audits up to `instants` samples by all identities of docs/theory.md §8.
  [[nodiscard]] Audit audit(int instants = 40) const;
  /// The moving parts and all forces, the audit, `explain` and the equations. Samples that the drawing does not need
  /// are left out. Best for a run with `record.scene` and `record.energy`.
  /// \param is_audited  false: without the audit, which may take as long as the run.
  /// \returns an Error if the motion has no complete start.
  [[nodiscard]] Result<Scene> scene(SceneSamples samples = SceneSamples::kFewest, bool is_audited = true) const;
  /// Plots over time as an SVG picture: one panel per unit, in the declared units.
  /// \param names  as for `column`, or `multiplier(c)`, `force(c, P)`, `torque(c, B)`; empty: outputs, coordinates,
  /// speeds and states.
  /// \returns an Error that lists the names if one does not exist, or an Error if there are no samples.
  [[nodiscard]] Result<std::string> svg(std::span<const std::string> names = {}) const;
  /// Events in the order of time, as in `events.csv`; a motion that ended early has a last one of kind "stop".
  [[nodiscard]] std::vector<Event> events() const;
  /// Impulses of constraints as vectors, in the order of time, as in `impulses.csv`. An impulse whose part at a point
  /// or body is zero has no element there.
  [[nodiscard]] Result<std::vector<ExertedImpulse>> impulses() const;
  /// Why the motion ended early; null if it reached its end. This is a property of the motion, not a failed call.
  [[nodiscard]] const Error* stopped() const;
  /// Reasons why the run was slow, each kind once.
  [[nodiscard]] std::span<const Note> notes() const;
  [[nodiscard]] const Statistics& statistics() const;
  [[nodiscard]] const Provenance& provenance() const;
  /// The table that the command `run` prints, and its JSON object (docs/json.md).
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;
  /// Writes trajectory.csv, events.csv and result.json, energy.csv and loads.csv if these were recorded, and the
  /// further formats of `results`. Writes nothing if the motion has no complete start. A run with `RunOptions::into`
  /// has its samples in those results and cannot be written into others.
  /// \returns the names of the files.
  [[nodiscard]] Result<std::vector<std::string>> write(Results& results) const;
  /// As above, into a folder that is opened for this call.
  [[nodiscard]] Result<std::vector<std::string>> write(const std::filesystem::path& folder, Formats formats = {}) const;

 private:
  std::shared_ptr<const Shared> shared_;
};

}  // namespace vinculum

#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/error.hpp"

/// What moves, and what is known about it. SI units throughout; vectors by their measure numbers in the newtonian frame
/// unless a frame is named; the letters are those of docs/theory.md.
namespace vinculum {

/// What a run writes beside its CSV files.
struct Formats {
  bool parquet = false;  ///< trajectory.parquet and, where recorded, energy.parquet (docs/json.md)
};

/// A folder for results that one writer has for itself, from before the work until this value is destroyed: so that a
/// full disk, a folder that cannot be written or another writer is known before the motion is computed, and not behind.
///
/// Writing replaces the results that stand there: new files become whole under hidden names first; then the old ones
/// go, all of them, and the new ones come, `result.json` (`compare.json`) last. Where it stands, what stands beside it
/// is whole and of one run. The path to the folder may hold links; a link in the place of a file is replaced, not
/// followed.
class Results {
 public:
  /// Makes the folder and takes it. \returns an Error where it cannot be written into or another writer has it.
  [[nodiscard]] static Result<Results> open(const std::filesystem::path& folder, Formats formats = {});
  struct Own;
  explicit Results(std::unique_ptr<Own> own);
  /// Removes what `open` has made where nothing was written.
  ~Results();
  Results(Results&&) noexcept;
  Results& operator=(Results&&) noexcept;
  [[nodiscard]] Own& own() { return *own_; }

 private:
  std::unique_ptr<Own> own_;
};

/// A state of the motion: coordinates, speeds, and extra states (`state z' = …`, multipliers μ of a law).
struct State {
  double t = 0.0;           ///< [s]
  std::vector<double> q;    ///< [nq] in the order of `Model::coordinates`
  std::vector<double> u;    ///< [nu] in the order of `Model::speeds`
  std::vector<double> z{};  ///< [nz] in the order of `Model::states`, then derivatives that are states (theory.md §6.5)
};

/// Numbers in rows and columns, row by row.
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

/// The pieces of the equations of motion at a state:   q' = G u + g,   M u' = f + C + Aᵀλ,   A u' = b.
/// Rows of constraints stand in the order of the model; those that a law realises or keeps by a higher order have none.
struct Matrices {
  Array G;                    ///< [nq × nu]
  std::vector<double> q_dot;  ///< [nq]
  Array M;                    ///< [nu × nu] mass matrix
  std::vector<double> f, C;   ///< [nu] given forces less inertia bias; what `nonideal` clauses state
  Array A;                    ///< [nc × nu] constraint Jacobian
  std::vector<double> b;      ///< [nc]
  std::vector<double> phi,
      psi;  ///< [nc] what rows of position and velocity level miss; 0 where a row has no such level

  // The geometry of constrained motion (docs/theory.md §4.4), of M and f without what laws such as `vakonomic` add to
  // them: M u' = f + Q_constraint whatever the laws are. Empty, and 0, where there is no unique motion at the state
  // (`forces` says why) and where a constraint of higher order has no row in A.
  int rank = 0;                                           ///< of A
  std::vector<double> Q_ideal, Q_nonideal, Q_constraint;  ///< [nu] Qi, Qni, Qc = Qi + Qni
  std::vector<double> a;  ///< [nu] free acceleration M⁻¹f; where M is singular that of H = M + AᵀWA (§3.3)
  std::vector<double> e;  ///< [nc] b − A a
  Array L;                ///< [nu × nu] M = L Lᵀ, lower triangular: the root that scales
  Array B, T, N;          ///< [nc × nu] A L⁻ᵀ; [nu × nu] B⁺B, I − T
  double gauss = 0.0;     ///< (u' − a)ᵀ M (u' − a)
};

/// Three measure numbers of what a constraint exerts.
struct Exerted {
  std::string constraint, on;     ///< names: the point; or the body, for its couple
  std::array<double, 3> value{};  ///< [N], [N m]; on the thing named, which the opposite acts against
  /// By component; false: redundant constraints share it, and this is the share of least norm.
  std::array<bool, 3> is_unique{true, true, true};
};

/// Accelerations, and the force behind every constraint, at a state.
struct Forces {
  std::vector<double> u_dot;                   ///< [nu] accelerations u'
  std::vector<double> z_dot;                   ///< [nz]
  std::vector<double> lambda, lambda_ideal;    ///< [nc] multipliers of rows; those of the ideal part
  std::vector<char> lambda_is_unique;          ///< [nc]
  std::vector<double> Q, Q_ideal, Q_nonideal;  ///< [nu] generalized forces of all constraints, Q = Q_ideal + Q_nonideal
  std::vector<double> efforts;                 ///< of actuators that keep constraints (theory.md §6.9)
  int rank = 0;                                ///< of A
  std::vector<Exerted> on_points;              ///< [N] as `force(c, P)` of the language
  std::vector<Exerted> on_bodies;              ///< [N m] as `torque(c, B)`: couples beside the forces at points
};

/// A state with all that is reported about it.
struct Instant {
  State state;
  Forces forces;
  std::vector<double> outputs;  ///< columns one after the other, as `Trajectory::column` names them
};

/// One quantity over the samples.
struct Column {
  std::string name;    ///< "x", "C1.x", "force(rod, P)"
  std::string unit;    ///< SI: "N", "rad", "N*m" of a moment; "1" where there is none; "N, N*m" where they differ
  std::string frame;   ///< the frame of a vector's measure numbers; empty for scalars
  int components = 1;  ///< 3 of a vector, one a row of a multiplier
  std::vector<double> values;   ///< [samples × components]
  std::vector<char> is_unique;  ///< [samples × components] 0 if redundant constraints share it; empty: always unique
  [[nodiscard]] double operator()(std::size_t sample, int component = 0) const {
    return values[sample * static_cast<std::size_t>(components) + static_cast<std::size_t>(component)];
  }
  [[nodiscard]] std::size_t size() const { return values.size() / static_cast<std::size_t>(components); }
};

enum class Backend { kInterpreter, kTape, kNative };
[[nodiscard]] std::string_view to_string(Backend backend);

struct Statistics {
  long steps = 0, rejected = 0;      ///< of the integration
  long static_solves = 0;            ///< accelerations and projections by generated code whose guards accepted them
  long pivoted_solves = 0;           ///< by the pivoted solver, which then decides
  Backend backend = Backend::kTape;  ///< what really evaluates the equations; all give the same bits
  std::string backend_note;          ///< why it is not the one asked for; empty where it is
  bool from_cache = false;           ///< native code came from the cache
  double seconds_read = 0.0, seconds_derive = 0.0, seconds_compile = 0.0, seconds_run = 0.0;
};

/// Why a run is slow, said while it is (docs/numerics.md): steps that stability bounds, switchings that follow each
/// other closely, a limit of steps.
struct Note {
  std::string kind;       ///< "start", "stiffness", "oscillation", "chatter", "max-step", "short-steps"
  double t = 0.0;         ///< [s] when it was seen
  std::string message;    ///< a sentence
  std::string component;  ///< the coordinate, speed or state that it is about; may be empty
  std::string term;       ///< the load, constraint or switch that causes it; may be empty
  double rate = 0.0;      ///< [1/s] of what makes steps short
  double steps = 0.0;     ///< still to be taken at this pace
};

/// From what a motion has come: with the same the same bits come again.
struct Provenance {
  std::string version;                 ///< of Vinculum
  std::string model, file, text_hash;  ///< 128 bits of the text with all it includes; empty without text
  std::vector<std::pair<std::string, std::string>> set;  ///< parameters changed
  std::string backend, method, formulation;
  double until = 0.0, tolerance = 0.0, step = 0.0;
  std::optional<State> start = {};  ///< `RunOptions::start`
  [[nodiscard]] std::string json() const;
};

/// Energies, powers and their balance along a run (docs/language.md, `run --energy`).
struct Energy {
  std::vector<Column> columns;  ///< "kinetic_energy", …, "power(gravity)", …, "work", "balance": over the samples
  double worst = 0.0;           ///< [J] largest |balance|
  double relative = 0.0;        ///< that over the largest energy or work
  double t = 0.0;               ///< [s] when
};

/// Whether a motion and its forces satisfy the identities of mechanics (docs/audit.md).
struct Audit {
  struct Line {
    std::string identity, section;               ///< "A u' = b", "8.2" of docs/theory.md
    std::string verdict;                         ///< "holds", "broken", "does not apply"
    double worst = 0.0, allowed = 0.0, t = 0.0;  ///< largest residual relative to its terms, its limit, when [s]
    std::string where, reason;                   ///< which constraint, body, coordinate; why it does not apply
    std::string allowed_from;                    ///< what makes the limit: "rounding, conditioning of the solve"
  };
  std::vector<Line> lines;
  int samples = 0;  ///< instants that were judged
  bool is_held = false;
  std::string rendered, rendered_list, rendered_json;
  [[nodiscard]] bool holds() const {
    return is_held;
  }  ///< some line does and none is broken, of a run to its end or to an `expect stop`
  /// The verdict in a sentence, and the lines that are broken.
  [[nodiscard]] const std::string& text() const { return rendered; }
  /// The same sentence, and every line.
  [[nodiscard]] const std::string& list() const { return rendered_list; }
  [[nodiscard]] const std::string& json() const { return rendered_json; }
};

/// Motions as data for a page that draws them: `vinculum-scene/1` (docs/report.md).
struct Scene {
  std::string json;     ///< one object: what there is, and which column of numbers each quantity has
  std::string columns;  ///< base64 of the columns, one little-endian buffer
  /// The page with this scene in it. \param blank  as the folder page/ of the sources builds it.
  /// \returns an Error where it has no places for a scene.
  [[nodiscard]] Result<std::string> page(std::string_view blank) const;
};

/// Which instants a scene holds: the fewest between which straight lines pass by every quantity within what can be
/// seen, or fewer where a page would grow beyond 2 MB; or all that the run has sampled, however large the page.
enum class SceneSamples { kFewest, kAll };

/// A motion up to its end, or to where it had to stop. Cheap to copy: copies share one motion, which is const and may
/// be read by any number of threads; spans live as long as one copy.
class Trajectory {
 public:
  struct Shared;
  explicit Trajectory(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

  [[nodiscard]] std::span<const double> t() const;  ///< [samples] s
  [[nodiscard]] const Array& q() const;             ///< [samples × nq]
  [[nodiscard]] const Array& u() const;             ///< [samples × nu]
  [[nodiscard]] const Array& z() const;             ///< [samples × nz]

  /// What `column` has, entry by entry, as the head of trajectory.csv names it behind `t`: "x", "C1.x",
  /// "residual(rod)".
  [[nodiscard]] std::vector<std::string> names() const;
  /// A coordinate, a speed, an extra state, an output ("C1" with three components, "C1.x" alone) by its name.
  [[nodiscard]] Result<Column> column(std::string_view name) const;
  /// Everything about one instant: a sample, or a time named in `RunOptions::at`. \returns an Error at other times.
  [[nodiscard]] Result<Instant> at(double t) const;
  /// Force of a constraint on a point, or the resultant on a body, as `force(c, P)` of the language: the reaction and
  /// what `nonideal` states. [N], components in the newtonian frame; it acts on the point, the opposite on what the
  /// constraint ties it to.
  [[nodiscard]] Result<Column> force(std::string_view constraint, std::string_view point) const;
  /// Couple of a constraint on a body that goes with its forces at points, as `torque(c, B)`. [N m]
  [[nodiscard]] Result<Column> torque(std::string_view constraint, std::string_view body) const;
  /// Multipliers of a constraint's rows, as `multiplier(c)`: Aᵀλ is its generalized force under the ideal law.
  [[nodiscard]] Result<Column> multiplier(std::string_view constraint) const;
  /// \returns an Error unless the run was asked to record energies.
  [[nodiscard]] Result<Energy> energy() const;
  /// Judges `instants` of the samples by every identity.
  [[nodiscard]] Audit audit(int instants = 40) const;
  /// What moves, with every force, thinned to what a drawing needs; with the audit, `explain` and the equations. Best
  /// of a run that has `record.scene`, and `record.energy`. \param is_audited  false: without the audit, which may take
  /// as long as the run. \returns an Error where the motion has no complete start.
  [[nodiscard]] Result<Scene> scene(SceneSamples samples = SceneSamples::kFewest, bool is_audited = true) const;
  /// Lines over the time as an SVG picture, one panel a unit, in the units declared.
  /// \param names  as of `column`, `multiplier(c)`, `force(c, P)`, `torque(c, B)`; none: outputs, coordinates, speeds
  /// and states.   \returns an Error that lists what there is where a name is none, or there are no samples.
  [[nodiscard]] Result<std::string> svg(std::span<const std::string> names = {}) const;
  /// Why the motion ended before its time, as a reason and not as a failure of the call; null where it did not.
  [[nodiscard]] const Error* stopped() const;
  /// Why the run was slow, each kind of reason once.
  [[nodiscard]] std::span<const Note> notes() const;
  [[nodiscard]] const Statistics& statistics() const;
  [[nodiscard]] const Provenance& provenance() const;
  /// The table that `run` prints, and its JSON object (docs/json.md).
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;
  /// Writes trajectory.csv, events.csv, result.json, where recorded energy.csv, and further formats; nothing of a
  /// motion without a complete start. A run with `RunOptions::into` has its samples in these results and can be written
  /// into no others.
  /// \returns the names of the files.
  [[nodiscard]] Result<std::vector<std::string>> write(Results& results) const;
  /// Into a folder that is opened for this alone.
  [[nodiscard]] Result<std::vector<std::string>> write(const std::filesystem::path& folder, Formats formats = {}) const;

 private:
  std::shared_ptr<const Shared> shared_;
};

}  // namespace vinculum

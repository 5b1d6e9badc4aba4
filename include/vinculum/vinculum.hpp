#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "vinculum/evaluator.hpp"
#include "vinculum/linearization.hpp"
#include "vinculum/names.hpp"
#include "vinculum/trajectory.hpp"

/// Vinculum: constrained motion, and the force that enforces every constraint. Public C++ API; guide: docs/api.md.
namespace vinculum {

[[nodiscard]] std::string_view version();  ///< "0.4.0"

/// The value of a parameter: a number in SI units, or text with a unit as in a model, such as "2.5 [kg]".
struct Value {
  Value(double number) : stated(number) {}
  Value(int number) : Value(static_cast<double>(number)) {}
  Value(const char* written) : stated(written) {}
  Value(std::string written) : stated(std::move(written)) {}
  /// As after `--set NAME=`; a number has the digits that are needed to read it back.
  [[nodiscard]] std::string text() const;
  std::variant<double, std::string> stated;
};
using Values = std::vector<std::pair<std::string, Value>>;

struct Settings {
  Values set = {};                     ///< parameters with other values than the text declares
  Backend backend = Backend::kNative;  ///< how the equations are evaluated; all give the same bits
  /// Folder of the cache of compiled kernels; empty: no cache. Default: `$VINCULUM_CACHE`, else
  /// `$XDG_CACHE_HOME/vinculum`, else `~/.cache/vinculum`.
  std::optional<std::string> cache = {};
};

/// Form of the equations that is integrated. The motion does not depend on it (docs/theory.md §7).
enum class Formulation { kExplicit, kAugmented, kMinimal };
[[nodiscard]] std::string_view to_string(Formulation formulation);
[[nodiscard]] std::optional<Formulation> find_formulation(std::string_view name);

/// Additional motion variables of the minimal form, which bring the multipliers into evidence: the dependent speeds;
/// the constraints' own expressions; or, per row, the velocity in the newtonian frame of the first thing that the row
/// names (docs/derive.md).
enum class Additional { kSpeeds, kVanishing, kAbsolute };
[[nodiscard]] std::optional<Additional> find_additional(std::string_view name);

/// Data recorded along a run in addition to the samples.
struct Record {
  bool energy = false;        ///< for `Trajectory::energy`; costs full reports at and between steps
  bool loads = false;         ///< for `Trajectory::loads`; costs full reports at and between steps
  std::string loads_in = {};  ///< frame of the components of loads; empty: the newtonian frame
  bool scene = false;         ///< for `Trajectory::scene`: dense samples, from which a drawing selects
  bool audit = false;         ///< for `Trajectory::audit`: integrals of the rates, computed along with the motion
  bool profile = false;       ///< computing time per task, shown by `Trajectory::text` and `json`
};

/// Values of an input along a run, from a file or as numbers. The rows reach from the start to the end of the run.
struct InputRecord {
  std::string name;  ///< of the input
  /// CSV file: the first column is the time, titles with units are in the first line (docs/language.md, `input`);
  /// empty: the numbers below.
  std::filesystem::path file = {};
  bool is_linear = false;           ///< linear between the rows; otherwise each value holds until the next row
  std::vector<double> t = {};       ///< [rows] [s] strictly increasing
  std::vector<double> values = {};  ///< [rows] SI units
  /// From "u=force.csv" or "u=force.csv, linear".   \returns an Error if the text has another form.
  [[nodiscard]] static Result<InputRecord> parse(std::string_view text);
};

/// Options of a run. An option without a value is taken from the model's `run` statement, else the default given here.
struct RunOptions {
  /// Start the run in exactly this state instead of the one described by `start`, for example a state of another
  /// motion, or one from `assemble`. `until` remains the time at which the run ends.
  std::optional<State> start = {};
  std::optional<double> until = {};      ///< [s] end of the run
  std::optional<double> tolerance = {};  ///< relative, in [1e-15, 0.1]; default 1e-8
  std::optional<double> step = {};       ///< [s] between samples; default: 200 samples over the run
  std::vector<double> at = {};           ///< [s] times reported in addition, see `Trajectory::at`
  Record record = {};
  /// Parameters and start values by which the run is differentiated, for `Trajectory::sensitivity`: names of
  /// parameters, coordinates, speeds and states. A coordinate, speed or state stands for its value at the start.
  std::vector<std::string> sensitivity = {};
  std::vector<InputRecord> inputs = {};  ///< other inputs keep the value that the model states
  /// Write samples to these results as they are computed, so that memory does not grow with their number. The
  /// trajectory then contains only the first sample, the last sample and the samples at the times `at`.
  /// `Trajectory::write` to the same results completes them.
  Results* into = nullptr;
  std::optional<std::string> method = {};  ///< "dop853" (default), "dp5", "tsit5", "radau"
  std::optional<Formulation> formulation = {};
  std::optional<double> most_steps = {};                      ///< limit on steps; the run then ends as interrupted
  std::function<void(double t, double until)> progress = {};  ///< called at least once per step with the time reached
  std::function<void(const Note& note)> on_note = {};         ///< called during the run with reasons why it is slow
  /// Called after every step; `true` ends the run there. The motion so far is kept, and `stopped()` is of kind
  /// "interrupted".
  std::function<bool()> is_interrupted = {};
  /// Called for each event. If it returns `true`, the run ends there as by `is_interrupted`.
  OnEvent on_event = {};
};

/// Options of a comparison: of either `laws` or `formulations`.
struct CompareOptions {
  std::string laws = {};                       ///< such as "ideal, viscous(kappa=1e1..1e4)"; the first is the reference
  std::vector<Formulation> formulations = {};  ///< two or more
  std::vector<std::string> on = {};            ///< constraints whose law is replaced; empty: all that admit every law
  std::optional<double> until = {}, tolerance = {};
  std::optional<std::string> method = {};
  double most_steps = 1e6;  ///< limit per variant; a law that needs more steps is not run
  bool scene = false;       ///< for `Comparison::scene`: dense samples, from which a drawing selects
  /// Called at least once per step with the time that this variant has reached.
  std::function<void(std::string_view variant, double t, double until)> progress = {};
  /// Called after every step; `true` ends the comparison, which is then an Error of kind "interrupted".
  std::function<bool()> is_interrupted = {};
  /// Laws of restitution for the contacts named by `on` (default: all), two or more: "energetic", "newton", "poisson",
  /// "moreau", each also with " sequential"; "sequential"; "stated".
  std::vector<std::string> restitution = {};
};

/// A report as text for people and as JSON for programs.
class Report {
 public:
  Report(std::string text, std::string json) : text_(std::move(text)), json_(std::move(json)) {}
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& json() const { return json_; }

 private:
  std::string text_, json_;
};
/// The moving parts, the degrees of freedom, and the form of the force of each constraint (JSON: docs/json.md).
class Explanation : public Report {
  using Report::Report;
};

struct ExplainOptions {
  bool geometry = false;  ///< also M, A, B, T, N and the scaled vectors at the start (docs/theory.md §4.4)
  bool along = false;  ///< also variations along the motion, compared with virtual displacements (docs/theory.md §11)
  std::optional<double> until = {};  ///< [s] end of `along`; default: that of the model's `run`
};

/// The equations of motion, for reading and as programs (docs/derive.md).
class Derivation {
 public:
  struct Shared;
  explicit Derivation(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string latex() const;
  /// One self-contained file. \returns an Error if the equations are implicit.
  [[nodiscard]] Result<std::string> c() const;
  [[nodiscard]] Result<std::string> python() const;
  /// What a program that calls this code needs: names and units [SI] of the arrays, inputs, outputs, events and
  /// functions (docs/derive.md). \returns an Error if the equations are implicit.
  [[nodiscard]] Result<std::string> program_json() const;

 private:
  std::shared_ptr<const Shared> shared_;
};

/// One model under several reaction laws or in several formulations (docs/compare.md).
class Comparison {
 public:
  struct Variant {
    std::string name;
    std::string not_run;  ///< why it has no motion; may be empty
    bool has_motion = false;
    /// largest differences from the first variant, relative to its size
    double coordinates = 0.0, speeds = 0.0, forces = 0.0;
  };
  struct Shared;
  explicit Comparison(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}
  [[nodiscard]] std::span<const Variant> variants() const;
  [[nodiscard]] const Diagnostics& diagnostics() const;  ///< notices about the laws
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;
  /// All motions in one drawing. \returns an Error if no variant has a motion.
  [[nodiscard]] Result<Scene> scene() const;
  /// Writes compare.csv, ladder.csv if a law has a range of values, compare.json and compare.gp. \returns their names.
  [[nodiscard]] Result<std::vector<std::string>> write(Results& results) const;
  /// As above, into a folder that is opened for this call.
  [[nodiscard]] Result<std::vector<std::string>> write(const std::filesystem::path& folder) const;

 private:
  std::shared_ptr<const Shared> shared_;
};

/// Result of the `expect` statements of a model along one run, with an audit of the motion.
struct Verdict {
  std::string file, model;
  int passed = 0, failed = 0;
  std::string text;  ///< one line for the model, then the failed expectations with their places
  struct Shared;
  std::shared_ptr<const Shared> shared = {};
};
/// The closing line for several verdicts, and all of them as JSON (docs/json.md, `test --json`).
[[nodiscard]] std::string totals_text(std::span<const Verdict> verdicts);
[[nodiscard]] std::string totals_json(std::span<const Verdict> verdicts);

/// A motion that the caller advances step by step, with the tolerance and method of the model's `run`. A simulation
/// serves one thread; several may share a Model.
class Simulation {
 public:
  struct Own;
  explicit Simulation(std::unique_ptr<Own> own);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  using Input = InputHandle;

  [[nodiscard]] const State& state() const;
  /// A coordinate, speed or extra state of `state()`, or a parameter [SI].
  /// \returns an Error if the handle is of another model.
  [[nodiscard]] Result<double> value(CoordinateHandle coordinate) const;
  [[nodiscard]] Result<double> value(SpeedHandle speed) const;
  [[nodiscard]] Result<double> value(StateHandle state) const;
  [[nodiscard]] Result<double> value(ParameterHandle parameter) const;
  /// Moves to the state nearest to this one that satisfies the constraints, and begins a motion there.
  /// \returns an Error if the sizes differ from the model's, or if there is no such state; the simulation is then
  /// unchanged.
  [[nodiscard]] Result<void> set_state(const State& state);
  /// Advances to time t [s], t ≥ state().t. Events at t have happened then. The step size and all that the motion has
  /// learned are kept from call to call. If the function `on_event` ends the call, state().t is the time of the event,
  /// and the next call goes on from there.
  /// \returns an Error if the motion ends before t, also at every later call until `set_state`; the state is then the
  /// last one reached.
  [[nodiscard]] Result<void> advance(double t);
  /// As `Model::input`.
  [[nodiscard]] Result<Input> input(std::string_view name) const;
  /// Gives an input another value [SI], which holds from the present time on. Events that the jump causes happen. It
  /// compiles nothing and keeps the step size.   \cost less than a microsecond without events and friction.
  /// \returns an Error if the handle is of another model, the value is not finite, or the jump ends the motion.
  [[nodiscard]] Result<void> set_input(Input input, double value);
  [[nodiscard]] Result<void> set_input(std::string_view name, double value);
  /// Sets the function that is called for each event from now on, by `advance`, and by `set_input` if the jump causes
  /// events; an empty one ends the calls. Events at the start happen in the first `advance`.
  ///
  /// During a call, `state()` is the state after the event, and the functions that return quantities at it may be used.
  /// `set_input` is remembered, and the input has the value from this instant on: the motion is the same as if
  /// `advance` had gone to this time, followed by `set_input`. The other functions that change the motion, and `save`,
  /// return an Error.
  void on_event(OnEvent function);
  [[nodiscard]] const OnEvent& on_event() const;
  /// Everything that the rest of the motion depends on, as bytes: time, state, inputs, sides of switching surfaces,
  /// friction, step size. A simulation of the same model with the same parameters that restores it goes on with the
  /// same bits, also in another process.   \returns an Error if the motion has ended.
  [[nodiscard]] Result<std::string> save() const;
  /// \returns an Error if the bytes are not from `save`, or from another model, version or parameter values; the
  /// simulation is then unchanged.
  [[nodiscard]] Result<void> restore(std::string_view saved);
  /// Changes parameters from this time on, as a controller does at every tick. The state is unchanged, or moves to the
  /// nearest one that satisfies constraints which depend on the parameters.
  /// \returns an Error if there is no such parameter, value or state; the simulation is then unchanged.
  [[nodiscard]] Result<void> set(const Values& values);
  [[nodiscard]] Result<void> set(ParameterHandle parameter, double value);
  [[nodiscard]] Result<Matrices> matrices() const;
  [[nodiscard]] Result<Forces> forces() const;
  [[nodiscard]] Result<std::vector<double>> accelerations() const;  ///< u' [nu]
  /// Inverse dynamics: generalized forces [nu] which, added to everything that the model states, produce the
  /// accelerations u' [nu] at this state. They are M (u' − u'_0), with u'_0 the accelerations without them. With
  /// constraints many forces produce the same u'; these are the ones without a component along the constraints, the
  /// smallest in the metric of M⁻¹ (docs/theory.md §4.4).
  /// \returns an Error if a constraint does not admit u', or if other forces would change with the added ones:
  /// reactions that are not ideal, friction, actuator efforts, or relations that are not linear in u'.
  [[nodiscard]] Result<std::vector<double>> inverse_dynamics(std::span<const double> accelerations) const;

 private:
  std::unique_ptr<Own> own_;
};

class Builder;

/// A mechanical system, complete and checked. Cheap to copy: copies share one constant model, which any number of
/// threads may use. Equations are derived and compiled on first use.
class Model : public ModelNames {
 public:
  /// Reads the file of a model. Tables and included files must be in its folder or below it.
  [[nodiscard]] static Result<Model> load(const std::filesystem::path& path, Settings settings = {});
  /// \param name  file name shown in diagnostics; included files are searched in its folder.
  [[nodiscard]] static Result<Model> from_text(std::string text, Settings settings = {},
                                               const std::string& name = "model.vin");
  /// The model built by a program.
  [[nodiscard]] static Result<Model> from_builder(Builder builder, Settings settings = {});

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] std::string text_hash() const;  ///< 128 bits of the text and all included files; empty without text
  [[nodiscard]] const Diagnostics& diagnostics() const;  ///< warnings and notices

  /// The same model with other parameter values; compiled kernels are reused. \returns an Error if a parameter does not
  /// exist or a value is not possible.
  [[nodiscard]] Result<Model> with(const Values& values) const;
  [[nodiscard]] Result<Model> with(ParameterHandle parameter, double value) const;  ///< SI

  /// The consistent start described by the model's `start` statements.
  [[nodiscard]] Result<State> assemble() const;
  /// The state nearest to `near` that satisfies the constraints: least change of q, then of u, in the metric of M.
  [[nodiscard]] Result<State> assemble(const State& near) const;
  /// \returns an Error if the sizes differ from the model's.
  [[nodiscard]] Result<Matrices> matrices(const State& state) const;
  [[nodiscard]] Result<Forces> forces(const State& state) const;

  /// \param additional  for the minimal form; the others accept only kSpeeds.
  [[nodiscard]] Result<Derivation> derive(Formulation form = Formulation::kExplicit,
                                          Additional additional = Additional::kSpeeds) const;
  [[nodiscard]] Result<Explanation> explain(const ExplainOptions& options = {}) const;
  [[nodiscard]] Result<Simulation> simulation() const;
  /// The equations at states that the caller chooses (evaluator.hpp).   \returns an Error if the model has no start.
  [[nodiscard]] Result<Evaluator> evaluator() const;
  /// The linear system near a state, with its eigenvalues and modes (linearization.hpp).
  /// \returns an Error of kind "not-linear" if the motion does not depend smoothly on the state: dry friction, a corner
  /// of `if` or `abs`. An Error if a name does not exist, or if the state does not satisfy the constraints.
  [[nodiscard]] Result<Linearization> linearize(const LinearizeOptions& options = {}) const;
  /// An equilibrium or a steady motion near a state, by Newton's method on the constraints.
  /// \returns an Error of kind "no-equilibrium" if none is found, with the condition that is not satisfied; else as
  /// `linearize`.
  [[nodiscard]] Result<State> equilibrium(const EquilibriumOptions& options = {}) const;
  /// The eigenvalues at several values of a parameter, and the values at which stability changes.
  /// \returns an Error as `with`, `linearize` and `equilibrium`, with the value of the parameter
  [[nodiscard]] Result<RootLocus> root_locus(const RootLocusOptions& options) const;
  /// The multipliers of a periodic motion, or of a state at rest under loads that vary periodically.
  /// \returns an Error of kind "not-periodic" if the state after the period is another one; else as `linearize`.
  [[nodiscard]] Result<PeriodicMotion> periodic_motion(const PeriodicOptions& options) const;
  /// The values of a state with their names and units.   \pre the sizes are those of the model
  [[nodiscard]] Report describe_state(const State& state) const;
  /// \returns an Error if no equations can be formed or an option is not possible. A motion that stops early is a
  /// Trajectory, and `stopped()` returns the reason.
  [[nodiscard]] Result<Trajectory> run(const RunOptions& options = {}) const;
  [[nodiscard]] Result<Comparison> compare(const CompareOptions& options) const;
  /// Runs the model and checks its `expect` statements.
  [[nodiscard]] Verdict test() const;

  explicit Model(std::shared_ptr<const Shared> shared) : ModelNames(std::move(shared)) {}

 private:
  friend struct FinishedRun;
};

/// A finished run, read from its results folder: all that is needed to repeat or continue it.
struct FinishedRun {
  Provenance provenance;
  Settings settings;             ///< with the parameters that were changed
  RunOptions options;            ///< with these options the same text gives the same motion
  double t = 0.0;                ///< [s] time at which it ended
  bool was_interrupted = false;  ///< it ended early because the user or a program interrupted it
  std::vector<std::pair<std::string, double>> state = {};  ///< at the end: names and values
  /// \returns an Error if the folder has no results, or results without provenance.
  [[nodiscard]] static Result<FinishedRun> read(const std::filesystem::path& folder);
  /// The final state, in which `model` can continue. \returns an Error if the model has other coordinates, speeds or
  /// states, or a number is missing.
  [[nodiscard]] Result<State> end(const Model& model) const;
  /// Whether `motion` ends in exactly this state.
  [[nodiscard]] bool is_of(const Trajectory& motion) const;
};

/// `Model::load(path, settings)->test()`; a model that cannot be read also gives a verdict.
[[nodiscard]] Verdict test(const std::filesystem::path& path, Settings settings = {});

/// A model's text in canonical layout. \returns an Error if the text has errors.
[[nodiscard]] Result<std::string> format(const std::filesystem::path& path);

}  // namespace vinculum

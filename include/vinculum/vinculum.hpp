#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/evaluator.hpp"
#include "vinculum/trajectory.hpp"

/// Vinculum: constrained motion, and the force behind every constraint. The one door: docs/api.md.
namespace vinculum {

[[nodiscard]] std::string_view version();  ///< "0.3.0"

/// The value of a parameter: a number in SI, or as texts write it, "2.5 [kg]".
struct Value {
  Value(double number);
  Value(int number) : Value(static_cast<double>(number)) {}
  Value(const char* written) : text(written) {}
  Value(std::string written) : text(std::move(written)) {}
  std::string text;
};
using Values = std::vector<std::pair<std::string, Value>>;

struct Settings {
  Values set = {};                     ///< parameters that get another value
  Backend backend = Backend::kNative;  ///< what evaluates the equations; all give the same bits
  /// Folder of the cache of compiled kernels; empty: none. Not stated: `$VINCULUM_CACHE`, else
  /// `$XDG_CACHE_HOME/vinculum`, else `~/.cache/vinculum`.
  std::optional<std::string> cache = {};
};

/// How the motion is computed; the motion is the same (docs/theory.md §7).
enum class Formulation { kExplicit, kAugmented, kMinimal };
[[nodiscard]] std::string_view to_string(Formulation formulation);
[[nodiscard]] std::optional<Formulation> find_formulation(std::string_view name);

/// Additional motion variables of the minimal form, which bring the multipliers into evidence: the dependent speeds,
/// the constraints' own expressions, or velocities in the newtonian frame of what each row names first
/// (docs/derive.md).
enum class Additional { kSpeeds, kVanishing, kAbsolute };
[[nodiscard]] std::optional<Additional> find_additional(std::string_view name);

/// What is recorded along a run beside the samples.
struct Record {
  bool energy = false;   ///< for `Trajectory::energy`: costs full reports at and between steps
  bool scene = false;    ///< for `Trajectory::scene`: samples so close that a drawing can choose among them
  bool audit = false;    ///< for `Trajectory::audit`: what rates add up to, beside the motion
  bool profile = false;  ///< where the run's time goes, in `Trajectory::text` and `json`
};

/// What is not stated is as the model's `run` has it, else as here.
struct RunOptions {
  /// The state in which the run begins, to the bit, in place of what `start` describes: as a motion has it, which goes
  /// on from there, or `assemble`. `until` stays the time at which the run ends.
  std::optional<State> start = {};
  std::optional<double> until = {};      ///< [s] end of the run
  std::optional<double> tolerance = {};  ///< relative, in [1e-15, 0.1]; 1e-8
  std::optional<double> step = {};       ///< [s] between samples; 200 samples over the run
  std::vector<double> at = {};           ///< [s] times that are shown too, see `Trajectory::at`
  Record record = {};
  /// Samples go into its files as they come, and memory stays as it is however many there are: the trajectory holds the
  /// first and the last alone, with those of `at`. `Trajectory::write` into the same results completes them.
  Results* into = nullptr;
  std::optional<std::string> method = {};  ///< "dop853", "dp5", "tsit5", "radau"; dop853
  std::optional<Formulation> formulation = {};
  std::optional<double> most_steps = {};                      ///< the run ends behind these, marked as interrupted
  std::function<void(double t, double until)> progress = {};  ///< called at least once a step with the time reached
  std::function<void(const Note& note)> on_note = {};         ///< told while the run goes on why it is slow
  /// Asked after every step: `true` ends the run there. What there is stays, `stopped()` is of kind "interrupted".
  std::function<bool()> is_interrupted = {};
};

struct CompareOptions {
  std::string laws = {};                       ///< "ideal, viscous(kappa=1e1..1e4)": the first is the reference; or
  std::vector<Formulation> formulations = {};  ///< two or more
  std::vector<std::string> on = {};  ///< constraints whose law is replaced; empty: all that may have every law
  std::optional<double> until = {}, tolerance = {};
  std::optional<std::string> method = {};
  double most_steps = 1e6;  ///< a law that asks for more is not run
  bool scene = false;       ///< for `Comparison::scene`: samples so close that a drawing can choose among them
  /// Called at least once a step with the time that this variant has reached.
  std::function<void(std::string_view variant, double t, double until)> progress = {};
  /// Asked after every step: `true` ends the comparison, which is then an Error of kind "interrupted".
  std::function<bool()> is_interrupted = {};
};

/// Something of a model that has a name.
struct Entity {
  std::string name;
  std::string unit;   ///< SI: "m/s", "rad"; "1" where there is none. Of a constraint that of its relation
  std::string place;  ///< "crank.vin:8:10"; empty where no text has made it
};
struct Parameter : Entity {
  double value = 0.0;  ///< SI
};

/// A text for people and one for programs.
struct Report {
  std::string rendered, rendered_json;
  [[nodiscard]] const std::string& text() const { return rendered; }
  [[nodiscard]] const std::string& json() const { return rendered_json; }
};
/// What moves, how freely, and which force each constraint puts on what (docs/json.md has the shape).
struct Explanation : Report {};

struct ExplainOptions {
  bool geometry = false;  ///< also M, A, B, T, N and the scaled vectors at the start (docs/theory.md §4.4)
  bool along = false;     ///< also variations along the motion, beside virtual displacements (docs/theory.md §11)
  std::optional<double> until = {};  ///< [s] how far along; default: the model's `run`
};

/// The equations of motion, for reading and as programs (docs/derive.md).
class Derivation {
 public:
  struct Shared;
  explicit Derivation(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string latex() const;
  /// One self-contained file. \returns an Error where the equations are implicit.
  [[nodiscard]] Result<std::string> c() const;
  [[nodiscard]] Result<std::string> python() const;

 private:
  std::shared_ptr<const Shared> shared_;
};

/// One model under several laws or by several formulations (docs/compare.md).
class Comparison {
 public:
  struct Variant {
    std::string name;
    std::string not_run;  ///< why it has no motion; may be empty
    bool has_motion = false;
    double coordinates = 0.0, speeds = 0.0, forces = 0.0;  ///< largest distances from the first, relative to its size
  };
  struct Shared;
  explicit Comparison(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}
  [[nodiscard]] std::span<const Variant> variants() const;
  [[nodiscard]] const Diagnostics& diagnostics() const;  ///< notices about the laws
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;
  /// All motions over each other. \returns an Error where there is none.
  [[nodiscard]] Result<Scene> scene() const;
  /// Writes compare.csv, ladder.csv where there are ladders, compare.json and compare.gp. \returns their names.
  [[nodiscard]] Result<std::vector<std::string>> write(Results& results) const;
  /// Into a folder that is opened for this alone.
  [[nodiscard]] Result<std::vector<std::string>> write(const std::filesystem::path& folder) const;

 private:
  std::shared_ptr<const Shared> shared_;
};

/// How the expectations of a model came out along one run, with an audit of the motion.
struct Verdict {
  std::string file, model;
  int passed = 0, failed = 0;
  std::string text;  ///< a line for the model, then what failed, at its place
  struct Shared;
  std::shared_ptr<const Shared> shared = {};
};
/// The closing line of many verdicts, and all of them as JSON (docs/json.md, `test --json`).
[[nodiscard]] std::string totals_text(std::span<const Verdict> verdicts);
[[nodiscard]] std::string totals_json(std::span<const Verdict> verdicts);

/// A motion that goes on where and as far as the caller wants, with the tolerance and method of the model's `run`. For
/// one thread; others get their own from the Model.
class Simulation {
 public:
  struct Own;
  explicit Simulation(std::unique_ptr<Own> own);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  [[nodiscard]] const State& state() const;
  /// Goes to the state nearest to this one that satisfies the constraints. \returns an Error where the sizes are not
  /// those of the model, or there is none; the simulation then stays where it was.
  [[nodiscard]] Result<void> set_state(const State& state);
  /// Moves on to time t [s], not before the state's. \returns why the motion ended on the way; the state is then the
  /// last one that has been reached.
  [[nodiscard]] Result<void> advance(double t);
  /// Gives parameters other values from here on, as a controller does at every tick. The state stays, or goes to the
  /// nearest that satisfies constraints which change with them.
  /// \returns an Error where there is no such parameter, value or state; all then stays as it was.
  [[nodiscard]] Result<void> set(const Values& values);
  [[nodiscard]] Result<Matrices> matrices() const;
  [[nodiscard]] Result<Forces> forces() const;
  [[nodiscard]] Result<std::vector<double>> accelerations() const;  ///< u' [nu]
  /// Inverse dynamics: the generalized forces [nu] that bring about these accelerations u' [nu] at the state, beside
  /// all that the model states and the reactions of its ideal constraints. M (u' − u'_0), u'_0 the accelerations
  /// without them: of all such forces those without a part along the constraints, the least in the metric of M⁻¹
  /// (docs/theory.md §4.4).
  /// \returns an Error where a constraint does not allow u', or where reactions that are not ideal, friction, efforts
  /// or relations that are not linear in u' would change with the forces.
  [[nodiscard]] Result<std::vector<double>> inverse_dynamics(std::span<const double> accelerations) const;

 private:
  std::unique_ptr<Own> own_;
};

class Builder;

/// A system of mechanics, complete and checked. Cheap to copy: copies share one model, which is const and may be used
/// by any number of threads at once. Equations are derived and compiled where they are first asked for.
class Model {
 public:
  /// Reads a model's file; tables and included files lie below its folder.
  [[nodiscard]] static Result<Model> load(const std::filesystem::path& path, Settings settings = {});
  /// \param name  under which diagnostics show the text; its folder is where included files are looked for.
  [[nodiscard]] static Result<Model> from_text(std::string text, Settings settings = {},
                                               const std::string& name = "model.vin");
  /// The model that a program has built; the builder is empty afterwards.
  [[nodiscard]] static Result<Model> from_builder(Builder builder, Settings settings = {});

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] std::string text_hash() const;  ///< 128 bits of the text with all it includes; empty without text
  [[nodiscard]] std::span<const Parameter> parameters() const;
  [[nodiscard]] std::span<const Entity> coordinates() const;
  [[nodiscard]] std::span<const Entity> speeds() const;
  [[nodiscard]] std::span<const Entity> states() const;  ///< stated, or of a law
  [[nodiscard]] std::span<const Entity> constraints() const;
  [[nodiscard]] std::span<const Entity> outputs() const;
  [[nodiscard]] const Diagnostics& diagnostics() const;  ///< warnings and notices

  /// The same model with other values of parameters. \returns an Error that names an unknown parameter or a value that
  /// cannot be.
  [[nodiscard]] Result<Model> with(const Values& values) const;

  /// The consistent start that the model's `start` statements describe.
  [[nodiscard]] Result<State> assemble() const;
  /// The state nearest to `near` that satisfies the constraints: least change of q, then of u, in the metric of M.
  [[nodiscard]] Result<State> assemble(const State& near) const;
  /// \pre the sizes are those of the model, else an Error.
  [[nodiscard]] Result<Matrices> matrices(const State& state) const;
  [[nodiscard]] Result<Forces> forces(const State& state) const;

  /// \param additional  of the minimal form; others have kSpeeds alone.
  [[nodiscard]] Result<Derivation> derive(Formulation form = Formulation::kExplicit,
                                          Additional additional = Additional::kSpeeds) const;
  [[nodiscard]] Result<Explanation> explain(const ExplainOptions& options = {}) const;
  [[nodiscard]] Result<Simulation> simulation() const;
  /// Equations at states of the caller's choice (evaluator.hpp).   \returns an Error if the model has no start.
  [[nodiscard]] Result<Evaluator> evaluator() const;
  /// \returns an Error where no equations can be formed or an option is not possible. A motion that stops early is a
  /// Trajectory with `stopped()`.
  [[nodiscard]] Result<Trajectory> run(const RunOptions& options = {}) const;
  [[nodiscard]] Result<Comparison> compare(const CompareOptions& options) const;
  /// Runs the model and judges its `expect` statements.
  [[nodiscard]] Verdict test() const;

  struct Shared;
  explicit Model(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

 private:
  friend struct FinishedRun;
  std::shared_ptr<const Shared> shared_;
};

/// What the results folder of a run says of it: enough to have its motion again.
struct FinishedRun {
  Provenance provenance;
  Settings settings;                                       ///< parameters changed
  RunOptions options;                                      ///< under which the same text has the same motion
  double t = 0.0;                                          ///< [s] where it ended
  bool was_interrupted = false;                            ///< there, from outside
  std::vector<std::pair<std::string, double>> state = {};  ///< at the end, by name
  /// \returns an Error where the folder holds no results, or none that say from what they come.
  [[nodiscard]] static Result<FinishedRun> read(const std::filesystem::path& folder);
  /// The state at its end, in which the model may go on. \returns an Error where the model has other coordinates,
  /// speeds or states, or there is a number missing.
  [[nodiscard]] Result<State> end(const Model& model) const;
  /// Whether the motion ends in this state, to the bit.
  [[nodiscard]] bool is_of(const Trajectory& motion) const;
};

/// `Model::load(path, settings)->test()`, where a model that cannot be read is a verdict too.
[[nodiscard]] Verdict test(const std::filesystem::path& path, Settings settings = {});

/// A model's text in canonical layout. \returns an Error where it cannot be read without losing something.
[[nodiscard]] Result<std::string> format(const std::filesystem::path& path);
/// Reads a file that may hold a model: regular, at most 16 MiB.
[[nodiscard]] Result<std::string> read_text(const std::filesystem::path& path);
/// Writes a whole file or none.
[[nodiscard]] Result<void> write_text(const std::filesystem::path& path, std::string_view text);
/// The one of the names that a misspelt word means, or nothing.
[[nodiscard]] std::string nearest_name(std::string_view word, std::span<const std::string> names);

}  // namespace vinculum

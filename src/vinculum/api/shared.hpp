#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "vinculum/base/memory_left.hpp"
#include "vinculum/compiled/values.hpp"
#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/elaborate/statements/elaborate.hpp"
#include "vinculum/report/columns.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/tools.hpp"
#include "vinculum/vinculum.hpp"

/// Declarations shared by the implementation of the public API (include/vinculum): conversions between public values
/// and values of the modules.
namespace vinculum {

/// Makes the Error for a call with impossible arguments or in an impossible state.
[[nodiscard]] Unexpected<Error> wrong_call(std::string message);
[[nodiscard]] Unexpected<Error> too_large(const std::string& message);
/// The result of `make`, or an Error of kind "too-large" if memory runs out.
template <class Make>
[[nodiscard]] auto within_memory(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const TooLarge& error) {
    return too_large(error.what());
  } catch (const std::bad_alloc&) {
    return too_large("the data made from the model need more memory than there is: use fewer bodies or coordinates");
  }
}
/// Makes an Error with diagnostics about a text: the text of the model, or a text given in a call.
[[nodiscard]] Unexpected<Error> wrong_text(Error::About about, const diag::SourceText& source,
                                           std::span<const diag::Diagnostic> diagnostics);
/// Makes the Error for a motion that cannot continue.
/// \param system  null if the failure occurred before the equations were derived.
/// \param kind  name of the kind; empty: that of `failure.kind`
[[nodiscard]] Error motion_error(const model::Model& model, const equations::System* system, const Failure& failure,
                                 std::string_view kind = {});
/// Makes the Error for a run that the user or the calling program ended at t [s]. \param what  a sentence without the
/// time.
[[nodiscard]] Error interruption(const std::string& what, double t);
[[nodiscard]] Diagnostics diagnostics_of(const diag::SourceText& source, std::span<const diag::Diagnostic> said);

/// Error "the model has no WHAT `word`; did you mean …?"
[[nodiscard]] Unexpected<Error> no_such(std::string_view what, std::string_view word,
                                        const std::vector<std::string>& names);

struct ForceTable;

/// A model compiled for one back end.
struct Compiled {
  std::shared_ptr<const sim::Binding> bound;
  std::shared_ptr<const ForceTable> forces;  ///< null until first used
};

struct ModelNames::Shared {
  std::uint64_t id = next_id();  ///< identifies the model and all models that `with` makes from it; stored in handles
  std::string file;              ///< name given by the caller; empty for a model built by a program
  std::filesystem::path folder;  ///< folder of included files
  Settings settings;
  std::shared_ptr<const model::Model> model;
  Diagnostics diagnostics;
  double seconds_parse = 0.0;  ///< the part of `seconds_read` that parsing the text took
  double seconds_read = 0.0;
  std::vector<sim::ParameterValue> bound;  ///< values set by `with`, after `model` was built
  std::vector<Parameter> parameters;
  std::vector<Entity> coordinates, speeds, states, inputs, constraints, outputs;

  using SharedBinding = std::shared_ptr<const sim::Binding>;
  /// Compiles the model on the first call for a back end; other threads wait. \param judges_conserved  whether to
  /// reject a model if a quantity in its `conserve` statement is not an invariant.
  [[nodiscard]] Result<SharedBinding> compiled(Backend backend, bool judges_conserved) const;
  [[nodiscard]] Result<SharedBinding> compiled() const { return compiled(settings.backend, true); }
  /// Reads the text again with other settings. \returns an Error for a model without text.
  [[nodiscard]] Result<Model> reread(Settings changed) const;
  /// The same model with other parameter values, using the same kernels.
  [[nodiscard]] Result<std::shared_ptr<const Shared>> with(const Values& values) const;
  /// The same model with other parameter values. \param own  kernels bound to these values.
  [[nodiscard]] std::shared_ptr<const Shared> with(SharedBinding own, Settings changed,
                                                   std::span<const sim::ParameterValue> values) const;
  /// Forces of all constraints as kernels; compiled on the first call.
  [[nodiscard]] Result<std::shared_ptr<const ForceTable>> force_table() const;
  /// Returns a lock that the caller must hold while adding terms to the expressions of the model.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> growing() const { return std::unique_lock(mutex_); }

 private:
  [[nodiscard]] static std::uint64_t next_id();

  mutable std::recursive_mutex mutex_;
  mutable std::map<std::pair<Backend, bool>, Result<SharedBinding>> compiled_;
  mutable std::shared_ptr<const ForceTable> forces_;
};

/// Fills names, units and places from the model. \pre `model` is set.
void describe_entities(Model::Shared& shared);
[[nodiscard]] std::vector<elaborate::ParameterOverride> overrides_of(const Values& set);
[[nodiscard]] elaborate::Options elaborate_options(const std::filesystem::path& folder,
                                                   std::span<const elaborate::ParameterOverride> overrides);
[[nodiscard]] codegen::CompileOptions codegen_options(const Settings& settings, Backend backend);
[[nodiscard]] equations::Formulation inner(Formulation formulation);
/// Converts the records of `RunOptions::inputs` for a run from `begin` [s] over `duration` [s]; reads the files that
/// they name.
[[nodiscard]] Result<std::vector<sim::InputRecord>> input_records(const Model::Shared& model,
                                                                  std::span<const InputRecord> given, double begin,
                                                                  double duration);
/// Returns the Error if a run with these options is not possible. \param until  as given by the caller. \param begin
/// [s] start time.
[[nodiscard]] std::optional<Error> impossible(const model::Model& model, const sim::SimulateOptions& options,
                                              std::optional<double> until, double begin = 0.0);

/// (q, u, z) in one vector. \returns an Error if the sizes differ from the model's or a number is not finite.
[[nodiscard]] Result<std::vector<double>> packed(const sim::CompiledModel& compiled, const State& state);
[[nodiscard]] State unpacked(const sim::CompiledModel& compiled, double t, std::span<const double> y);
[[nodiscard]] std::vector<double> to_std(const Vector& values);
[[nodiscard]] State state_of(const sim::Sample& sample);
[[nodiscard]] Vector to_vector(std::span<const double> values);
/// Initializes the typical sizes of coordinates and speeds for a motion that begins in this state.
void learn_scales(sim::Dynamics& dynamics, double t, std::span<const double> y);
[[nodiscard]] Array to_array(const Matrix& values);

/// Evaluate the matrices and forces at one state. A Dynamics must be used by one thread at a time.
[[nodiscard]] Result<Matrices> matrices_at(sim::Dynamics& dynamics, const State& state);
[[nodiscard]] Result<Forces> forces_at(sim::Dynamics& dynamics, const ForceTable& table, const State& state);
/// Prepares a run that starts in a given state.
/// \returns an Error if the sizes differ from the model's, or a constraint residual exceeds the tolerance.
[[nodiscard]] Result<sim::Start> start_in(const Model::Shared::SharedBinding& bound, const State& state,
                                          double tolerance);
[[nodiscard]] Result<State> nearest_state(sim::Dynamics& dynamics, const State& near);

}  // namespace vinculum

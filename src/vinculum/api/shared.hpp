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
#include "vinculum/vinculum.hpp"

/// Implementation of the public API (include/vinculum): from the values of a program to the modules, and back.
namespace vinculum {

/// What was asked for is not possible.
[[nodiscard]] Unexpected<Error> wrong_call(std::string message);
[[nodiscard]] Unexpected<Error> too_large(const std::string& message);
/// What `make` makes, or that it takes more memory than there is.
template <class Make>
[[nodiscard]] auto within_memory(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const TooLarge& error) {
    return too_large(error.what());
  } catch (const std::bad_alloc&) {
    return too_large("what is made of the model takes more memory than there is: take fewer bodies or coordinates");
  }
}
/// The text is wrong, or says more than it should: a model's own, or that of a call.
[[nodiscard]] Unexpected<Error> wrong_text(Error::About about, const diag::SourceText& source,
                                           std::span<const diag::Diagnostic> diagnostics);
/// \param system  may be null when the failure came before the equations.
[[nodiscard]] Error motion_error(const model::Model& model, const equations::System* system, const Failure& failure);
/// Whoever asked for it has ended it at t [s]. \param what  a sentence without the time.
[[nodiscard]] Error interruption(const std::string& what, double t);
[[nodiscard]] Diagnostics diagnostics_of(const diag::SourceText& source, std::span<const diag::Diagnostic> said);

/// "there is no WHAT `word` in the model; did you mean …?"
[[nodiscard]] Unexpected<Error> no_such(std::string_view what, std::string_view word,
                                        const std::vector<std::string>& names);

struct ForceTable;

/// What a model is compiled for.
struct Compiled {
  std::shared_ptr<const sim::Binding> bound;
  std::shared_ptr<const ForceTable> forces;  ///< null before it is asked for
};

struct Model::Shared {
  std::string file;              ///< as named by the caller; empty for a model that a program has built
  std::filesystem::path folder;  ///< where included files lie
  Settings settings;
  std::shared_ptr<const model::Model> model;
  Diagnostics diagnostics;
  double seconds_parse = 0.0;  ///< of `seconds_read`: text to statements
  double seconds_read = 0.0;
  std::vector<sim::ParameterValue> bound;  ///< by `with`, beside the values that `model` was built with
  std::vector<Parameter> parameters;
  std::vector<Entity> coordinates, speeds, states, constraints, outputs;

  using SharedBinding = std::shared_ptr<const sim::Binding>;
  /// Compiled on the first call for a back end, by one thread. \param judges_conserved  whether a model is
  /// refused that states a quantity in `conserve` which is no invariant.
  [[nodiscard]] Result<SharedBinding> compiled(Backend backend, bool judges_conserved) const;
  [[nodiscard]] Result<SharedBinding> compiled() const { return compiled(settings.backend, true); }
  /// The text once more, as other settings have it. \returns an Error for a model without text.
  [[nodiscard]] Result<Model> reread(Settings changed) const;
  /// The same model with other values of parameters, on the same kernels.
  [[nodiscard]] Result<std::shared_ptr<const Shared>> with(const Values& values) const;
  /// The same model with other values, compiled.
  [[nodiscard]] std::shared_ptr<const Shared> with(SharedBinding own, Settings changed,
                                                   std::span<const sim::ParameterValue> values) const;
  /// Forces of all constraints as kernels, made on the first call.
  [[nodiscard]] Result<std::shared_ptr<const ForceTable>> force_table() const;
  /// Held while something adds terms to the model's pool.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> growing() const { return std::unique_lock(mutex_); }

 private:
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
/// Why a run with these options is none. \param until  as the caller states it. \param begin  [s] of the run.
[[nodiscard]] std::optional<Error> impossible(const model::Model& model, const sim::SimulateOptions& options,
                                              std::optional<double> until, double begin = 0.0);

/// (q, u, z) as the modules have it. \returns an Error where the sizes are not those of the model, or a number not
/// finite.
[[nodiscard]] Result<std::vector<double>> packed(const sim::CompiledModel& compiled, const State& state);
[[nodiscard]] State unpacked(const sim::CompiledModel& compiled, double t, std::span<const double> y);
[[nodiscard]] std::vector<double> to_std(const Vector& values);
[[nodiscard]] Vector to_vector(std::span<const double> values);
/// Typical sizes of a run that begins in this state.
void learn_scales(sim::Dynamics& dynamics, double t, std::span<const double> y);
[[nodiscard]] Array to_array(const Matrix& values);

/// Evaluations at one state, on a Dynamics of one thread.
[[nodiscard]] Result<Matrices> matrices_at(sim::Dynamics& dynamics, const State& state);
[[nodiscard]] Result<Forces> forces_at(sim::Dynamics& dynamics, const ForceTable& table, const State& state);
/// \returns an Error where the state is none of the model or misses its constraints by more than the tolerance.
[[nodiscard]] Result<sim::Start> start_in(const Model::Shared::SharedBinding& bound, const State& state,
                                          double tolerance);
[[nodiscard]] Result<State> nearest_state(sim::Dynamics& dynamics, const State& near);

}  // namespace vinculum

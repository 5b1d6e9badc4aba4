#include <algorithm>
#include <chrono>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/compiled/implicit_equations.hpp"
#include "vinculum/compiled/late_matrices.hpp"
#include "vinculum/compiled/level_outputs.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/sliding.hpp"
#include "vinculum/compiled/values.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/solve/generated/stick_response.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Collects the kernels to compile, and the members of `Kernels` in which they are stored.
class KernelSet {
 public:
  /// \param switches  switches of the equations; in kernels added by `add` they have the value on given sides.
  KernelSet(const equations::System& system, std::vector<Expr> inputs, Switches& switches)
      : system_(system), inputs_(std::move(inputs)), switches_(switches) {}

  void add(BoundKernel Kernels::* place, std::string name, std::vector<Expr> outputs) {
    add(place, std::move(name), inputs_, std::move(outputs));
  }
  void add(BoundKernel Kernels::* place, std::string name, std::vector<Expr> inputs, std::vector<Expr> outputs) {
    add_as_it_is(place, std::move(name), std::move(inputs), switches_.on_sides(outputs));
  }
  /// Adds a kernel for displayed values. In it, operations such as `if`, `abs` and `sign` are evaluated at the state,
  /// as the model states them, and not in the fixed region of a step (switches.hpp).
  void add_shown(BoundKernel Kernels::* place, std::string name, std::vector<Expr> inputs,
                 const std::vector<Expr>& outputs) {
    add_as_it_is(place, std::move(name), std::move(inputs), switches_.shown(outputs));
  }
  void compile(const codegen::CompileOptions& options, Binding& bound, codegen::CompileReport* report) const {
    const auto kernels = codegen::compile(specs_, options, report);
    const std::vector<double> values = bound.bound_values();
    for (std::size_t i = 0; i < kernels.size(); ++i) bound.*places_[i] = {kernels[i], kernels[i]->prepare(values)};
  }

 private:
  void add_as_it_is(BoundKernel Kernels::* place, std::string name, std::vector<Expr> inputs,
                    std::vector<Expr> outputs) {
    std::vector<Expr> parameters = system_.parameters;
    append(parameters, switches_.symbols());
    specs_.push_back(
        {system_.model->name + "." + std::move(name), std::move(inputs), std::move(parameters), std::move(outputs)});
    places_.push_back(place);
  }

  const equations::System& system_;
  std::vector<Expr> inputs_;
  Switches& switches_;
  std::vector<codegen::KernelSpec> specs_;
  std::vector<BoundKernel Kernels::*> places_;
};

/// Adds the kernels that compute accelerations and projections.
/// \param hot  kernels that every step uses   \param cold  other kernels, which are compiled for the tape
void add_motion(KernelSet& hot, KernelSet& cold, CompiledModel& compiled, int refinements) {
  const equations::System& system = *compiled.system;
  if (system.higher) {
    hot.add(&Kernels::top, "top", top_outputs(system));
    hot.add(&Kernels::hidden, "hidden", hidden_outputs(system));
  } else if (auto [reduced, motion] = motion_outputs(compiled, refinements); motion) {
    compiled.compares_rows = motion->compares_rows;
    if (!motion->lambda.empty()) {
      std::vector<Expr> with_multipliers = motion->values;
      append(with_multipliers, motion->lambda);
      cold.add(&Kernels::reactions, "reactions", std::move(with_multipliers));
    }
    if (reduced) hot.add(&Kernels::reduced_accelerations, "reduced_accelerations", std::move(reduced->values));
    hot.add(&Kernels::accelerations, "accelerations", std::move(motion->values));
  }
  if (!compiled.position_rows.empty()) {
    const solve::ProjectionWays ways = solve::position_projection(system, compiled.of_positions, compiled.tree.get());
    if (ways.reduced) hot.add(&Kernels::reduced_position, "reduced_position", projection_outputs(*ways.reduced));
    hot.add(&Kernels::position, "position", projection_outputs(ways.whole));
  }
  if (!compiled.velocity_rows.empty()) {
    const solve::ProjectionWays ways =
        solve::velocity_projection(system, compiled.velocity_rows, compiled.of_velocities, compiled.tree.get());
    if (ways.reduced) hot.add(&Kernels::reduced_velocity, "reduced_velocity", projection_outputs(*ways.reduced));
    hot.add(&Kernels::velocity, "velocity", projection_outputs(ways.whole));
  }
  compiled.gradient_pattern = gradient_pattern(system);
  if (system.nc() > 0) hot.add(&Kernels::gradients, "gradients", gradient_outputs(system));
  if (!system.events.empty()) cold.add(&Kernels::events, "events", state_symbols(system), event_outputs(system));
  if (!compiled.switched.empty()) {
    std::vector<Expr> switched = switched_row_outputs(system, compiled.switched);
    cold.add(&Kernels::switched_rows, "switched_rows", state_symbols(system), std::move(switched));
  }
  const bool has_conditions =
      std::ranges::any_of(system.rows, [](const equations::Row& row) { return !row.conditions.empty(); });
  if (has_conditions && !system.higher) hot.add(&Kernels::conditions, "conditions", condition_outputs(system));
  if (compiled.level_count() == 0) return;
  std::vector<Expr> values;
  for (const model::Conserved& conserved : system.model->conserved)
    values.push_back(equations::lower(system, conserved.value)[0]);
  for (const int row : compiled.integrals) values.push_back(system.rows[static_cast<std::size_t>(row)].psi);
  hot.add(&Kernels::levels, "levels", level_outputs(system, values, compiled.velocity_rows));
}

/// Adds the kernels for accelerations that are not a linear problem.
void add_implicit(KernelSet& hot, KernelSet& cold, CompiledModel& compiled) {
  const equations::System& system = *compiled.system;
  const std::vector<Expr> symbols = report_symbols(system);
  if (compiled.has_reaction_forces()) {
    SlidingVelocities found = sliding_velocities(system);
    compiled.sliding = std::move(found.sliding);
    if (!found.values.empty()) cold.add(&Kernels::sliding_velocity, "sliding_velocity", std::move(found.values));
    if (!system.slides.empty()) {
      hot.add(&Kernels::slide_motion, "slide_motion", slide_motion_outputs(system));
      cold.add(&Kernels::slide_bound, "slide_bound", symbols, slide_bound_outputs(system));
    }
    if (compiled.has_given_friction() && compiled.can_write_accelerations()) {
      if (const auto locked = solve::locked_motion(system)) {
        std::vector<Expr> inputs = motion_symbols(system);
        append(inputs, locked->free);
        hot.add(&Kernels::locked, "locked", std::move(inputs), locked_outputs(system, *locked));
      } else if (const auto response = solve::stick_response(system, compiled.structure, compiled.tree.get())) {
        hot.add(&Kernels::stick, "stick", stick_outputs(system, *response));
        std::vector<Expr> inputs = motion_symbols(system), push = response->push;
        append(inputs, response->x);
        push.push_back(response->contraction);
        hot.add(&Kernels::push, "push", std::move(inputs), std::move(push));
      }
    }
    hot.add(&Kernels::reaction_force, "reaction_force", symbols, reaction_force_outputs(system, compiled.dependence));
  }
  if (system.has_nonlinear_rows) {
    hot.add(&Kernels::nonlinear_rows, "nonlinear_rows", symbols, nonlinear_row_outputs(system, compiled.nonlinear));
  }
}

/// Adds the kernels for reports and for the pivoted solver.
void add_reports(KernelSet& cold, CompiledModel& compiled, bool has_watches) {
  const equations::System& system = *compiled.system;
  const std::vector<Expr> symbols = report_symbols(system);
  if (system.nz() > 0 && !system.higher) {
    std::vector<Expr> with_multipliers = state_symbols(system);
    for (const auto* more : {&system.lambda, &system.slide_direction})
      with_multipliers.insert(with_multipliers.end(), more->begin(), more->end());
    cold.add(&Kernels::state_rates, "state_rates", std::move(with_multipliers), system.z_dot);
  }
  const bool has_mass = compiled.needs_mass() || has_watches;
  if (!has_mass) compiled.late_matrices = std::make_shared<LateMatrices>(compiled.model);
  if (has_mass || system.nc() > 0) {
    cold.add(&Kernels::matrices, "matrices",
             matrices_outputs(system, has_mass ? WithMass::kYes : WithMass::kNo, compiled.layout));
  }
  if (!system.given_M.empty()) {
    std::vector<Expr> given = system.given_M;
    append(given, system.given_f);
    cold.add(&Kernels::given, "given", std::move(given));
  }
  cold.add_shown(&Kernels::outputs, "outputs", symbols, compiled.output_values);
  if (system.nc() > 0 || !system.slides.empty()) {
    compiled.output_gradient_values = gradient_by_multipliers(system, compiled.output_values);
    cold.add_shown(&Kernels::output_gradient, "output_gradient", symbols, compiled.output_gradient_values);
    if (system.nc() > 0) cold.add_shown(&Kernels::wrenches, "wrenches", symbols, compiled.wrench_values);
  }
  cold.add_shown(&Kernels::expectations, "expectations", symbols, compiled.expectation_values);
  if (system.higher) cold.add(&Kernels::relations, "relations", symbols, system.higher->F);
}

/// Sets the initial values of all parameters. Parameters that are not defined by others count as set.
void bind_values(Binding& bound) {
  for (const model::Parameter& parameter : bound->model->parameters) {
    bound.parameters.push_back(parameter.value);
    bound.is_set.push_back(parameter.definition.is_valid() ? 0 : 1);
  }
}

}  // namespace

std::vector<double> Binding::bound_values() const {
  std::vector<double> values = parameters;
  values.insert(values.end(), sides.begin(), sides.end());
  return values;
}

void Binding::prepare_kernels() {
  const std::vector<double> values = bound_values();
  for (const auto place : kKernels)
    if (BoundKernel& bound = this->*place; bound.kernel) bound.constants = bound.kernel->prepare(values);
}

void Binding::judge_switched_rows() {
  const bool is_as_stated = sides.empty() || sides.front() != 0.0;
  const std::vector<Expr> state = state_symbols(*compiled->system);
  std::vector<std::size_t> judged;  // indices into `CompiledModel::switched`
  for (std::size_t k = 0; k < compiled->switched.size(); ++k) {
    const Expr acts = compiled->system->rows[static_cast<std::size_t>(compiled->switched[k])].acts;
    if (!is_as_stated || !expr::depends_on(acts, state)) judged.push_back(k);
  }
  if (judged.empty()) return;
  // Whether these rows act does not depend on the state, so the kernel is evaluated at an arbitrary state.
  std::vector<double> input(switched_rows.kernel->input_count(), 0.0), output(switched_rows.kernel->output_count()),
      workspace(switched_rows.kernel->workspace_size());
  switched_rows.evaluate(input.data(), output.data(), workspace.data());
  const std::size_t columns = output.size() / compiled->switched.size();
  for (const std::size_t k : judged) {
    const bool acts = output[k * columns] != 0.0;
    rows.embedding[static_cast<std::size_t>(compiled->switched[k])] = acts ? Embedding::kNone : Embedding::kNotActing;
  }
}

Outcome<std::shared_ptr<const Binding>> compile_model(std::shared_ptr<const model::Model> model,
                                                      const CompileSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  auto system = derive_all(std::move(model));
  if (!system) return fail(std::move(system.error()));
  const bool may_be_watched = Watches::may_be_in(**system);
  auto structure = analyse(*system, settings.seed);
  if (!structure) return fail(std::move(structure.error()));

  auto compiled = std::make_shared<CompiledModel>();
  static_cast<Structure&>(*compiled) = std::move(*structure);
  auto bound = std::make_shared<Binding>();
  bound->compiled = compiled;
  bound->conserved_judge = settings.conserved_judge;
  bind_values(*bound);
  bound->compliance = compliances_of(*bound);
  const bool is_declared = bound->parameters == model::declared_values(*compiled->model);
  bound->rows = is_declared ? compiled->declared : compiled->judge_rows(bound->parameters);
  bound->trusts_generated = compiled->fits(bound->embedding());
  bound->implicit_equations = std::make_shared<ImplicitEquations>(Structure(*compiled), compiled->declared.embedding,
                                                                  settings.codegen, settings.refinements);
  auto watches = std::make_shared<Watches>(*compiled->system, may_be_watched);
  KernelSet hot(*compiled->system, motion_symbols(*compiled->system), watches->switches), cold = hot;
  add_motion(hot, cold, *compiled, settings.refinements);
  add_implicit(hot, cold, *compiled);
  auto columns = report_columns(*compiled->system);
  if (!columns) return fail(std::move(columns.error()));
  static_cast<ReportColumns&>(*compiled) = std::move(*columns);
  add_reports(cold, *compiled, !watches->is_empty());
  bound->sides = watches->switches.live_values();
  if (!watches->is_empty()) compiled->watches = std::move(watches);
  compiled->seconds_derive = seconds_since(begin);

  const auto begin_compile = std::chrono::steady_clock::now();
  hot.compile(settings.codegen, *bound, &compiled->report);
  codegen::CompileOptions when_used = settings.codegen;
  when_used.when_used = true;
  cold.compile(when_used, *bound, nullptr);
  bound->judge_switched_rows();
  compiled->seconds_compile = seconds_since(begin_compile);
  if (settings.conserved_judge) {
    if (auto judged = settings.conserved_judge(*bound); !judged) return fail(std::move(judged.error()));
  }
  return std::shared_ptr<const Binding>(std::move(bound));
}

}  // namespace vinculum::sim

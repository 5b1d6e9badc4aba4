#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "vinculum/api/event_calls.hpp"
#include "vinculum/api/handles.hpp"
#include "vinculum/api/impulses.hpp"
#include "vinculum/api/motion.hpp"
#include "vinculum/api/results.hpp"
#include "vinculum/api/scene.hpp"
#include "vinculum/api/scene_meshes.hpp"
#include "vinculum/api/sensitivity.hpp"
#include "vinculum/api/streams.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/codegen/fingerprint.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/report/audit_report.hpp"
#include "vinculum/report/events.hpp"
#include "vinculum/report/failure_report.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum {

namespace {

Array rows_of(const std::vector<sim::Sample>& samples, int columns, Vector sim::Sample::* what) {
  Array array{static_cast<int>(samples.size()), columns, {}};
  for (const sim::Sample& sample : samples) {
    const Vector& values = sample.*what;
    for (int k = 0; k < columns; ++k) array.values.push_back(k < values.size() ? values[k] : std::nan(""));
  }
  return array;
}

std::string hash_of(const model::Model& model) {
  const std::string_view text = model.source_text.whole();
  if (text.empty()) return "";
  codegen::Fingerprint fingerprint;
  fingerprint.add(text);
  return codegen::to_hex(fingerprint.value());
}

Statistics statistics_of(const Model::Shared& model, const sim::CompiledModel& bound, const sim::Trajectory& run) {
  Statistics statistics;
  statistics.steps = run.statistics.steps;
  statistics.rejected = run.statistics.rejected;
  statistics.static_solves = run.counts.static_solves;
  statistics.pivoted_solves = run.counts.fallbacks;
  statistics.backend = static_cast<Backend>(bound.report.backend);
  statistics.backend_note = bound.report.note;
  statistics.from_cache = bound.report.from_cache;
  statistics.seconds_read = model.seconds_read;
  statistics.seconds_derive = bound.seconds_derive;
  statistics.seconds_compile = bound.seconds_compile;
  statistics.seconds_run = run.seconds;
  return statistics;
}

Note said(const sim::Note& note) {
  return {note.kind, note.t, note.text, note.component, note.term, note.rate, note.steps};
}

/// Options of the model's `run`, overridden by the given ones. \returns an Error if one is not possible.
Result<sim::SimulateOptions> simulate_options(const model::Model& model, const RunOptions& options) {
  sim::SimulateOptions result = sim::options_of(model);
  const double begin = options.start ? options.start->t : 0.0;
  result.duration = options.until.value_or(result.duration) - begin;
  if (options.tolerance) result.tolerance = *options.tolerance;
  if (options.step) result.output_step = *options.step;
  if (options.record.scene) {
    // a mesh that cannot be drawn is reported before the run
    if (const auto meshes = read_meshes(model); !meshes) return Unexpected<Error>{meshes.error()};
    result.output_step = scene_step(result);
  }
  if (options.record.audit) result.accounts = sim::audit_accounts;
  result.is_profiled = options.record.profile;
  if (options.method) result.method = *options.method;
  if (options.formulation) result.formulation = inner(*options.formulation);
  result.sample_times = options.at;
  result.is_interrupted = options.is_interrupted;
  if (options.most_steps && !(*options.most_steps >= 1.0))
    return wrong_call(fmt::format("max steps: `{}` is not a number of steps", *options.most_steps));
  result.most_steps = options.most_steps.value_or(0.0);
  if (options.on_note) result.on_note = [&options](const sim::Note& note) { options.on_note(said(note)); };
  if (auto error = impossible(model, result, options.until, begin)) return Unexpected<Error>{std::move(*error)};
  return result;
}

/// Provenance of a run with these options.
Provenance provenance_of(const Model::Shared& model, const sim::CompiledModel& bound,
                         const sim::SimulateOptions& options, const std::optional<State>& start,
                         std::span<const InputRecord> inputs) {
  Provenance provenance{std::string(version()),
                        bound.model->name,
                        model.file,
                        hash_of(*bound.model),
                        {},
                        std::string(to_string(static_cast<Backend>(bound.report.backend))),
                        options.method,
                        std::string(equations::to_string(options.formulation)),
                        options.duration + (start ? start->t : 0.0),
                        options.tolerance,
                        options.output_step,
                        start};
  for (const auto& [name, value] : model.settings.set) provenance.set.emplace_back(name, value.text());
  for (const InputRecord& input : inputs) {
    const std::string file = input.file.empty() ? std::string() : "=" + input.file.string();
    provenance.inputs.push_back(input.name + file + (input.is_linear && !file.empty() ? ", linear" : ""));
  }
  return provenance;
}

/// Metadata of a run for a Parquet file, in addition to the units of its columns.
report::Facts facts_of(const Provenance& provenance, const std::vector<report::Column>& columns) {
  report::Node frames = report::Node::object();
  for (const report::Column& column : columns) {
    for (int k = 0; k < column.count && !column.frame.empty(); ++k)
      frames.add(report::entry_name(column, k), column.frame);
  }
  return {{"frames", report::to_json(frames)}, {"provenance", provenance.json()}};
}

/// Unit of a column, or of one component; if the components differ, all of them: "N, N*m".
std::string stated_unit(const report::Column& column, bool is_whole, int part) {
  if (!is_whole || column.units.size() == 1) return report::stated(column.unit(part).si);
  std::vector<std::string> all;
  for (const UnitText& unit : column.units) all.push_back(report::stated(unit.si));
  return report::listed(all);
}

/// The function of a run that passes its events to the function of the caller.
decltype(sim::SimulateOptions::on_event) told(EventCalls& calls, const OnEvent& function,
                                              const sim::CompiledModel& compiled) {
  return [&](const sim::RunEvent& event, const Vector& before, const Vector& after) {
    return calls.tell(function, compiled, event, before, after);
  };
}

/// Fills the values that a finished run has for its caller.
void describe(Trajectory::Shared& result, bool is_full) {
  const sim::Trajectory& run = result.run;
  const sim::CompiledModel& compiled = *result.bound->compiled;
  for (const sim::Sample& sample : run.samples) result.t.push_back(sample.t);
  result.q = rows_of(run.samples, compiled.nq(), &sim::Sample::q);
  result.u = rows_of(run.samples, compiled.nu(), &sim::Sample::u);
  result.z = rows_of(run.samples, compiled.nz(), &sim::Sample::z);
  if (run.stopped) result.stopped = motion_error(*compiled.model, compiled.system.get(), *run.stopped);
  if (run.is_interrupted) {
    result.stopped = interruption(
        is_full ? "the run ended because its results could not be written" : report::why_interrupted(run), run.end().t);
  }
  for (const sim::Note& note : run.notes) result.notes.push_back(said(note));
  result.statistics = statistics_of(*result.model, *result.bound, run);
}

/// Reports the progress of a run to the calling program.
class Progress final : public sim::Sink {
 public:
  Progress(const std::function<void(double, double)>& show, double until) : show_(show), until_(until) {}
  void reached(double t) override {
    if (show_) show_(t, until_);
  }

 private:
  const std::function<void(double, double)>& show_;
  double until_;
};

}  // namespace

namespace {

/// The place of the error is the end of the text, where a `run` statement could be added.
Error without_run(const model::Model& model) {
  const std::string message = fmt::format("`{}` has no `run` statement", model.name);
  const std::string hint = fmt::format("state the end: `run 10{}` here, or `until`", model.has_units ? " [s]" : "");
  const std::string_view text = model.source_text.text();
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == text.npos) return wrong_call(message + "; " + hint).error;
  const auto end = static_cast<std::uint32_t>(last + 1);
  return wrong_text(Error::About::kCall, model.source_text,
                    {{{diag::Kind::kMissingStatement, diag::Severity::kError, {end - 1, end}, message, {}, {}, hint}}})
      .error;
}

}  // namespace

std::optional<Error> impossible(const model::Model& model, const sim::SimulateOptions& options,
                                std::optional<double> until, double begin) {
  const auto wrong = [](std::string message) { return wrong_call(std::move(message)).error; };
  if (!model.run && !until) return without_run(model);
  const double end = begin + options.duration;
  if (begin != 0.0 && !(until ? options.duration >= 0.0 : options.duration > 0.0))
    return wrong(fmt::format("the run ends at {} s, but begins at {} s: state a later end by `until`", end, begin));
  if (!(options.duration >= 0.0) || !std::isfinite(options.duration))
    return wrong(fmt::format("until: `{}` is not a number of seconds from 0 on", options.duration));
  if (!(options.tolerance >= tolerance::kFinestRun && options.tolerance <= tolerance::kCoarsestRun))
    return wrong(fmt::format("tolerance: `{}` is not between {:g} and {:g}", options.tolerance, tolerance::kFinestRun,
                             tolerance::kCoarsestRun));
  if (!(options.output_step >= 0.0) || !std::isfinite(options.output_step))
    return wrong(fmt::format("step: `{}` is not a positive number of seconds", options.output_step));
  if (integrate::find_method(options.method) == nullptr) {
    const std::vector<std::string> names = integrate::names_of(integrate::method_table());
    const std::string nearest = nearest_name(options.method, names);
    return wrong(fmt::format(
        "there is no method `{}`; {}", options.method,
        nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", ")) : "did you mean `" + nearest + "`?"));
  }
  for (const double t : options.sample_times) {
    if (!(t >= begin && t <= end)) return wrong(fmt::format("`at {}` is outside the run, {} to {} s", t, begin, end));
  }
  return std::nullopt;
}

State state_of(const sim::Sample& sample) { return {sample.t, to_std(sample.q), to_std(sample.u), to_std(sample.z)}; }

std::string Model::text_hash() const { return hash_of(*shared_->model); }

/// Makes the run collect loads, with components in this frame.
Result<void> follow_loads(const Model& model, const std::string& in, Trajectory::Shared& result,
                          sim::SimulateOptions& options) {
  model::FrameId frame = model::Model::newtonian();
  if (!in.empty()) {
    const auto handle = model.frame(in);
    if (!handle) return Unexpected<Error>{handle.error()};
    frame = model::FrameId(handle->index);
  }
  const auto lock = result.model->growing();
  auto table = make_force_table(*result.bound, frame);
  if (!table) return Unexpected<Error>{motion_error(*result.model->model, nullptr, table.error())};
  result.loads_in = result.bound->compiled->model->frame(frame).name;
  options.sinks.push_back(&result.loads.emplace(*std::move(table), result.loads_in));
  return {};
}

Result<Trajectory> Model::run(const RunOptions& options) const {
  EventCalls calls;
  auto motion = within_memory([&]() -> Result<Trajectory> {
    const model::Model& model = *shared_->model;
    auto simulate = simulate_options(model, options);
    if (!simulate) return Unexpected<Error>{simulate.error()};
    auto inputs = input_records(*shared_, options.inputs, options.start ? options.start->t : 0.0, simulate->duration);
    if (!inputs) return Unexpected<Error>{inputs.error()};
    simulate->inputs = *std::move(inputs);
    const auto bound = shared_->compiled();
    if (!bound) return Unexpected<Error>{bound.error()};
    if (options.into == nullptr) {
      if (auto error = too_many_samples(**bound, *simulate)) return Unexpected<Error>{*std::move(error)};
    }
    std::optional<sim::Start> start;
    if (options.start) {
      auto known = start_in(*bound, *options.start, simulate->tolerance);
      if (!known) return Unexpected<Error>{known.error()};
      start = *std::move(known);
    }

    auto result = std::make_shared<Trajectory::Shared>();
    result->model = shared_;
    result->bound = *bound;
    result->has_asked = !options.at.empty();
    result->provenance = provenance_of(*shared_, **bound, *simulate, options.start, options.inputs);
    if (options.record.energy) {
      const auto lock = shared_->growing();
      result->account.emplace(**bound).follow(*simulate);
    }
    if (options.record.loads) {
      if (auto done = follow_loads(*this, options.record.loads_in, *result, *simulate); !done)
        return Unexpected<Error>{done.error()};
    }
    if (!options.sensitivity.empty()) {
      if (auto done = follow_sensitivities(options, *result, *simulate); !done) return Unexpected<Error>{done.error()};
    }
    std::unique_ptr<Streams> streams;
    if (options.into != nullptr) {
      auto begun = Streams::begin(*options.into, **bound, result->account, result->provenance,
                                  facts_of(result->provenance, report::columns_of(**bound)));
      if (!begun) return Unexpected<Error>{begun.error()};
      streams = *std::move(begun);
      streams->follow(*simulate);
      result->is_streamed = true;
      result->streamed = streams->trajectory();
    }
    Progress progress(options.progress, result->provenance.until);
    simulate->sinks.push_back(&progress);
    if (options.on_event) simulate->on_event = told(calls, options.on_event, **bound);
    sim::Dynamics dynamics(*bound);
    result->run = start ? sim::simulate(dynamics, *start, *simulate) : sim::simulate(dynamics, *simulate);
    finish_sensitivities(*result);
    if (streams) streams->finish();
    if (options.on_event && result->run.stopped && !result->run.samples.empty()) {
      const State end = state_of(result->run.end());
      calls.tell(options.on_event, stop_event(**bound, *result->run.stopped), end, end);
    }
    describe(*result, streams && streams->has_failed());
    return Trajectory(std::move(result));
  });
  calls.rethrow();
  return motion;
}

std::span<const double> Trajectory::t() const { return shared_->t; }
const Array& Trajectory::q() const { return shared_->q; }
const Array& Trajectory::u() const { return shared_->u; }
const Array& Trajectory::z() const { return shared_->z; }
std::vector<Event> Trajectory::events() const {
  std::vector<Event> events;
  for (const report::RunEvent& row : report::events_of(*shared_->bound->compiled, shared_->run))
    events.push_back(to_event(row));
  return events;
}
Result<std::vector<ExertedImpulse>> Trajectory::impulses() const {
  if (!has_impulses(shared_->run)) return std::vector<ExertedImpulse>{};
  const auto table = shared_->model->force_table();
  if (!table) return Unexpected<Error>{table.error()};
  return impulses_of(*shared_->bound->compiled, shared_->run, **table);
}
const Error* Trajectory::stopped() const { return shared_->stopped ? &*shared_->stopped : nullptr; }
std::span<const Note> Trajectory::notes() const { return shared_->notes; }
const Statistics& Trajectory::statistics() const { return shared_->statistics; }
const Provenance& Trajectory::provenance() const { return shared_->provenance; }
std::string Trajectory::json() const { return report::to_json(shared_->report()); }

std::string Trajectory::text() const {
  return report::to_text(shared_->report()) +
         (shared_->account ? report::energy_line(*shared_->bound->compiled->model, *shared_->account) : "");
}

std::vector<std::string> Trajectory::names() const {
  std::vector<std::string> names;
  for (const report::Column& one : report::columns_of(*shared_->bound)) {
    for (int k = 0; k < one.count; ++k) names.push_back(report::entry_name(one, k));
  }
  return names;
}

Result<Column> Trajectory::column(std::string_view name) const {
  const auto columns = report::columns_of(*shared_->bound);
  const auto found = find_column(*shared_->model, columns, name);
  if (!found) return Unexpected<Error>{found.error()};
  return shared_->column(columns[found->index], found->component);
}

namespace {

/// The column of a quantity. \returns an Error if the handle is of another model.
struct ColumnOf {
  const Model::Shared& model;

  Result<ColumnHandle> operator()(const ColumnHandle& handle) const { return handle; }
  Result<ColumnHandle> operator()(CoordinateHandle handle) const {
    return of(handle, "coordinate", model.coordinates.size(), 0);
  }
  Result<ColumnHandle> operator()(SpeedHandle handle) const {
    return of(handle, "speed", model.speeds.size(), model.coordinates.size());
  }
  Result<ColumnHandle> operator()(StateHandle handle) const {
    return of(handle, "state", model.states.size(), model.coordinates.size() + model.speeds.size());
  }

 private:
  template <class AnyHandle>
  [[nodiscard]] Result<ColumnHandle> of(AnyHandle handle, std::string_view what, std::size_t count,
                                        std::size_t first) const {
    if (auto fits = check_handle(model, handle, what, count); !fits) return Unexpected<Error>{fits.error()};
    return ColumnHandle{first + handle.index, -1, handle.model};
  }
};

}  // namespace

Result<Column> Trajectory::column(const QuantityHandle& quantity) const {
  const auto columns = report::columns_of(*shared_->bound);
  const Result<ColumnHandle> handle = std::visit(ColumnOf{*shared_->model}, quantity);
  if (!handle) return Unexpected<Error>{handle.error()};
  if (auto fits = check_handle(*shared_->model, *handle, "column", columns.size()); !fits)
    return Unexpected<Error>{fits.error()};
  if (handle->component >= columns[handle->index].count)
    return wrong_call(fmt::format("`{}` has no component {}", columns[handle->index].name, handle->component));
  return shared_->column(columns[handle->index], handle->component);
}

/// \param component  of a vector; -1: all
Column Trajectory::Shared::column(const report::Column& one, int component) const {
  const bool is_whole = component < 0;
  Column column =
      this->column(is_whole ? one.name : report::entry_name(one, component), stated_unit(one, is_whole, component),
                   is_whole ? one.count : 1,
                   [&](const sim::Sample& sample, int k) { return one.read(sample, is_whole ? k : component); });
  column.frame = one.frame;
  for (const sim::Sample& sample : run.samples) {
    for (int k = 0; k < column.components && one.is_unique; ++k)
      column.is_unique.push_back(one.is_unique(sample, is_whole ? k : component));
  }
  return column;
}

Result<Instant> Trajectory::at(double t) const {
  const auto table = shared_->model->force_table();
  if (!table) return Unexpected<Error>{table.error()};
  const double same = tolerance::kSameTime * shared_->provenance.until;
  for (const auto* samples : {&shared_->run.asked, &shared_->run.samples}) {
    for (const sim::Sample& sample : *samples) {
      if (std::abs(sample.t - t) > same) continue;
      return Instant{state_of(sample), (*table)->forces(sample), to_std(sample.outputs)};
    }
  }
  return wrong_call(fmt::format("the motion has no sample at {} s; name the time in `at` of its options", t));
}

Result<Column> Trajectory::Shared::from_table(ForceTable::Kind kind, std::string_view constraint,
                                              std::string_view on) const {
  const auto made = model->force_table();
  if (!made) return Unexpected<Error>{made.error()};
  const ForceTable& table = **made;
  const model::Model& mechanical = *bound->compiled->model;
  const auto* entry = table.find(kind, constraint, on);
  if (entry == nullptr && kind == ForceTable::Kind::kForce)
    entry = table.find(ForceTable::Kind::kResultant, constraint, on);
  if (entry == nullptr) {
    std::vector<std::string> names;
    for (const model::Constraint& one : mechanical.constraints) names.push_back(one.name);
    if (std::ranges::find(names, constraint) == names.end()) return no_such("constraint", constraint, names);
    if (kind == ForceTable::Kind::kMultiplier)
      return wrong_call(fmt::format("`{}` is enforced by actuators and has no multipliers", constraint));
    return wrong_call(
        fmt::format("`{}` puts no {} on `{}`", constraint, kind == ForceTable::Kind::kCouple ? "torque" : "force", on));
  }
  const bool is_multiplier = entry->kind == ForceTable::Kind::kMultiplier;
  Column column{is_multiplier
                    ? fmt::format("multiplier({})", constraint)
                    : fmt::format("{}({}, {})", kind == ForceTable::Kind::kCouple ? "torque" : "force", constraint, on),
                "1",
                is_multiplier ? "" : mechanical.frames[0].name,
                entry->count,
                {},
                {}};
  if (is_multiplier) {
    column.unit = report::unit_of_multiplier(mechanical, model::ConstraintId(entry->constraint), entry->count);
  } else {
    column.unit = report::stated(model::unit_of_force(mechanical, kind == ForceTable::Kind::kCouple).si);
  }
  for (const sim::Sample& sample : run.samples) {
    const std::vector<double> values = table.at(sample);
    column.values.insert(column.values.end(), values.begin() + entry->first,
                         values.begin() + entry->first + entry->count);
    for (int k = 0; k < entry->count; ++k) column.is_unique.push_back(table.is_unique(*entry, sample, k) ? 1 : 0);
  }
  return column;
}

Result<Column> Trajectory::force(std::string_view constraint, std::string_view point) const {
  return shared_->from_table(ForceTable::Kind::kForce, constraint, point);
}
Result<Column> Trajectory::torque(std::string_view constraint, std::string_view body) const {
  return shared_->from_table(ForceTable::Kind::kCouple, constraint, body);
}
Result<Column> Trajectory::multiplier(std::string_view constraint) const {
  return shared_->from_table(ForceTable::Kind::kMultiplier, constraint, "");
}

namespace {

/// Names of a constraint and of the thing on which it acts.
template <class On, class Things>
Result<std::pair<std::string, std::string>> names_of(const Model::Shared& model, ConstraintHandle constraint, On on,
                                                     std::string_view what, const Things& things) {
  if (auto fits = check_handle(model, constraint, "constraint", model.constraints.size()); !fits)
    return Unexpected<Error>{fits.error()};
  if (auto fits = check_handle(model, on, what, things.size()); !fits) return Unexpected<Error>{fits.error()};
  return std::pair(model.constraints[constraint.index].name, things[on.index].name);
}

}  // namespace

Result<Column> Trajectory::force(ConstraintHandle constraint, PointHandle point) const {
  const auto names = names_of(*shared_->model, constraint, point, "point", shared_->model->model->points);
  if (!names) return Unexpected<Error>{names.error()};
  return shared_->from_table(ForceTable::Kind::kForce, names->first, names->second);
}
Result<Column> Trajectory::force(ConstraintHandle constraint, BodyHandle body) const {
  const auto names = names_of(*shared_->model, constraint, body, "body", shared_->model->model->bodies);
  if (!names) return Unexpected<Error>{names.error()};
  return shared_->from_table(ForceTable::Kind::kResultant, names->first, names->second);
}
Result<Column> Trajectory::torque(ConstraintHandle constraint, BodyHandle body) const {
  const auto names = names_of(*shared_->model, constraint, body, "body", shared_->model->model->bodies);
  if (!names) return Unexpected<Error>{names.error()};
  return shared_->from_table(ForceTable::Kind::kCouple, names->first, names->second);
}
Result<Column> Trajectory::multiplier(ConstraintHandle constraint) const {
  const Model::Shared& model = *shared_->model;
  if (auto fits = check_handle(model, constraint, "constraint", model.constraints.size()); !fits)
    return Unexpected<Error>{fits.error()};
  return multiplier(model.constraints[constraint.index].name);
}

Result<Energy> Trajectory::energy() const {
  if (!shared_->account)
    return wrong_call("energies were not recorded: ask for `record.energy` in the options of the run");
  const sim::EnergyAccount& account = *shared_->account;
  Energy energy;
  for (const report::Table::Column& one : report::energy_columns(account, *shared_->bound->compiled->model)) {
    if (one.name != "t") energy.columns.push_back({one.name, report::stated(one.unit), "", 1, {}, {}});
  }
  for (const auto& row : account.rows()) {
    for (std::size_t k = 0; k < energy.columns.size(); ++k)
      energy.columns[k].values.push_back(row.values[static_cast<Eigen::Index>(k)]);
  }
  const auto worst = account.worst();
  energy.worst = worst.error;
  energy.relative = worst.relative;
  energy.t = worst.t;
  return energy;
}

Audit Trajectory::audit(int instants) const {
  const auto lock = shared_->model->growing();
  const std::string& name = shared_->bound->compiled->model->name;
  const audit::Audit inner = audit::audit(*shared_->bound, shared_->run, {.samples = instants});
  Audit result;
  for (const audit::AuditLine& line : inner.lines) {
    result.lines.push_back({line.identity, line.section, std::string(report::to_string(line.verdict)), line.worst,
                            line.allowed, line.t, line.where, line.reason, line.allowed_from});
  }
  result.samples = inner.samples;
  result.is_held_ = inner.is_success();
  const report::Node report = report::audit_report(name, inner);
  result.text_ = report::to_text(report);
  result.list_ = report::to_text(report::audit_report(name, inner, true));
  result.json_ = report::to_json(report);
  return result;
}

Result<std::vector<std::string>> Trajectory::write(Results& results) const {
  if (shared_->run.samples.empty()) return std::vector<std::string>{};
  const sim::CompiledModel& bound = *shared_->bound;
  auto& begun = results.own().begun;
  const auto streamed = shared_->streamed.lock();
  if (shared_->is_streamed && (streamed == nullptr || begun[kTrajectoryFile] != streamed))
    return wrong_call("the samples are in the results that were passed as `into`; write into these");
  const std::vector<report::Column> columns = report::columns_of(bound);
  const auto samples = [&](report::RowWriter writer) {
    report::TrajectoryRows rows(std::move(writer), columns);
    for (const sim::Sample& sample : shared_->run.samples) rows.sample(sample);
  };
  const auto energies = [&](report::RowWriter writer) {
    report::EnergyRows rows(std::move(writer));
    for (const auto& row : shared_->account->rows()) rows.write(row);
  };
  std::vector<files::NamedFile> files;
  const std::string about = provenance_line(shared_->provenance);
  const auto add_table = [&](const char* csv, const char* parquet, std::vector<report::Table::Column> table,
                             auto fill) {
    files.push_back({csv, [table, fill, &about](std::ostream& s) { fill(report::csv_rows(s, table, about)); }});
    if (!results.own().formats.parquet) return;
    files.push_back({parquet, [this, &columns, table, fill](std::ostream& s) {
                       report::ParquetRows rows(s, table, facts_of(shared_->provenance, columns));
                       fill([&rows](std::span<const double> row) { rows.write(row); });
                       rows.finish();
                     }});
  };
  if (streamed) {
    for (const char* name : {kTrajectoryFile, kEnergyFile, kTrajectoryParquet, kEnergyParquet}) {
      if (const auto file = begun.find(name); file != begun.end()) files.push_back({name, {}, file->second});
    }
  } else {
    add_table(kTrajectoryFile, kTrajectoryParquet, report::trajectory_columns(columns, *bound.model), samples);
    if (shared_->account)
      add_table(kEnergyFile, kEnergyParquet, report::energy_columns(*shared_->account, *bound.model), energies);
  }
  if (shared_->loads) {
    files.push_back({kLoadsFile, [&](std::ostream& s) {
                       report::write_csv(s, loads_table(*bound.model, shared_->all_loads()), about);
                     }});
  }
  if (auto derivatives = sensitivities_table(*shared_)) {
    files.push_back({kSensitivitiesFile, [&about, table = *std::move(derivatives)](std::ostream& s) {
                       report::write_csv(s, table, about);
                     }});
  }
  files.push_back(
      {"events.csv", [&](std::ostream& s) { report::write_csv(s, report::events_table(bound, shared_->run), about); }});
  if (has_impulses(shared_->run)) {
    auto vectors = impulses();
    if (!vectors) return Unexpected<Error>{vectors.error()};
    files.push_back({"impulses.csv", [&about, table = impulses_table(*bound.model, *std::move(vectors))](
                                         std::ostream& s) { report::write_csv(s, table, about); }});
  }
  files.push_back({"result.json", [this](std::ostream& s) { s << json(); }});
  auto names = write_files(results, run_files(), files);
  if (streamed) begun.clear();
  return names;
}

Result<std::vector<std::string>> Trajectory::write(const std::filesystem::path& folder, Formats formats) const {
  return write_alone(*this, folder, formats);
}

}  // namespace vinculum

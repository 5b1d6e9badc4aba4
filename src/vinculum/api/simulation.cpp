#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/api/event_calls.hpp"
#include "vinculum/api/force_table.hpp"
#include "vinculum/api/handles.hpp"
#include "vinculum/api/inverse_dynamics.hpp"
#include "vinculum/codegen/fingerprint.hpp"
#include "vinculum/hybrid/played_inputs.hpp"
#include "vinculum/run/run.hpp"
#include "vinculum/run/told_events.hpp"

namespace vinculum {

namespace {

/// Most inputs that calls of `on_event` set at one instant: as many as the rounds of events that the engine allows.
constexpr std::size_t kMostInputs = 1000;

}  // namespace

struct Simulation::Own {
  std::shared_ptr<const Model::Shared> model;
  std::unique_ptr<sim::Dynamics> dynamics;  ///< at a fixed address, which `run` has
  sim::SimulateOptions options;
  State state;
  bool is_resumed = false;                   ///< the motion comes from before `state`, whose events have happened
  std::optional<sim::Sample> followed = {};  ///< accelerations from which those of `state` continue
  std::unique_ptr<sim::Run> run = {};        ///< null before the first `advance` from `state`
  Vector y = {};                             ///< scratch
  OnEvent on_event = {};
  EventCalls calls = {};
  bool is_telling = false;   ///< a call of `on_event` is in progress
  bool asks_to_end = false;  ///< a call of `on_event` has asked to end the present `advance`
  std::vector<std::pair<std::size_t, double>> remembered = {};  ///< inputs set in calls of `on_event`

  /// The result of `evaluate` in the mode of the motion. The typical sizes that an evaluation may learn are forgotten:
  /// the rest of the motion does not depend on evaluations.
  template <class Evaluate>
  [[nodiscard]] auto at_present(const Evaluate& evaluate) const {
    if (run) dynamics->set_mode(run->mode());
    sim::Sizes sizes = dynamics->sizes();
    auto result = evaluate(*dynamics);
    dynamics->sizes() = std::move(sizes);
    return result;
  }
  void take_state();
  void take_state(double t, const Vector& from);
  bool tell(const sim::RunEvent& event, const Vector& before, const Vector& after);
  void tell_stop(const Failure& failure);
  [[nodiscard]] Result<void> is_between_events(std::string_view call) const;
  [[nodiscard]] const Failure* jump(std::size_t input, double value);
  [[nodiscard]] Result<void> hold_remembered();
  [[nodiscard]] Result<void> outcome(bool had_ended);
};

/// Copies the state of the run.
void Simulation::Own::take_state() { take_state(run->t(), run->y()); }

void Simulation::Own::take_state(double t, const Vector& from) {
  state.t = t;
  const auto nq = static_cast<Eigen::Index>(state.q.size()), nu = static_cast<Eigen::Index>(state.u.size());
  std::copy_n(from.data(), nq, state.q.begin());
  std::copy_n(from.data() + nq, nu, state.u.begin());
  std::copy_n(from.data() + nq + nu, state.z.size(), state.z.begin());
}

/// \returns whether the run is to be interrupted: to end `advance`, or to hold inputs.
bool Simulation::Own::tell(const sim::RunEvent& event, const Vector& before, const Vector& after) {
  if (!on_event) return false;
  take_state(sim::time_of(event), after);
  const OnEvent function = on_event;  // a call may set another one
  is_telling = true;
  asks_to_end |= calls.tell(function, dynamics->binding(), event, before, after);
  is_telling = false;
  return asks_to_end || !remembered.empty();
}

void Simulation::Own::tell_stop(const Failure& failure) {
  if (!on_event) return;
  const OnEvent function = on_event;
  const State end = state;
  is_telling = true;
  calls.tell(function, stop_event(dynamics->binding(), failure), end, end);
  is_telling = false;
}

Result<void> Simulation::Own::is_between_events(std::string_view call) const {
  if (!is_telling) return {};
  return wrong_call(fmt::format(
      "`{}` was called by the function `on_event` while the motion is on its way: call it after `advance`", call));
}

/// Gives an input another value.   \returns why the motion ends with it; null if it does not.
const Failure* Simulation::Own::jump(std::size_t input, double value) {
  y = run->y();
  sim::hold_input(sim::places_of(dynamics->binding(), input), value, y);
  return y == run->y() ? nullptr : run->jump(y);
}

/// Holds the inputs that calls of `on_event` have set; the events that this causes may set more.
Result<void> Simulation::Own::hold_remembered() {
  for (std::size_t i = 0; i < remembered.size() && !calls.has_thrown() && run->stopped() == nullptr; ++i) {
    if (i == kMostInputs) {
      remembered.clear();
      return wrong_call(fmt::format(
          "`on_event` has set inputs {} times at {} s: each value causes the event that sets the next", i, run->t()));
    }
    (void)jump(remembered[i].first, remembered[i].second);
  }
  remembered.clear();
  return {};
}

/// The result of a call that has moved the run.
Result<void> Simulation::Own::outcome(bool had_ended) {
  take_state();
  const Failure* const ends = run->stopped();
  if (ends != nullptr && !had_ended) tell_stop(*ends);
  remembered.clear();
  calls.rethrow();
  if (ends == nullptr) return {};
  return Unexpected<Error>{motion_error(*model->model, dynamics->binding()->system.get(), *ends)};
}

Simulation::Simulation(std::unique_ptr<Own> own) : own_(std::move(own)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

namespace {

template <class AnyHandle>
Result<double> value_of(const Model::Shared& model, AnyHandle handle, std::string_view what,
                        const std::vector<double>& values) {
  if (auto fits = check_handle(model, handle, what, values.size()); !fits) return Unexpected<Error>{fits.error()};
  return values[handle.index];
}

/// Options of a motion without samples, whose end is not known.
sim::SimulateOptions options_of_steps(const model::Model& model) {
  sim::SimulateOptions options = sim::options_of(model);
  options.output_step = std::numeric_limits<double>::infinity();
  options.keeps_samples = false;
  std::erase_if(options.sources, [](const sim::SourceRow& row) { return row.name == "slowness"; });
  return options;
}

}  // namespace

Result<Simulation> Model::simulation() const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  auto start = assemble();
  if (!start) return Unexpected<Error>{start.error()};
  auto own = std::make_unique<Simulation::Own>(Simulation::Own{shared_, std::make_unique<sim::Dynamics>(*bound),
                                                               options_of_steps(*shared_->model), *std::move(start)});
  own->options.on_event = [at = own.get()](const sim::RunEvent& event, const Vector& before, const Vector& after) {
    return at->tell(event, before, after);
  };
  return Simulation(std::move(own));
}

const State& Simulation::state() const { return own_->state; }

void Simulation::on_event(OnEvent function) { own_->on_event = std::move(function); }
const OnEvent& Simulation::on_event() const { return own_->on_event; }

Result<void> Simulation::set_state(const State& state) {
  if (auto can = own_->is_between_events("set_state"); !can) return can;
  sim::Dynamics anew(own_->dynamics->shared_binding());
  auto nearest = nearest_state(anew, state);
  if (!nearest) return Unexpected<Error>{nearest.error()};
  own_->run.reset();
  *own_->dynamics = std::move(anew);
  own_->dynamics->set_mode(sim::mode_at_start(own_->dynamics->binding()));
  own_->state = *std::move(nearest);
  own_->is_resumed = false;
  own_->followed.reset();
  return {};
}

Result<void> Simulation::advance(double t) {
  Own& own = *own_;
  if (auto can = own.is_between_events("advance"); !can) return can;
  const double t0 = own.state.t;
  if (!(t >= t0) || !std::isfinite(t))
    return wrong_call(fmt::format("the simulation is at {} s and cannot go to {} s", t0, t));
  if (t == t0) return {};
  if (!own.run) {
    own.options.duration = own.model->model->run ? own.model->model->run->duration : 0.0;
    if (!(own.options.duration > 0.0)) own.options.duration = t - t0;
    sim::Start start{t0, to_vector(own.state.q), to_vector(own.state.u), to_vector(own.state.z)};
    start.is_resumed = own.is_resumed;
    start.followed = own.followed;
    own.run = std::make_unique<sim::Run>(*own.dynamics, std::move(start), own.options);
  }
  const bool had_ended = own.run->stopped() != nullptr;
  Result<void> held;
  own.asks_to_end = false;
  for (bool goes_on = true; goes_on && held;) {
    goes_on = own.run->reach(t) == nullptr && !own.remembered.empty();
    held = own.hold_remembered();
    goes_on = goes_on && !own.asks_to_end && own.run->stopped() == nullptr && own.run->t() < t;
  }
  const Result<void> done = own.outcome(had_ended);
  return held ? done : held;
}

Result<Simulation::Input> Simulation::input(std::string_view name) const { return Model(own_->model).input(name); }

Result<double> Simulation::value(CoordinateHandle coordinate) const {
  return value_of(*own_->model, coordinate, "coordinate", own_->state.q);
}
Result<double> Simulation::value(SpeedHandle speed) const {
  return value_of(*own_->model, speed, "speed", own_->state.u);
}
Result<double> Simulation::value(StateHandle state) const {
  return value_of(*own_->model, state, "state", own_->state.z);
}
Result<double> Simulation::value(ParameterHandle parameter) const {
  const std::vector<Parameter>& all = own_->model->parameters;
  if (auto fits = check_handle(*own_->model, parameter, "parameter", all.size()); !fits)
    return Unexpected<Error>{fits.error()};
  return all[parameter.index].value;
}

Result<void> Simulation::set_input(std::string_view name, double value) {
  const auto found = input(name);
  if (!found) return Unexpected<Error>{found.error()};
  return set_input(*found, value);
}

Result<void> Simulation::set_input(Input input, double value) {
  Own& own = *own_;
  const sim::CompiledModel& compiled = own.dynamics->binding();
  if (auto fits = check_handle(*own.model, input, "input", own.model->inputs.size()); !fits) return fits;
  if (!std::isfinite(value))
    return wrong_call(
        fmt::format("the value {} of input `{}` is not finite", value, own.model->inputs[input.index].name));
  if (own.is_telling) {
    own.remembered.emplace_back(input.index, value);
    return {};
  }
  if (!own.run) {
    own.y = to_vector(*packed(compiled, own.state));
    sim::hold_input(sim::places_of(compiled, input.index), value, own.y);
    own.state = unpacked(compiled, own.state.t, std::span(own.y.data(), static_cast<std::size_t>(own.y.size())));
    return {};
  }
  const bool had_ended = own.run->stopped() != nullptr;
  if (own.jump(input.index, value) == nullptr && own.remembered.empty() && !own.calls.has_thrown()) {
    own.take_state();
    return {};
  }
  const Result<void> held = own.hold_remembered();
  const Result<void> done = own.outcome(had_ended);
  return held ? done : held;
}

namespace {

constexpr std::string_view kSaved = "vinculum simulation 1\n";

std::string check_of(std::string_view bytes) {
  codegen::Fingerprint fingerprint;
  fingerprint.add(bytes);
  return codegen::to_hex(fingerprint.value());
}

/// The line that says from what a simulation is saved.
std::string line_of(const Model::Shared& model, const sim::SimulateOptions& options) {
  std::string text;
  for (const Parameter& one : model.parameters) text += fmt::format("{}={:a} ", one.name, one.value);
  return fmt::format("{} {} {} {} {} {:a} {}\n", version(), model.model->name,
                     check_of(model.model->source_text.whole()), options.method,
                     equations::to_string(options.formulation), options.tolerance, check_of(text));
}

}  // namespace

Result<std::string> Simulation::save() const {
  const Own& own = *own_;
  if (auto can = own.is_between_events("save"); !can) return Unexpected<Error>{can.error()};
  if (const Failure* const ended = own.run ? own.run->stopped() : nullptr)
    return Unexpected<Error>{motion_error(*own.model->model, own.dynamics->binding()->system.get(), *ended)};
  sim::RunMemory memory;
  if (own.run) {
    memory = own.run->memory();
  } else {
    memory.t = own.state.t;
    memory.y = to_vector(*packed(own.dynamics->binding(), own.state));
  }
  const std::string bytes = std::string(1, own.run ? 'r' : own.is_resumed ? 'h' : 's') + sim::to_bytes(memory);
  return std::string(kSaved) + line_of(*own.model, own.options) + check_of(bytes) + "\n" + bytes;
}

Result<void> Simulation::restore(std::string_view saved) {
  Own& own = *own_;
  if (auto can = own.is_between_events("restore"); !can) return can;
  if (!saved.starts_with(kSaved)) return wrong_call("these bytes are not a saved simulation");
  saved.remove_prefix(kSaved.size());
  const std::string line = line_of(*own.model, own.options);
  if (!saved.starts_with(line))
    return wrong_call("the simulation was saved with another model, other parameters, or another version");
  saved.remove_prefix(line.size());
  const std::size_t end = saved.find('\n');
  const std::string_view bytes = end == std::string_view::npos ? std::string_view() : saved.substr(end + 1);
  auto memory =
      bytes.empty() || check_of(bytes) != saved.substr(0, end) ? std::nullopt : sim::memory_from(bytes.substr(1));
  const sim::CompiledModel& compiled = own.dynamics->binding();
  if (!memory || memory->y.size() != compiled.nq() + compiled.nu() + compiled.nz())
    return wrong_call("the saved simulation is damaged");
  own.run.reset();
  own.state = unpacked(compiled, memory->t, std::span(memory->y.data(), static_cast<std::size_t>(memory->y.size())));
  own.is_resumed = bytes.front() == 'h';
  *own.dynamics = sim::Dynamics(own.dynamics->shared_binding());
  if (bytes.front() == 'r') own.run = std::make_unique<sim::Run>(*own.dynamics, *std::move(memory), own.options);
  return {};
}

Result<Matrices> Simulation::matrices() const {
  return own_->at_present([this](sim::Dynamics& dynamics) { return matrices_at(dynamics, own_->state); });
}

Result<Forces> Simulation::forces() const {
  const auto table = own_->model->force_table();
  if (!table) return Unexpected<Error>{table.error()};
  return own_->at_present([&](sim::Dynamics& dynamics) { return forces_at(dynamics, **table, own_->state); });
}

Result<std::vector<double>> Simulation::accelerations() const {
  auto forces = this->forces();
  if (!forces) return Unexpected<Error>{forces.error()};
  return std::move(forces->u_dot);
}

Result<void> Simulation::set(ParameterHandle parameter, double value) {
  const std::vector<Parameter>& all = own_->model->parameters;
  if (auto fits = check_handle(*own_->model, parameter, "parameter", all.size()); !fits) return fits;
  return set({{all[parameter.index].name, value}});
}

Result<void> Simulation::set(const Values& values) {
  if (auto can = own_->is_between_events("set"); !can) return can;
  auto model = own_->model->with(values);
  if (!model) return Unexpected<Error>{model.error()};
  std::shared_ptr<const Model::Shared> shared = *std::move(model);
  const auto bound = shared->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  auto dynamics = std::make_unique<sim::Dynamics>(*bound);
  auto nearest = nearest_state(*dynamics, own_->state);
  if (!nearest) return Unexpected<Error>{nearest.error()};
  sim::Mode mode = sim::mode_at_start(dynamics->binding());
  mode.branch = own_->run ? own_->run->mode().branch : own_->dynamics->mode().branch;
  dynamics->set_mode(std::move(mode));
  const bool is_resumed = own_->is_resumed || own_->run != nullptr;
  std::optional<sim::Sample> followed;
  const auto y = packed(own_->dynamics->binding(), own_->state);
  if (!y) return Unexpected<Error>{y.error()};
  if (is_resumed) {
    const Outcome<void> reported = own_->at_present([&](sim::Dynamics& present) {
      return present.report(present.mode(), own_->state.t, y->data(), followed.emplace());
    });
    if (!reported) followed.reset();
  }
  own_->run.reset();
  own_->model = std::move(shared);
  own_->dynamics = std::move(dynamics);
  own_->state = *std::move(nearest);
  own_->is_resumed = is_resumed;
  own_->followed = std::move(followed);
  return {};
}

Result<std::vector<double>> Simulation::inverse_dynamics(std::span<const double> accelerations) const {
  const sim::Binding& bound = own_->dynamics->binding();
  const auto nu = static_cast<std::size_t>(bound->nu());
  if (accelerations.size() != nu)
    return wrong_call(fmt::format("{} accelerations for {} speeds", accelerations.size(), nu));
  if (auto able = can_invert(bound); !able) return Unexpected<Error>{able.error()};
  const auto own = this->accelerations();
  if (!own) return Unexpected<Error>{own.error()};
  const auto y = packed(bound, own_->state);
  if (!y) return Unexpected<Error>{y.error()};
  sim::Matrices at;
  const Outcome<void> evaluated = own_->at_present(
      [&](sim::Dynamics& dynamics) { return dynamics.matrices(dynamics.mode(), own_->state.t, y->data(), at); });
  if (!evaluated) return Unexpected<Error>{motion_error(*bound->model, bound->system.get(), evaluated.error())};
  std::vector<double> forces(nu, 0.0);
  if (auto done = invert(bound, at, to_vector(*own), accelerations, forces); !done)
    return Unexpected<Error>{done.error()};
  return forces;
}

}  // namespace vinculum

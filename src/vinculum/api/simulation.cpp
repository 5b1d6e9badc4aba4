#include <fmt/format.h>

#include <cmath>

#include "vinculum/api/force_table.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {

struct Simulation::Own {
  std::shared_ptr<const Model::Shared> model;
  mutable sim::Dynamics dynamics;
  sim::SimulateOptions options;
  State state;
  std::optional<sim::Sample> last = {};  ///< of the motion that has come here
};

Simulation::Simulation(std::unique_ptr<Own> own) : own_(std::move(own)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Result<Simulation> Model::simulation() const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  auto start = assemble();
  if (!start) return Unexpected<Error>{start.error()};
  return Simulation(std::make_unique<Simulation::Own>(
      Simulation::Own{shared_, sim::Dynamics(*bound), sim::options_of(*shared_->model), *std::move(start)}));
}

namespace {

/// If several accelerations satisfy the constraints, those asked for from here on are on the branch of the last sample.
void go_on_from(const std::optional<sim::Sample>& last, sim::Dynamics& dynamics) {
  if (!last) return;
  sim::Mode mode = sim::mode_at_start(dynamics.binding());
  dynamics.set_accelerations(mode, *last);
  dynamics.set_mode(std::move(mode));
}

}  // namespace

const State& Simulation::state() const { return own_->state; }

Result<void> Simulation::set_state(const State& state) {
  own_->dynamics.set_mode(sim::mode_at_start(own_->dynamics.binding()));
  auto nearest = nearest_state(own_->dynamics, state);
  if (!nearest) return Unexpected<Error>{nearest.error()};
  own_->state = *std::move(nearest);
  own_->last.reset();
  return {};
}

Result<void> Simulation::advance(double t) {
  const double t0 = own_->state.t;
  if (!(t >= t0) || !std::isfinite(t))
    return wrong_call(fmt::format("the simulation is at {} s and cannot go to {} s", t0, t));
  if (t == t0) return {};
  const auto vector = [](const std::vector<double>& values) -> Vector {
    return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  };
  own_->options.duration = own_->options.output_step = t - t0;
  sim::Start start{t0, vector(own_->state.q), vector(own_->state.u), vector(own_->state.z)};
  start.followed = own_->last;
  const sim::Trajectory run = sim::simulate(own_->dynamics, start, own_->options);
  if (!run.samples.empty()) {
    const sim::Sample& end = run.samples.back();
    own_->state = {end.t, to_std(end.q), to_std(end.u), to_std(end.z)};
    own_->last = end;
    go_on_from(own_->last, own_->dynamics);
  }
  if (!run.stopped) return {};
  return Unexpected<Error>{motion_error(*own_->model->model, own_->dynamics.binding()->system.get(), *run.stopped)};
}

Result<Matrices> Simulation::matrices() const { return matrices_at(own_->dynamics, own_->state); }

Result<Forces> Simulation::forces() const {
  const auto table = own_->model->force_table();
  if (!table) return Unexpected<Error>{table.error()};
  return forces_at(own_->dynamics, **table, own_->state);
}

Result<std::vector<double>> Simulation::accelerations() const {
  auto forces = this->forces();
  if (!forces) return Unexpected<Error>{forces.error()};
  return std::move(forces->u_dot);
}

Result<void> Simulation::set(const Values& values) {
  auto model = own_->model->with(values);
  if (!model) return Unexpected<Error>{model.error()};
  const auto bound = (*model)->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  sim::Dynamics dynamics(*bound);
  auto nearest = nearest_state(dynamics, own_->state);
  if (!nearest) return Unexpected<Error>{nearest.error()};
  go_on_from(own_->last, dynamics);
  *own_ = {*std::move(model), std::move(dynamics), own_->options, *std::move(nearest), std::move(own_->last)};
  return {};
}

namespace {

/// Why forces that are added would change others, so that accelerations do not tell them; null where they do.
const char* what_answers_forces(const sim::CompiledModel& compiled) {
  const equations::System& system = *compiled.system;
  if (system.has_nonideal) return "has constraints that are not ideal";
  if (!system.slides.empty()) return "has friction";
  if (!system.directed.empty()) return "has reactions along directions of their own";
  if (!system.changes.empty()) return "has constraints whose laws add to its inertia or forces";
  if (system.higher) return "has constraints of higher order";
  if (compiled.is_implicit()) return "has relations that are not linear in the accelerations";
  return nullptr;
}

}  // namespace

Result<std::vector<double>> Simulation::inverse_dynamics(std::span<const double> accelerations) const {
  const sim::CompiledModel& compiled = own_->dynamics.binding();
  const auto nu = static_cast<std::size_t>(compiled.nu());
  if (accelerations.size() != nu)
    return wrong_call(fmt::format("{} accelerations for {} speeds", accelerations.size(), nu));
  if (const char* what = what_answers_forces(compiled))
    return wrong_call(fmt::format("the model {}: they would change with the forces that are asked for", what));
  const auto m = matrices();
  if (!m) return Unexpected<Error>{m.error()};
  const auto own = this->accelerations();
  if (!own) return Unexpected<Error>{own.error()};
  for (std::size_t row = 0; row < m->b.size(); ++row) {
    double missed = -m->b[row], size = std::abs(m->b[row]);
    for (std::size_t j = 0; j < nu; ++j) {
      missed += m->A(row, j) * accelerations[j];
      size += std::abs(m->A(row, j) * accelerations[j]);
    }
    if (!(std::abs(missed) <= tolerance::kConsistency * size))
      return wrong_call(fmt::format("constraint `{}` does not allow these accelerations: they miss it by {:.3g}{}",
                                    compiled.row_name(static_cast<int>(row)), missed,
                                    compiled.row_unit(static_cast<int>(row), model::Level::kAcceleration)));
  }
  std::vector<double> forces(nu, 0.0);
  for (std::size_t i = 0; i < nu; ++i)
    for (std::size_t j = 0; j < nu; ++j) forces[i] += m->M(i, j) * (accelerations[j] - (*own)[j]);
  return forces;
}

}  // namespace vinculum

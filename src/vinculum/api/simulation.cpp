#include <fmt/format.h>

#include <cmath>

#include "vinculum/api/force_table.hpp"
#include "vinculum/api/inverse_dynamics.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {

struct Simulation::Own {
  std::shared_ptr<const Model::Shared> model;
  mutable sim::Dynamics dynamics;
  sim::SimulateOptions options;
  State state;
  std::optional<sim::Sample> last = {};  ///< last sample of the motion that led to `state`
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

/// If several accelerations satisfy the constraints, later evaluations use the branch of the last sample.
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
  own_->options.duration = own_->options.output_step = t - t0;
  sim::Start start{t0, to_vector(own_->state.q), to_vector(own_->state.u), to_vector(own_->state.z)};
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

Result<std::vector<double>> Simulation::inverse_dynamics(std::span<const double> accelerations) const {
  const sim::Binding& bound = own_->dynamics.binding();
  const auto nu = static_cast<std::size_t>(bound->nu());
  if (accelerations.size() != nu)
    return wrong_call(fmt::format("{} accelerations for {} speeds", accelerations.size(), nu));
  if (auto able = can_invert(bound); !able) return Unexpected<Error>{able.error()};
  const auto own = this->accelerations();
  if (!own) return Unexpected<Error>{own.error()};
  const auto y = packed(bound, own_->state);
  if (!y) return Unexpected<Error>{y.error()};
  sim::Matrices at;
  if (auto done = own_->dynamics.matrices(own_->dynamics.mode(), own_->state.t, y->data(), at); !done)
    return Unexpected<Error>{motion_error(*bound->model, bound->system.get(), done.error())};
  std::vector<double> forces(nu, 0.0);
  if (auto done = invert(bound, at, to_vector(*own), accelerations, forces); !done)
    return Unexpected<Error>{done.error()};
  return forces;
}

}  // namespace vinculum

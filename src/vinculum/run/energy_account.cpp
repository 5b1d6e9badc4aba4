#include "vinculum/run/energy_account.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/model/inspect/hamiltonian.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/inspect/load_power.hpp"
#include "vinculum/motion/report_numbers.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using model::ConstraintId;
using model::Term;

/// Returns the power Q·q' = Σ Q_r (u + Y g)_r of a constraint that acts on coordinates, not on points or bodies. Y is
/// the matrix of u = Y q' + …, g the rates q' at u = 0.
Expr power_on_coordinates(equations::System& system, ConstraintId id) {
  const auto& Y = system.lowering->symbols().u_by_q_dot;
  Expr power = system.graph->constant(0.0);
  for (std::size_t r = 0; r < system.u.size(); ++r) {
    Expr along = system.u[r];
    for (std::size_t i = 0; i < system.g.size() && !Y.empty(); ++i) along += Y[r][i] * system.g[i];
    power += along * system.lowering->scalar(system.model->terms->generalized_force(id, model::SpeedId(r)));
  }
  return power;
}

}  // namespace

EnergyAccount::EnergyAccount(const Binding& bound) {
  const model::Model& model = *bound->model;
  const auto derived = derive_all(bound->model);
  if (!derived) return;
  equations::System& system = **derived;
  const auto lowered = [&system](Term term) { return equations::lower(system, term)[0]; };
  std::vector<Expr> outputs;
  Expr works = system.graph->constant(0.0);
  const auto column = [&](std::string name, Expr value) {
    columns_.push_back(std::move(name));
    outputs.push_back(value);
  };
  const bool has_lagrangian = std::ranges::any_of(model.loads, [](const model::Load& load) {
    return std::holds_alternative<model::LagrangianFunction>(load.what);
  });
  if (!has_lagrangian) {
    column("kinetic_energy", lowered(model::kinetic_energy(model)));
    column("potential_energy", lowered(model::potential_energy(model)));
  }
  energy_ = columns_.size();
  const Term energy = model::total_energy(model), effective = model::effective_energy(model);
  column("energy", lowered(energy));
  const Expr moved = lowered(model::power_of_moved_points(model));
  if (!moved.is_zero()) column("hamiltonian", lowered(model::hamiltonian(model)));
  if (const Expr value = lowered(effective); !(value == outputs[energy_])) column("effective_energy", value);
  const std::vector<std::string> names = model::names_of_loads(model);
  Expr of_time = moved;
  for (std::size_t k = 0; k < model.loads.size(); ++k) {
    column("power(" + names[k] + ")", lowered(model::power_of_load(model, model.loads[k])));
    works += lowered(model::power_without_potential(model, model.loads[k]));
    of_time += lowered(model::power_of_time(model, model.loads[k]));
  }
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintId id(c);
    const Term term = model::power_of_constraint(model, id);
    const Expr power = term.is_valid() ? lowered(term) : power_on_coordinates(system, id);
    column("power(" + model.constraints[c].name + ")", power);
    works += power;
  }
  if (!of_time.is_zero()) column("power(time)", of_time);
  outputs.push_back(works + of_time);
  has_impulses_ = !bound->switched.empty() || std::ranges::any_of(model.events, [](const model::Event& event) {
    return std::ranges::any_of(event.actions, [](const model::EventAction& one) { return one.value.is_valid(); });
  });
  if (has_impulses_) columns_.push_back("impulses");
  columns_.insert(columns_.end(), {"work", "balance"});

  const codegen::KernelSpec spec{model.name + ".energy_account", report_symbols(system), system.parameters,
                                 std::move(outputs)};
  codegen::CompileOptions on_tape;
  on_tape.backend = codegen::Backend::kTape;
  kernel_.kernel = codegen::compile({&spec, 1}, on_tape)[0];
  kernel_.constants = kernel_.kernel->prepare(bound.parameters);
  result_.resize(kernel_.kernel->output_count());
  workspace_.resize(kernel_.kernel->workspace_size());
}

void EnergyAccount::evaluate(const Sample& sample) {
  read_report_numbers(sample, input_);
  kernel_.kernel->evaluate(input_.data(), kernel_.constants.data(), result_.data(), workspace_.data());
}

void EnergyAccount::follow(SimulateOptions& options) {
  if (kernel_.kernel != nullptr) options.sinks.push_back(this);
}

void EnergyAccount::node(const Sample& sample, double weight) {
  evaluate(sample);
  work_ += weight * result_.back();
}

/// Adds the row of a new state and updates the balance.
void EnergyAccount::take_row(const Sample& sample) {
  evaluate(sample);
  if (!is_started_) energy_at_start_ = result_[energy_];
  is_started_ = true;
  std::swap(before_, last_);
  const auto count = static_cast<Eigen::Index>(columns_.size()), stated = count - (has_impulses_ ? 3 : 2);
  last_.t = sample.t;
  last_.values.resize(count);
  last_.values.head(stated) = Eigen::Map<const Vector>(result_.data(), stated);
  if (has_impulses_) last_.values[stated] = by_impulses_;
  last_.values[count - 2] = work_;
  last_.values[count - 1] = result_[energy_] - energy_at_start_ - work_;
  size_ = std::max({size_, std::abs(result_[energy_]), std::abs(work_)});
  // The zero of a potential is arbitrary, so the energy may be small. Therefore the kinetic energy is also a scale for
  // the error of the balance.
  if (energy_ == 2) size_ = std::max(size_, std::abs(result_[0]));
  const double error = std::abs(last_.values[count - 1]);
  if (error > worst_.error) worst_ = {error, 0.0, sample.t};
}

void EnergyAccount::state(const Sample& sample) {
  if (!is_started_ || (last_.t != sample.t && before_.t != sample.t)) take_row(sample);
  if (std::exchange(is_sample_, false)) {
    const Row& row = last_.t == sample.t ? last_ : before_;
    taker_ ? taker_(row) : rows_.push_back(row);
  }
}

/// An instantaneous change of the energy counts as the energy of an impulse.
void EnergyAccount::jumped(const Sample& before, const Sample& after) {
  evaluate(before);
  const double energy = result_[energy_];
  evaluate(after);
  by_impulses_ += result_[energy_] - energy;
  work_ += result_[energy_] - energy;
}

EnergyAccount::Worst EnergyAccount::worst() const {
  Worst worst = worst_;
  if (worst.error > 0.0) worst.relative = worst.error / size_;
  return worst;
}

}  // namespace vinculum::sim

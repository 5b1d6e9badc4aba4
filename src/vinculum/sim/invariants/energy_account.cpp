#include "vinculum/sim/invariants/energy_account.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/dynamics/derive.hpp"
#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/mechanics/inspect/hamiltonian.hpp"
#include "vinculum/mechanics/inspect/inspection.hpp"
#include "vinculum/mechanics/inspect/load_power.hpp"
#include "vinculum/sim/plant/report_symbols.hpp"
#include "vinculum/sim/plant/structure.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using mechanics::ConstraintId;
using mechanics::Term;

/// Σ Q_r (u + Y g)_r: of what acts on coordinates, Q·q'.
Expr power_on_coordinates(dynamics::System& system, ConstraintId id) {
  const auto& Y = system.lowering->symbols().u_by_q_dot;
  Expr power = system.graph->constant(0.0);
  for (std::size_t r = 0; r < system.u.size(); ++r) {
    Expr along = system.u[r];
    for (std::size_t i = 0; i < system.g.size() && !Y.empty(); ++i) along += Y[r][i] * system.g[i];
    power += along * system.lowering->scalar(system.model->terms->generalized_force(id, mechanics::SpeedId(r)));
  }
  return power;
}

}  // namespace

EnergyAccount::EnergyAccount(const CompiledModel& compiled) {
  const mechanics::Model& model = *compiled.model;
  const auto derived = derive_all(compiled.model);
  if (!derived) return;
  dynamics::System& system = **derived;
  const auto lowered = [&system](Term term) { return dynamics::lower(system, term)[0]; };
  std::vector<Expr> outputs;
  Expr works = system.graph->constant(0.0);
  const auto column = [&](std::string name, Expr value) {
    columns_.push_back(std::move(name));
    outputs.push_back(value);
  };
  const bool has_lagrangian = std::ranges::any_of(model.loads, [](const mechanics::Load& load) {
    return std::holds_alternative<mechanics::LagrangianFunction>(load.what);
  });
  if (!has_lagrangian) {
    column("kinetic_energy", lowered(mechanics::kinetic_energy(model)));
    column("potential_energy", lowered(mechanics::potential_energy(model)));
  }
  energy_ = columns_.size();
  const Term energy = mechanics::total_energy(model), effective = mechanics::effective_energy(model);
  column("energy", lowered(energy));
  const Expr moved = lowered(mechanics::power_of_moved_points(model));
  if (!moved.is_zero()) column("hamiltonian", lowered(mechanics::hamiltonian(model)));
  if (const Expr value = lowered(effective); !(value == outputs[energy_])) column("effective_energy", value);
  const std::vector<std::string> names = mechanics::names_of_loads(model);
  Expr of_time = moved;
  for (std::size_t k = 0; k < model.loads.size(); ++k) {
    column("power(" + names[k] + ")", lowered(mechanics::power_of_load(model, model.loads[k])));
    works += lowered(mechanics::power_without_potential(model, model.loads[k]));
    of_time += lowered(mechanics::power_of_time(model, model.loads[k]));
  }
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const ConstraintId id(c);
    const Term term = mechanics::power_of_constraint(model, id);
    const Expr power = term.is_valid() ? lowered(term) : power_on_coordinates(system, id);
    column("power(" + model.constraints[c].name + ")", power);
    works += power;
  }
  if (!of_time.is_zero()) column("power(time)", of_time);
  outputs.push_back(works + of_time);
  columns_.insert(columns_.end(), {"work", "balance"});

  const codegen::KernelSpec spec{model.name + ".energy_account", report_symbols(system), system.parameters,
                                 std::move(outputs)};
  codegen::CompileOptions on_tape;
  on_tape.backend = codegen::Backend::kTape;
  kernel_.kernel = codegen::compile({&spec, 1}, on_tape)[0];
  kernel_.constants = kernel_.kernel->prepare(compiled.parameters);
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

void EnergyAccount::state(const Sample& sample) {
  if (!rows_.empty() && rows_.back().t == sample.t) return;
  evaluate(sample);
  Row row{sample.t, Vector(static_cast<Eigen::Index>(columns_.size()))};
  const auto stated = static_cast<Eigen::Index>(columns_.size() - 2);
  row.values.head(stated) = Eigen::Map<const Vector>(result_.data(), stated);
  const double at_start = rows_.empty() ? result_[energy_] : rows_.front().values[static_cast<Eigen::Index>(energy_)];
  row.values[stated] = work_;
  row.values[stated + 1] = result_[energy_] - at_start - work_;
  rows_.push_back(std::move(row));
}

std::vector<EnergyAccount::Row> EnergyAccount::rows(const Trajectory& trajectory) const {
  std::vector<Row> chosen;
  std::size_t next = 0;
  for (const Sample& sample : trajectory.samples) {
    while (next < rows_.size() && rows_[next].t < sample.t) ++next;
    if (next < rows_.size() && rows_[next].t == sample.t) chosen.push_back(rows_[next]);
  }
  return chosen;
}

EnergyAccount::Worst EnergyAccount::worst() const {
  Worst worst;
  double size = 0.0;
  const auto last = static_cast<Eigen::Index>(columns_.size()) - 1;
  for (const Row& row : rows_) {
    size = std::max({size, std::abs(nth(row.values, energy_)), std::abs(row.values[last - 1])});
    // Potentials have a zero of their own: kinetic energy is a size too.
    if (energy_ == 2) size = std::max(size, std::abs(row.values[0]));
    if (std::abs(row.values[last]) <= worst.error) continue;
    worst.error = std::abs(row.values[last]);
    worst.t = row.t;
  }
  worst.relative = worst.error > 0.0 ? worst.error / size : 0.0;
  return worst;
}

}  // namespace vinculum::sim

#include "vinculum/verify/invariants/invariants_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/random_states.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/equations/kane.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/model/homogeneity.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/inspect/load_power.hpp"
#include "vinculum/motion/report_numbers.hpp"
#include "vinculum/start/assembly.hpp"

namespace vinculum::sim::invariants {
namespace {

using expr::Expr;
using model::ConstraintId;
using model::Term;

constexpr unsigned kSeeds = 3;  // number of seeds; each gives three states

}  // namespace

Probe::Probe(const Binding& bound, equations::System& system)
    : bound_(bound), model_(*bound->model), system_(system), rates_(system) {
  symbols_ = report_symbols(system);
  append(symbols_, system.parameters);
  // `Dynamics` takes a shared pointer. The pointer created here does not own the model, which outlives the probe.
  Dynamics dynamics(std::shared_ptr<const Binding>(std::shared_ptr<void>(), &bound));
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const auto states = random_states(bound, bound.embedding(), seed, bound.parameters);
    if (!states) continue;
    for (const std::vector<double>& values : states->values) {
      add(dynamics, values[0], Eigen::Map<const Vector>(values.data() + 1, bound->nq() + bound->nu() + bound->nz()));
    }
  }
  add_states_near_the_start(dynamics);
  const std::vector<Expr> all = equations();
  for (const Sample& sample : samples_)
    is_awake_.push_back(expr::is_saturated(all, symbols_, numbers_of(sample)) ? 0 : 1);
  std::vector<Expr> reactions = system.lambda;
  for (const auto& some : {system.u_dot, system.lambda_ideal, system.effort}) append(reactions, some);
  std::vector<std::vector<double>> states;
  for (const Sample& sample : samples_) states.push_back(numbers_of(sample));
  values_.emplace(symbols_, std::move(reactions), std::move(states), is_free());
  find_forces();
  power_sizes_ = sizes({});
}

/// Solves for the accelerations and reactions of a state, and for the change of u' caused by rounding errors of the
/// state. That change is the maximum over several randomly rounded states, because a single one may show no change.
std::optional<Probe::Known> Probe::known(Dynamics& dynamics, double t, Vector y) {
  const model::Model& model = *dynamics.binding()->model;
  constexpr int kRoundings = 4;
  Sample sample, beside;
  if (!settle_friction(dynamics, t, y.data()) || !dynamics.report(t, y.data(), sample)) return std::nullopt;
  Vector noise = Vector::Zero(sample.reaction.u_dot().size());
  for (int draw = 0; draw < kRoundings; ++draw) {
    Vector y_beside = y;
    for (Eigen::Index i = 0; i < y.size(); ++i)
      y_beside[i] *= 1.0 + ((i >> draw) % 2 == 0 ? tolerance::kEqual : -tolerance::kEqual);
    if (dynamics.project(t, y_beside.data()) && dynamics.report(t, y_beside.data(), beside))
      noise = noise.cwiseMax((beside.reaction.u_dot() - sample.reaction.u_dot()).cwiseAbs());
  }
  // Rounding errors of the solve that do not depend on the rounding of the state. They are relative to the largest rate
  // of the same dimension.
  for (Eigen::Index r = 0; r < noise.size(); ++r) {
    for (Eigen::Index s = 0; s < noise.size(); ++s) {
      if (nth(model.speeds, r).dimension == nth(model.speeds, s).dimension)
        noise[r] = std::max(noise[r], tolerance::kRounding * std::abs(sample.reaction.u_dot()[s]));
    }
  }
  return Known{std::move(sample), std::move(noise)};
}

void Probe::add(Dynamics& dynamics, double t, Vector y) {
  if (auto one = known(dynamics, t, std::move(y))) {
    samples_.push_back(std::move(one->sample));
    noise_.push_back(std::move(one->noise));
  }
}

/// Adds the start, and states near the start that differ from it by typical amounts in q, u, z and t.
void Probe::add_states_near_the_start(Dynamics& dynamics) {
  constexpr double kShare = 0.3;
  const auto start = assemble(dynamics);
  if (!start) return;
  Vector y_start(start->q.size() + start->u.size() + start->z.size());
  y_start << start->q, start->u, start->z;
  const std::size_t before = samples_.size();
  add(dynamics, start->t0, y_start);
  const Vector u_dot = samples_.size() > before ? samples_.back().reaction.u_dot() : Vector::Zero(start->u.size());
  const Vector reach = coordinate_reach(bound_, start->q);
  Vector size(y_start.size());
  size << start->q.cwiseAbs(), speed_scale(bound_, start->u, u_dot, reach),
      state_reach(*bound_->system, bound_.parameters, start->q, start->z);
  for (Eigen::Index i = 0; i < start->q.size(); ++i) {
    if (size[i] == 0.0) size[i] = reach[i];
  }
  std::mt19937_64 random(20020901);
  std::uniform_real_distribution<double> uniform(-kShare, kShare);
  for (unsigned k = 1; k <= kSeeds; ++k) {
    Vector y = y_start;
    for (Eigen::Index i = 0; i < size.size(); ++i) y[i] += uniform(random) * size[i];
    const double t = start->t0 + std::abs(uniform(random)) / kShare * time_scale(model_);
    const bool is_consistent = dynamics.project(t, y.data()).has_value();
    if (is_consistent) add(dynamics, t, y);
    y.segment(start->q.size(), start->u.size()).setZero();
    if (!is_consistent || !dynamics.project(t, y.data())) continue;
    if (auto at_rest = known(dynamics, t, y)) resting_.push_back(std::move(*at_rest));
  }
}

std::vector<Expr> Probe::equations() const {
  std::vector<Expr> all = system_.q_dot;
  for (const auto& some : {system_.M.get(), system_.f, system_.C, system_.z_dot}) append(all, some);
  for (const equations::Row& row : system_.rows) {
    append(all, row.A.values());
    all.push_back(row.b);
    // Includes the rows as written, because A and b alone may hide a jump. At the kink of max(v*t, 0), b is 0 before
    // and after, but the reaction has an impulse.
    for (const Expr written : {row.phi, row.psi}) {
      if (written.is_valid()) all.push_back(written);
    }
  }
  for (const auto& reaction : system_.directed) {
    for (const auto& direction : reaction.Gamma) append(all, direction);
  }
  return all;
}

std::vector<double> Probe::numbers_of(const Sample& sample) const {
  std::vector<double> numbers;
  read_report_numbers(sample, numbers);
  numbers.insert(numbers.end(), bound_.parameters.begin(), bound_.parameters.end());
  return numbers;
}

std::vector<double> Probe::at(const Sample& sample, std::span<const Expr> values) const {
  return expr::interpret(values, symbols_, numbers_of(sample));
}

void Probe::find_forces() {
  const std::size_t nu = system_.u.size();
  const Expr zero = system_.graph->constant(0.0);
  equations::ChainMotion motion(*system_.lowering);
  const std::vector<std::string> names = model::names_of_loads(model_);
  for (std::size_t k = 0; k < model_.loads.size(); ++k) {
    const model::LoadForces of = model::forces_without_potential(model_, model_.loads[k]);
    if (of.forces.empty() && of.torques.empty() && of.generalized.empty()) continue;
    equations::Wrenches wrenches(motion);
    for (const auto& force : of.forces) wrenches.add(force);
    for (const auto& torque : of.torques) wrenches.add(torque);
    Force force{names[k], wrenches.generalized(system_), {}};
    for (const auto& one : of.generalized) {
      const Expr D = system_.lowering->scalar(one.force);
      for (const auto& [r, G] : system_.G[one.coordinate.index()]) force.Q[r] += G * D;
    }
    forces_.push_back(std::move(force));
  }
  for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
    const ConstraintId id(c);
    Force force{model_.constraints[c].name, std::vector<Expr>(nu, zero), id};
    for (std::size_t r = 0; r < nu; ++r) {
      force.Q[r] = system_.lowering->scalar(model_.terms->generalized_force(id, model::SpeedId(r)));
    }
    forces_.push_back(std::move(force));
  }
}

std::vector<double> Probe::sizes(std::optional<model::CoordinateId> along) {
  const std::size_t nu = system_.u.size();
  if (forces_at_states_.empty()) {
    std::vector<Expr> all = system_.f;
    for (const Force& force : forces_) append(all, force.Q);
    forces_at_states_ = values_->numbers(all);
  }
  const auto& Y = system_.lowering->symbols().u_by_q_dot;
  std::vector<std::size_t> speeds;  // indices of the speeds with weights
  std::vector<Expr> weights;
  for (std::size_t r = 0; r < nu; ++r) {
    if (along && (Y.empty() ? r != along->index() : Y[r][along->index()].is_zero())) continue;
    speeds.push_back(r);
    if (along && !Y.empty()) weights.push_back(Y[r][along->index()]);
  }
  const std::vector<std::vector<double>> weights_at = values_->numbers(weights);
  std::vector<double> result;
  for (std::size_t s = 0; s < samples_.size(); ++s) {
    double size = 0.0;
    for (std::size_t k = 0; k < speeds.size(); ++k) {
      const double weight = !along ? nth(samples_[s].u, speeds[k]) : weights.empty() ? 1.0 : weights_at[s][k];
      for (std::size_t i = speeds[k]; i < forces_at_states_[s].size(); i += nu)
        size += std::abs(forces_at_states_[s][i] * weight);
    }
    result.push_back(size);
  }
  return result;
}

bool Probe::is_analytic_model() {
  if (is_analytic_) return *is_analytic_;
  is_analytic_ = equations::are_analytic(equations());
  return *is_analytic_;
}

Expr Probe::rate(Expr value) const { return system_.lowering->rates({&value, 1})[0]; }

const std::vector<Probe::Slope>& Probe::slopes() {
  if (!slopes_.empty()) return slopes_;
  std::vector<Expr> x = system_.q;
  x.push_back(system_.t);
  const auto add = [&](std::string name, bool is_lagrangian, Expr function, double sign) {
    std::vector<Expr> slope = rates_.at_speeds(expr::gradient(function, x));
    for (Expr& e : slope) e = sign < 0.0 ? -e : e;
    const Expr by_time = slope.back();
    slope.pop_back();
    // A function that is piecewise constant in time has the derivative zero, but changes at its jumps.
    const bool jumps = is_zero_by_form(by_time) && !equations::is_analytic(function, {&system_.t, 1});
    slopes_.push_back({std::move(name), is_lagrangian, by_time, std::move(slope), jumps});
  };
  add("the kinetic energy", true, rates_.scalar(model::kinetic_energy(model_)), 1.0);
  const std::vector<std::string> names = model::names_of_loads(model_);
  for (std::size_t k = 0; k < model_.loads.size(); ++k) {
    const Term potential = model::potential_of(model_, model_.loads[k]);
    const auto* lagrangian = std::get_if<model::LagrangianFunction>(&model_.loads[k].what);
    if (lagrangian != nullptr) add(names[k], true, rates_.scalar(lagrangian->L), 1.0);
    if (potential.is_valid()) add(names[k], false, rates_.scalar(potential), -1.0);
  }
  return slopes_;
}

bool Probe::is_zero_by_form(Expr value) const {
  return value.is_zero() || equations::Sampler(symbols_, 1).is_generically_zero(value);
}

bool Probe::is_homogeneous(const equations::Row& row) const {
  if (!row.psi.is_valid() || std::ranges::any_of(system_.g, [](Expr g) { return !g.is_zero(); })) return false;
  const std::vector<Expr> rest(system_.u.size(), system_.graph->constant(0.0));
  const bool is_zero_at_rest = expr::substitute({&row.psi, 1}, system_.u, rest)[0].is_zero();
  if (is_zero_at_rest &&
      std::ranges::none_of(row.A.values(), [this](Expr entry) { return expr::depends_on(entry, system_.u); }))
    return true;  // linear, therefore homogeneous of degree 1
  const auto degree =
      model::degree_in_rates(model_, model_.constraint(row.constraint).rows[static_cast<std::size_t>(row.index)]);
  if (!degree) return false;
  Expr along = -(*degree * row.psi);
  for (const auto& [r, A] : row.A) along += A * system_.u[r];
  return is_zero_by_form(along);
}

bool Probe::is_homogeneous(ConstraintId id) const {
  return std::ranges::all_of(system_.rows,
                             [&](const equations::Row& row) { return !(row.constraint == id) || is_homogeneous(row); });
}

Expr Probe::ideal_power(ConstraintId id, const std::vector<Expr>& along) const {
  Expr power = system_.graph->constant(0.0);
  for (std::size_t i = 0; i < system_.rows.size(); ++i) {
    const equations::Row& row = system_.rows[i];
    if (!(row.constraint == id)) continue;
    if (row.level == model::Level::kPosition) {
      power -= system_.lambda[i] * expr::gradient(row.phi, std::vector<Expr>{system_.t})[0];
      continue;
    }
    if (is_homogeneous(row)) continue;
    Expr rate = row.psi.is_valid() ? -row.psi : system_.graph->constant(0.0);
    for (const auto& [r, A] : row.A) rate += A * along[r];
    power += system_.lambda[i] * rate;
  }
  return power;
}

std::vector<Contribution> Probe::powers() {
  std::vector<Contribution> parts;
  for (const Slope& slope : slopes()) {
    parts.push_back({slope.name + (slope.jumps_in_time ? " jumps with the time" : " depends on the time"),
                     -slope.by_time, slope.jumps_in_time});
  }
  // The power Q·q' in terms of the speeds, with u = Y q' + y.
  std::vector<Expr> along = system_.u;
  const auto& Y = system_.lowering->symbols().u_by_q_dot;
  for (std::size_t r = 0; r < Y.size(); ++r) {
    for (std::size_t i = 0; i < system_.g.size(); ++i) {
      if (!system_.g[i].is_zero()) along[r] += Y[r][i] * system_.g[i];
    }
  }
  for (const Force& force : forces_) {
    // The forces that laws for homogeneous rows add to Aᵀλ have no power (theory.md §6.3).
    if (force.constraint && (model::is_ideal(model_.constraint(*force.constraint)) ||
                             model_.constraint(*force.constraint).law->rows().are_homogeneous)) {
      parts.push_back({"the reaction of " + force.name + " works", ideal_power(*force.constraint, along)});
      continue;
    }
    Expr power = system_.graph->constant(0.0);
    for (std::size_t r = 0; r < along.size(); ++r) power += force.Q[r] * along[r];
    parts.push_back({force.constraint ? "the reaction of " + force.name + " works" : force.name + " works", power});
  }
  return parts;
}

std::vector<Contribution> Probe::forces_along(model::CoordinateId coordinate) {
  const std::size_t i = coordinate.index();
  const std::string& name = model_.coordinates[i].name;
  std::vector<Contribution> parts;
  for (const Slope& slope : slopes())
    parts.push_back({slope.name + (slope.is_lagrangian ? " holds " : " acts along ") + name, slope.by_place[i]});
  const auto& Y = system_.lowering->symbols().u_by_q_dot;
  for (const Force& force : forces_) {
    Expr along = system_.graph->constant(0.0);
    for (std::size_t r = 0; r < Y.size(); ++r) along += Y[r][i] * force.Q[r];
    if (Y.empty()) along = force.Q[i];
    parts.push_back({(force.constraint ? "the reaction of " : "") + force.name + " acts along " + name, along});
  }
  return parts;
}

// The contributions of loads come first, followed by one contribution per constraint.
Contribution& Probe::of_constraint(std::vector<Contribution>& powers, ConstraintId constraint) const {
  return powers[powers.size() - model_.constraints.size() + constraint.index()];
}

/// Whether a value that is not 0 by its form vanishes at the sampled states, for the current values of the parameters.
/// The value is compared with its own terms. A value that contains reactions is compared with all forces, because a
/// reaction may consist of rounding only.
bool Probe::vanishes_at_states(const ValuesAtStates::Known& value, const std::vector<double>& sizes, bool are_exact) {
  if (value.vanishes) return *value.vanishes;
  bool was_seen = false;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    if (!are_exact && value.is_saturated[s] != 0) continue;
    was_seen = true;
    if (!(std::abs(value.numbers[s]) <= tolerance::kConditioned * sizes[s])) return false;
  }
  return was_seen;
}

void Probe::look_at(const std::vector<std::vector<Contribution>>& parts) {
  std::vector<Expr> values;
  for (const std::vector<Contribution>& some : parts) {
    for (const Contribution& part : some) values.push_back(part.value);
  }
  values_->look_at(values);
}

Verdict Probe::judge(const std::vector<Contribution>& parts, const std::vector<double>& sizes) {
  look_at({parts});
  std::vector<const ValuesAtStates::Known*> known;
  for (const Contribution& part : parts) known.push_back(&values_->of(part.value));
  const auto size_of = [&](std::size_t s) {
    double size = 0.0;
    for (const auto* part : known) size += std::abs(part->numbers[s]);
    return size;
  };
  std::vector<double> all_sizes = sizes;
  for (std::size_t s = 0; s < samples_.size(); ++s) all_sizes[s] = std::max(all_sizes[s], size_of(s));
  Verdict verdict;
  verdict.is_by_form = true;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].jumps) {
      verdict.reasons.push_back(parts[k].if_not_zero);
      continue;
    }
    if (parts[k].value.is_zero() || known[k]->is_generically_zero) continue;
    verdict.is_by_form = false;
    const bool is_zero = vanishes_at_states(*known[k], all_sizes, is_free());
    if (is_zero && is_same_everywhere(parts[k].value)) continue;
    verdict.reasons.push_back(parts[k].if_not_zero +
                              (is_zero ? " elsewhere, perhaps: it contains tables or conditions" : ""));
  }
  verdict.holds = verdict.reasons.empty();
  if (verdict.holds || std::ranges::any_of(parts, &Contribution::jumps)) return verdict;
  // Several nonzero contributions may still have the sum zero.
  bool was_seen = false;
  for (std::size_t s = 0; s < samples_.size(); ++s) {
    double sum = 0.0;
    bool is_saturated = false;
    for (const auto* part : known) {
      sum += part->numbers[s];
      is_saturated |= part->is_saturated[s] != 0;
    }
    if (is_saturated) continue;
    if (!(std::abs(sum) <= tolerance::kConditioned * size_of(s))) return verdict;
    was_seen = true;
  }
  const auto is_everywhere = [this](const Contribution& part) { return is_same_everywhere(part.value); };
  if (was_seen && std::ranges::all_of(parts, is_everywhere)) verdict = {true, {}, true};
  return verdict;
}

}  // namespace vinculum::sim::invariants

#include "vinculum/sim/invariants/invariants_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/dynamics/derive.hpp"
#include "vinculum/dynamics/kane.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/mechanics/inspect/inspection.hpp"
#include "vinculum/mechanics/inspect/load_power.hpp"
#include "vinculum/sim/plant/random_states.hpp"
#include "vinculum/sim/plant/report_symbols.hpp"
#include "vinculum/sim/run/friction_state.hpp"
#include "vinculum/sim/start/assembly.hpp"

namespace vinculum::sim::invariants {
namespace {

using expr::Expr;
using mechanics::ConstraintId;
using mechanics::Term;

constexpr unsigned kSeeds = 3;  // of three states each

using vinculum::sim::append;
void append(std::vector<double>& all, const Vector& more) {
  all.insert(all.end(), more.data(), more.data() + more.size());
}

}  // namespace

Probe::Probe(const CompiledModel& compiled, dynamics::System& system)
    : compiled_(compiled), model_(*compiled.model), system_(system), rates_(system) {
  symbols_ = report_symbols(system);
  append(symbols_, system.parameters);
  // Dynamics shares what it reads; the model outlives it here.
  Dynamics dynamics(std::shared_ptr<const CompiledModel>(std::shared_ptr<void>(), &compiled));
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const auto states = random_states(compiled, seed, compiled.parameters);
    if (!states) continue;
    for (std::vector<double> values : states->values) {
      Sample sample;
      if (!settle_friction(dynamics, values[0], values.data() + 1)) continue;
      if (dynamics.report(values[0], values.data() + 1, sample)) samples_.push_back(std::move(sample));
    }
  }
  add_states_near_the_start(dynamics);
  find_forces();
  power_sizes_ = sizes({});
}

/// Random states know no units: speeds that dwarf all forces would hide them. These have the sizes of the motion.
void Probe::add_states_near_the_start(Dynamics& dynamics) {
  constexpr double kShare = 0.3;
  const auto start = assemble(dynamics);
  if (!start) return;
  std::mt19937_64 random(20020901);
  std::uniform_real_distribution<double> uniform(-kShare, kShare);
  for (unsigned k = 0; k <= kSeeds; ++k) {
    Vector y(start->q.size() + start->u.size() + start->z.size());
    y << start->q, start->u, start->z;
    for (Eigen::Index i = 0; k > 0 && i < start->q.size() + start->u.size(); ++i) {
      const bool is_coordinate = i < start->q.size();
      y[i] += uniform(random) * (is_coordinate && y[i] == 0.0 ? 1.0 : std::abs(y[i]));
    }
    Sample sample;
    if (!dynamics.project(start->t0, y.data()) || !settle_friction(dynamics, start->t0, y.data())) continue;
    if (dynamics.report(start->t0, y.data(), sample)) samples_.push_back(std::move(sample));
  }
}

std::vector<double> Probe::at(const Sample& sample, std::span<const Expr> values) const {
  std::vector<double> numbers;
  read_report_numbers(sample, numbers);
  numbers.insert(numbers.end(), compiled_.parameters.begin(), compiled_.parameters.end());
  return expr::interpret(values, symbols_, numbers);
}

void Probe::find_forces() {
  const std::size_t nu = system_.u.size();
  const Expr zero = system_.graph->constant(0.0);
  dynamics::ChainMotion motion(*system_.lowering);
  const std::vector<std::string> names = mechanics::names_of_loads(model_);
  for (std::size_t k = 0; k < model_.loads.size(); ++k) {
    const mechanics::LoadForces of = mechanics::forces_without_potential(model_, model_.loads[k]);
    if (of.forces.empty() && of.torques.empty() && of.generalized.empty()) continue;
    dynamics::Wrenches wrenches(motion);
    for (const auto& force : of.forces) wrenches.add(force);
    for (const auto& torque : of.torques) wrenches.add(torque);
    Force force{names[k], wrenches.generalized(system_), {}};
    for (const auto& one : of.generalized) {
      const Expr D = system_.lowering->scalar(one.force);
      for (std::size_t r = 0; r < nu; ++r) force.Q[r] += system_.G[one.coordinate.index()][r] * D;
    }
    forces_.push_back(std::move(force));
  }
  for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
    const ConstraintId id(c);
    Force force{model_.constraints[c].name, std::vector<Expr>(nu, zero), id};
    for (std::size_t r = 0; r < nu; ++r) {
      force.Q[r] = system_.lowering->scalar(model_.terms->generalized_force(id, mechanics::SpeedId(r)));
    }
    forces_.push_back(std::move(force));
  }
}

std::vector<double> Probe::sizes(std::optional<mechanics::CoordinateId> along) const {
  const std::size_t nu = system_.u.size();
  std::vector<Expr> all = system_.f;
  for (const Force& force : forces_) append(all, force.Q);
  const auto& Y = system_.lowering->symbols().u_by_q_dot;
  for (std::size_t r = 0; along && r < nu; ++r) {
    all.push_back(Y.empty() ? system_.graph->constant(r == along->index() ? 1.0 : 0.0) : Y[r][along->index()]);
  }
  std::vector<double> result;
  for (const Sample& sample : samples_) {
    const std::vector<double> values = at(sample, all);
    const std::size_t count = values.size() - (along ? nu : 0);
    double size = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      size += std::abs(values[i] * (along ? values[count + i % nu] : nth(sample.u, i % nu)));
    }
    result.push_back(size);
  }
  return result;
}

Verdict Probe::judge_forces(const std::vector<Contribution>& parts, mechanics::CoordinateId along) const {
  return judge(parts, sizes(along));
}

bool Probe::is_analytic_model() {
  if (is_analytic_) return *is_analytic_;
  std::vector<Expr> all = system_.q_dot;
  for (const auto* some : {&system_.M, &system_.f, &system_.C, &system_.z_dot}) append(all, *some);
  for (const dynamics::Row& row : system_.rows) {
    append(all, row.A);
    all.push_back(row.b);
  }
  for (const auto& reaction : system_.directed) {
    for (const auto& direction : reaction.Gamma) append(all, direction);
  }
  is_analytic_ = std::ranges::all_of(all, [](Expr e) { return dynamics::is_analytic(e); });
  return *is_analytic_;
}

Expr Probe::rate(Expr value) const { return system_.lowering->rates({&value, 1})[0]; }

bool Probe::is_constant(Expr value) const {
  std::vector<Expr> x{system_.t};
  append(x, system_.q);
  append(x, system_.u);
  append(x, system_.z);
  const std::vector<Expr> gradient = expr::gradient(value, x);
  return std::ranges::all_of(samples_, [&](const Sample& sample) {
    std::vector<double> rates{1.0};
    append(rates, sample.q_dot);
    append(rates, sample.reaction.u_dot());
    append(rates, sample.z_dot);
    const std::vector<double> slope = at(sample, gradient);
    // A rate that is nothing but rounding is measured by the value over the time in which the state changes.
    std::vector<double> state{0.0};
    append(state, sample.q);
    append(state, sample.u);
    append(state, sample.z);
    const auto largest = [](const std::vector<double>& of) {
      double most = 0.0;
      for (std::size_t i = 1; i < of.size(); ++i) most = std::max(most, std::abs(of[i]));
      return most;
    };
    const double most = largest(state), pace = most > 0.0 ? largest(rates) / most : 0.0;
    double sum = 0.0, size = 0.0;
    for (std::size_t i = 0; i < slope.size(); ++i) {
      sum += slope[i] * rates[i];
      size += std::abs(slope[i]) * std::max(std::abs(rates[i]), pace * std::abs(state[i]));
    }
    return std::abs(sum) <= tolerance::kConditioned * size;
  });
}

bool Probe::vanishes(Expr value) const {
  if (value.is_zero()) return true;
  std::vector<Expr> x = system_.q;
  append(x, system_.u);
  const dynamics::Sampler sampler(symbols_, 1);
  if (sampler.is_generically_zero(value)) return true;
  std::vector<Expr> all = expr::gradient(value, x);
  all.push_back(value);
  return std::ranges::all_of(samples_, [&](const Sample& sample) {
    const std::vector<double> values = at(sample, all);
    double size = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      size += std::abs(values[i] * (k < sample.q.size() ? sample.q[k] : sample.u[k - sample.q.size()]));
    }
    return std::abs(values.back()) <= tolerance::kIdentity * size;
  });
}

bool Probe::is_among(Expr value, const std::vector<Expr>& others) const {
  std::vector<Expr> x = system_.q;
  append(x, system_.u);
  append(x, system_.z);
  const std::vector<Expr> slope = expr::gradient(value, x);
  return std::ranges::any_of(others, [&](Expr other) {
    const std::vector<Expr> its = expr::gradient(other, x);
    return std::ranges::all_of(samples_, [&](const Sample& sample) {
      const std::vector<double> a = at(sample, slope), b = at(sample, its);
      const auto u = Eigen::Map<const Vector>(a.data(), static_cast<Eigen::Index>(a.size()));
      const auto v = Eigen::Map<const Vector>(b.data(), static_cast<Eigen::Index>(b.size()));
      const double along = u.dot(v), length = u.norm() * v.norm();
      return std::abs(std::abs(along) - length) <= tolerance::kGeneric * length;
    });
  });
}

const std::vector<Probe::Slope>& Probe::slopes() {
  if (!slopes_.empty()) return slopes_;
  std::vector<Expr> x = system_.q;
  x.push_back(system_.t);
  const auto add = [&](std::string name, bool is_lagrangian, Expr function, double sign) {
    std::vector<Expr> slope = rates_.at_speeds(expr::gradient(function, x));
    for (Expr& e : slope) e = sign < 0.0 ? -e : e;
    const Expr by_time = slope.back();
    slope.pop_back();
    slopes_.push_back({std::move(name), is_lagrangian, by_time, std::move(slope)});
  };
  add("the kinetic energy", true, rates_.scalar(mechanics::kinetic_energy(model_)), 1.0);
  const std::vector<std::string> names = mechanics::names_of_loads(model_);
  for (std::size_t k = 0; k < model_.loads.size(); ++k) {
    const Term potential = mechanics::potential_of(model_, model_.loads[k]);
    const auto* lagrangian = std::get_if<mechanics::LagrangianFunction>(&model_.loads[k].what);
    if (lagrangian != nullptr) add(names[k], true, rates_.scalar(lagrangian->L), 1.0);
    if (potential.is_valid()) add(names[k], false, rates_.scalar(potential), -1.0);
  }
  return slopes_;
}

bool Probe::is_ideal(ConstraintId id) const { return mechanics::is_ideal(model_.constraint(id)); }

bool Probe::is_homogeneous(const dynamics::Row& row) const {
  if (!row.psi.is_valid() || std::ranges::any_of(system_.g, [](Expr g) { return !g.is_zero(); })) return false;
  const std::vector<Expr> rest(system_.u.size(), system_.graph->constant(0.0));
  if (!expr::substitute({&row.psi, 1}, system_.u, rest)[0].is_zero()) return false;
  return std::ranges::none_of(row.A, [this](Expr entry) { return expr::depends_on(entry, system_.u); });
}

Expr Probe::ideal_power(ConstraintId id, const std::vector<Expr>& along) const {
  Expr power = system_.graph->constant(0.0);
  for (std::size_t i = 0; i < system_.rows.size(); ++i) {
    const dynamics::Row& row = system_.rows[i];
    if (!(row.constraint == id)) continue;
    if (row.level == mechanics::Level::kPosition) {
      power -= system_.lambda[i] * expr::gradient(row.phi, std::vector<Expr>{system_.t})[0];
      continue;
    }
    if (is_homogeneous(row)) continue;
    Expr rate = row.psi.is_valid() ? -row.psi : system_.graph->constant(0.0);
    for (std::size_t r = 0; r < along.size(); ++r) rate += row.A[r] * along[r];
    power += system_.lambda[i] * rate;
  }
  return power;
}

std::vector<Contribution> Probe::powers() {
  std::vector<Contribution> parts;
  for (const Slope& slope : slopes()) parts.push_back({slope.name + " depends on the time", -slope.by_time});
  // Q·q' = Q_u·(u + Y g) with u = Y q' + … .
  std::vector<Expr> along = system_.u;
  const auto& Y = system_.lowering->symbols().u_by_q_dot;
  for (std::size_t r = 0; r < Y.size(); ++r) {
    for (std::size_t i = 0; i < system_.g.size(); ++i) {
      if (!system_.g[i].is_zero()) along[r] += Y[r][i] * system_.g[i];
    }
  }
  for (const Force& force : forces_) {
    if (force.constraint && is_ideal(*force.constraint)) {
      parts.push_back({"the reaction of " + force.name + " works", ideal_power(*force.constraint, along)});
      continue;
    }
    Expr power = system_.graph->constant(0.0);
    for (std::size_t r = 0; r < along.size(); ++r) power += force.Q[r] * along[r];
    parts.push_back({force.constraint ? "the reaction of " + force.name + " works" : force.name + " works", power});
  }
  return parts;
}

std::vector<Contribution> Probe::forces_along(mechanics::CoordinateId coordinate) {
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

// Loads come first, constraints last, all of them.
void Probe::add_to_constraint(std::vector<Contribution>& powers, ConstraintId constraint, Expr power) {
  powers[powers.size() - model_.constraints.size() + constraint.index()].value += power;
}
void Probe::set_of_constraint(std::vector<Contribution>& powers, ConstraintId constraint, Expr power) {
  powers[powers.size() - model_.constraints.size() + constraint.index()].value = power;
}

Verdict Probe::judge(const std::vector<Contribution>& parts, const std::vector<double>& sizes) const {
  std::vector<Expr> values;
  for (const Contribution& part : parts) values.push_back(part.value);
  std::vector<std::vector<double>> numbers;
  for (const Sample& sample : samples_) numbers.push_back(at(sample, values));
  const dynamics::Sampler sampler(symbols_, 1);
  const bool are_analytic = std::ranges::all_of(values, [](Expr e) { return dynamics::is_analytic(e); });
  const auto size_of = [&](std::size_t s) {
    double size = 0.0;
    for (const double x : numbers[s]) size += std::abs(x);
    return size;
  };
  Verdict verdict;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (values[k].is_zero() || sampler.is_generically_zero(values[k])) continue;
    const bool is_of_reactions =
        expr::depends_on(values[k], system_.lambda) || expr::depends_on(values[k], system_.u_dot) ||
        expr::depends_on(values[k], system_.lambda_ideal) || expr::depends_on(values[k], system_.effort);
    const double tolerance = is_of_reactions ? tolerance::kConditioned : tolerance::kRounded;
    bool is_zero = true;
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      is_zero = is_zero && std::abs(numbers[s][k]) <= tolerance * std::max(sizes[s], size_of(s));
    }
    if (is_zero && dynamics::is_analytic(values[k])) continue;
    verdict.reasons.push_back(parts[k].if_not_zero +
                              (is_zero ? " elsewhere, perhaps: it holds tables or conditions" : ""));
  }
  verdict.holds = verdict.reasons.empty();
  if (verdict.holds || !are_analytic) return verdict;
  // Several may balance each other.
  bool do_balance = true;
  for (std::size_t s = 0; s < samples_.size(); ++s) {
    double sum = 0.0;
    for (const double x : numbers[s]) sum += x;
    do_balance = do_balance && std::abs(sum) <= tolerance::kConditioned * size_of(s);
  }
  if (do_balance) verdict = {true, {}};
  return verdict;
}

}  // namespace vinculum::sim::invariants

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/equations/describe.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/hamiltonian.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/inspect/variation.hpp"
#include "vinculum/motion/report_numbers.hpp"
#include "vinculum/report/explained.hpp"

namespace vinculum::report {
namespace {

using expr::Expr;
using model::Level;
using model::Model;
using model::Term;

constexpr double kMultipleOfResidual = 1e3;

bool acts_in(const sim::Sample& sample, std::size_t row) { return row >= sample.acts.size() || sample.acts[row] != 0; }

/// Whether each row acts in at least one of the states. If some row does not, no state shows a motion with its
/// reaction. Then it cannot be concluded that any other row needs no force.
bool every_row_acts_somewhere(const equations::System& system, const std::vector<sim::Sample>& states) {
  for (std::size_t row = 0; row < system.rows.size(); ++row) {
    if (std::ranges::none_of(states, [&](const sim::Sample& sample) { return acts_in(sample, row); })) return false;
  }
  return true;
}

/// Returns the terms of Σ v·W + Σ ω·τ, and the terms of a row in coordinates: coefficients times speeds.
std::vector<Expr> homogeneous_parts(equations::System& system, const equations::Row& row) {
  const Model& model = *system.model;
  model::TermPool& pool = *model.terms;
  const auto k = static_cast<std::size_t>(row.index);
  const model::RowInspection inspection = model::inspect_row(model, row.constraint, k);
  std::vector<Expr> parts;
  const auto add = [&](Term part) { parts.push_back(equations::lower(system, part)[0]); };
  for (const auto& force : inspection.forces) add(pool.dot(force.W, pool.velocity(force.point, Model::newtonian())));
  for (const auto& torque : inspection.torques)
    add(pool.dot(torque.tau, pool.angular_velocity(torque.body, Model::newtonian())));
  if (!inspection.has_bare_part) return parts;
  const std::vector<Expr> bare = equations::bare_part(system, row);
  for (std::size_t r = 0; r < bare.size(); ++r) parts.push_back(bare[r] * system.u[r]);
  return parts;
}

/// Whether the sum of numbers[1], numbers[2], … is 0 at a state with ψ = 0; numbers[0] is ψ. Returns nullopt if ψ is
/// not 0 at this state. A single term may be a rounding error, for example if W is perpendicular to the velocity of its
/// point.
std::optional<bool> vanishes_with(const std::vector<Rounded>& numbers) {
  double sum = 0.0, size = 0.0, noise = 0.0;  // numbers[0] is ψ
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    sum += numbers[i].value;
    size += std::abs(numbers[i].value);
    noise += numbers[i].error;
  }
  const double psi = std::abs(numbers[0].value);
  if (!std::isfinite(sum) || psi > tolerance::kConditioned * size + numbers[0].error) return std::nullopt;
  // If the sum is ψ itself, it is not exactly 0, but as small as the residual of ψ at this state.
  return std::abs(sum) <= tolerance::kAtStates * size + noise || std::abs(sum) <= kMultipleOfResidual * psi;
}

/// Terms of the resultant force of a row on its points, and of the resultant moment about the newtonian origin, which
/// includes the torques.
struct Resultants {
  std::vector<Term> forces, moments;

  Resultants(equations::System& system, const equations::Row& row) {
    const Model& model = *system.model;
    model::TermPool& pool = *model.terms;
    const auto inspection =
        model::without_ground(model, model::inspect_row(model, row.constraint, static_cast<std::size_t>(row.index)));
    for (const auto& [point, W] : inspection.forces) {
      forces.push_back(W);
      moments.push_back(pool.cross(pool.position(point, system.lowering->tree().origin_of(point)), W));
    }
    for (const auto& [body, tau] : inspection.torques) moments.push_back(tau);
  }
};

/// Whether the sum of the vectors is zero relative to the largest of them.
bool add_up_to_nothing(const Reported& at, const std::vector<Term>& parts) {
  std::array<double, 3> sum{};
  double size = 0.0;
  for (const Term part : parts) {
    const std::array<double, 3> v = at.vector(part);
    for (std::size_t i = 0; i < 3; ++i) {
      sum[i] += v[i];
      size = std::max(size, std::abs(v[i]));
    }
  }
  return std::ranges::all_of(sum, [size](double x) { return std::abs(x) <= tolerance::kAtStates * size; });
}

/// Finds whether the forces of a row balance at states on the constraints. At other states they need not: `pos(Q, P) =
/// 0` exerts opposite forces on two points that coincide only if the constraint is satisfied.
void judge_balance(equations::System& system, const equations::Row& row, const std::vector<Reported>& states,
                   RowFindings& findings) {
  const Resultants of(system, row);
  if (of.moments.size() < 2 || states.empty()) return;
  const auto balance = [](const std::vector<Term>& parts) {
    return [&parts](const Reported& at) { return add_up_to_nothing(at, parts); };
  };
  findings.is_internal = std::ranges::all_of(states, balance(of.forces));
  findings.is_balanced = findings.is_internal && std::ranges::all_of(states, balance(of.moments));
}

}  // namespace

Reported::Reported(equations::System& system, std::span<const double> parameters, const sim::Sample& sample)
    : system_(system), symbols_(sim::report_symbols(system)) {
  sim::read_report_numbers(sample, values_);
  symbols_.insert(symbols_.end(), system.parameters.begin(), system.parameters.end());
  values_.insert(values_.end(), parameters.begin(), parameters.end());
}

std::vector<double> Reported::of(std::span<const expr::Expr> values) const {
  return expr::interpret(values, symbols_, values_);
}

std::vector<Rounded> Reported::rounded(std::span<const expr::Expr> values) const {
  return expr::interpret_with_noise(values, symbols_, values_);
}

std::vector<Rounded> Reported::with_speeds(std::span<const expr::Expr> values, std::span<const Rounded> u) const {
  std::vector<Rounded> numbers(values_.begin(), values_.end());
  std::ranges::copy(u, numbers.begin() + 1 + system_.nq());
  return expr::interpret_with_noise(values, symbols_, numbers);
}

std::vector<double> Reported::of(model::Term term) const { return of(equations::lower_known(system_, term)); }

std::array<double, 3> Reported::vector(model::Term term) const {
  const std::vector<double> v = of(term);
  return {v[0], v[1], v[2]};
}

namespace {

/// Returns the larger of two scales: the largest work of loads and inertia forces along typical displacements, and the
/// largest kinetic energy. The kinetic energy is the scale for motions without forces.
double size_of_forces(const equations::System& system, const Reported& at, const sim::Sample& sample,
                      const Vector& displacement) {
  std::vector<Expr> loads = system.f;
  for (std::size_t r = 0; r < loads.size(); ++r) loads[r] += system.C[r];
  const std::vector<double> forces = at.of(loads), M = at.of(system.M);
  const Vector u_dot = sample.reaction.u_dot();
  double size = 0.0;
  for (std::size_t r = 0; r < forces.size(); ++r) {
    const double along = displacement[static_cast<Eigen::Index>(r)];
    size = std::max(size, std::abs(forces[r]) * along);
    for (std::size_t s = 0; s < forces.size(); ++s) {
      const auto of = static_cast<Eigen::Index>(s);
      const double inertia = M[r * forces.size() + s];
      size = std::max({size, std::abs(inertia * u_dot[of]) * along,
                       std::abs(inertia * sample.u[of] * sample.u[static_cast<Eigen::Index>(r)])});
    }
  }
  return size;
}

}  // namespace

std::vector<RowFindings> find_of_rows(equations::System& system, std::span<const double> parameters,
                                      const std::vector<sim::Sample>& states, const Vector& displacement) {
  const Model& model = *system.model;
  std::vector<RowFindings> findings(system.rows.size());
  std::vector<Reported> reported;
  for (const sim::Sample& sample : states) reported.emplace_back(system, parameters, sample);
  const bool has_all_acting = every_row_acts_somewhere(system, states);
  std::vector<double> sizes(states.size(), -1.0);  // computed for the first row that needs them
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const equations::Row& row = system.rows[i];
    if (row.level == Level::kVelocity && model.constraint(row.constraint).law->actuators().empty()) {
      std::vector<Expr> parts = homogeneous_parts(system, row);
      parts.insert(parts.begin(), row.psi);
      for (std::size_t k = 0; k < reported.size(); ++k) {
        if (!acts_in(states[k], i)) continue;
        const std::optional<bool> vanishes = vanishes_with(reported[k].rounded(parts));
        if (vanishes) findings[i].is_direction_only = findings[i].is_direction_only.value_or(true) && *vanishes;
      }
    }
    if (model.constraint(row.constraint).law->actuators().empty()) judge_balance(system, row, reported, findings[i]);
    if (!model.constraint(row.constraint).law->is_ideal()) continue;
    bool needs_force = false, is_tried = false;
    for (std::size_t k = 0; k < states.size(); ++k) {
      if (!acts_in(states[k], i)) continue;  // at this state λ is 0, even if the row needs a force while it acts
      if (states[k].row_unique[i] == 0) {
        needs_force = true;  // λ is not unique: the row is redundant, but it may need a force
        break;
      }
      const std::vector<double> gradient = reported[k].of(row.A.values());
      const double lambda = states[k].reaction.lambda()[static_cast<Eigen::Index>(i)];
      double force = 0.0;
      auto entry = gradient.begin();
      for (const auto& [r, A] : row.A)
        force = std::max(force, std::abs(lambda * *entry++) * displacement[static_cast<Eigen::Index>(r)]);
      if (sizes[k] < 0.0) sizes[k] = size_of_forces(system, reported[k], states[k], displacement);
      is_tried = is_tried || sizes[k] > 0.0;
      needs_force = needs_force || force > tolerance::kConditioned * sizes[k];
    }
    findings[i].is_integral = is_tried && !needs_force && has_all_acting;
  }
  return findings;
}

}  // namespace vinculum::report

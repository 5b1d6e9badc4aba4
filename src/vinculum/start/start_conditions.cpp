#include "vinculum/start/start_conditions.hpp"

#include <fmt/format.h>

#include "vinculum/base/index.hpp"
#include "vinculum/expr/interpreter.hpp"

namespace vinculum::sim {
namespace {

using On = model::StartCondition::On;

std::vector<expr::Expr> symbols_of(const equations::System& system) {
  std::vector<expr::Expr> symbols{system.t};
  symbols.insert(symbols.end(), system.q.begin(), system.q.end());
  symbols.insert(symbols.end(), system.u.begin(), system.u.end());
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  return symbols;
}

std::vector<double> evaluate(const Binding& bound, const std::vector<expr::Expr>& roots, double t, const Vector& q) {
  std::vector<double> values{t};
  values.insert(values.end(), q.begin(), q.end());
  values.insert(values.end(), static_cast<std::size_t>(bound->nu()), 0.0);
  values.insert(values.end(), bound.parameters.begin(), bound.parameters.end());
  return expr::interpret(roots, symbols_of(*bound->system), values);
}

/// Returns the index of the speed that equals q_i' of the given coordinate; −1 if there is none.
int speed_of_rate(const equations::System& system, std::uint32_t coordinate) {
  for (int j = 0; j < system.nu(); ++j) {
    if (system.q_dot[coordinate] == nth(system.u, j)) return j;
  }
  return -1;
}

}  // namespace

StartConditions sort_start_conditions(const Binding& bound) {
  StartConditions sorted;
  const auto& starts = bound->model->starts;
  for (std::size_t s = 0; s < starts.size(); ++s) {
    StartConditions::Condition condition{static_cast<int>(s), static_cast<int>(starts[s].index),
                                         starts[s].kind == model::StartKind::kHeld, false};
    for (const expr::Entry& entry : bound->start_gradient) {
      if (entry.row == condition.start) condition.uses_q = true;
    }
    if (starts[s].on == On::kCoordinate) {
      sorted.coordinates.push_back(condition);
    } else if (starts[s].on == On::kHigherRate) {
      sorted.higher.push_back(condition);
    } else if (starts[s].on == On::kNonlinearSpeed) {
      sorted.nonlinear.push_back(condition);
    } else if (starts[s].on == On::kSpeed) {
      sorted.speeds.push_back(condition);
    } else if (const int speed = speed_of_rate(*bound->system, starts[s].index); speed >= 0) {
      condition.target = speed;
      sorted.speeds.push_back(condition);
    } else {
      sorted.rates.push_back(condition);
    }
  }
  return sorted;
}

Vector evaluate_start_values(const Binding& bound, double t, const Vector& q) {
  const std::vector<double> values = evaluate(bound, bound->start_values, t, q);
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Vector evaluate_state_starts(const Binding& bound, double t, const Vector& q) {
  const std::vector<double> values = evaluate(bound, bound->state_starts, t, q);
  Vector z = Vector::Zero(bound->nz());
  std::copy(values.begin(), values.end(), z.data());
  return z;
}

Matrix evaluate_start_gradient(const Binding& bound, double t, const Vector& q) {
  Matrix gradient = Matrix::Zero(static_cast<Eigen::Index>(bound->start_values.size()), bound->nq());
  std::vector<expr::Expr> roots;
  for (const expr::Entry& entry : bound->start_gradient) roots.push_back(entry.value);
  const std::vector<double> values = evaluate(bound, roots, t, q);
  for (std::size_t k = 0; k < values.size(); ++k) {
    gradient(bound->start_gradient[k].row, bound->start_gradient[k].column) = values[k];
  }
  return gradient;
}

std::string condition_text(const Binding& bound, int start, double value) {
  const model::StartCondition& condition = nth(bound->model->starts, start);
  const model::Model& model = *bound->model;
  const std::string& name = condition.on == On::kSpeed            ? model.speeds[condition.index].name
                            : condition.on == On::kNonlinearSpeed ? model.nonlinear_speeds[condition.index].speed.name
                                                                  : model.coordinates[condition.index].name;
  const bool is_rate = condition.on == On::kCoordinateRate || condition.on == On::kHigherRate;
  return fmt::format("{}{} {} {:.6g}", name, std::string(is_rate ? static_cast<std::size_t>(condition.order) : 0, '\''),
                     condition.kind == model::StartKind::kHeld ? "=" : "~", value);
}

}  // namespace vinculum::sim

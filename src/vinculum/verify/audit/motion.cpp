// Checks the speeds, the constraints, A u' = b and M u' = f + Q.
#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/nonlinear_speeds.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/motion/report_numbers.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

using model::Level;

std::string row_name(const Case& of, std::size_t row) { return of.bound->row_name(static_cast<int>(row)); }

/// Checks that a row that is identically 0 has the multiplier 0, because reported multipliers have least norm. A
/// balance of forces would not detect a wrong multiplier: its force is only rounding.
void see_zero_rows(Judge& judge, const Case& of, const Evidence& e) {
  if (of.bound->system->higher) return;
  for (Eigen::Index i = 0; i < e.at.A.rows(); ++i) {
    if (nth(e.at.is_directed, i) != 0 || !e.at.is_zero_row(i)) continue;
    const bool has_one = e.at.lambda[i].value != 0.0 || e.at.lambda_ideal[i].value != 0.0;
    judge.see(has_one ? 1.0 : 0.0, 1.0, e.sample.t,
              row_name(of, static_cast<std::size_t>(i)) + ", the multiplier of a row that is 0 = 0");
  }
}

Vector magnitudes(const RoundedVector& all) { return values_of(all).cwiseAbs(); }

/// Residual of a row that a projection may leave: of the row at its own level (`of_places`), and of the rate of a
/// position row (`of_speeds`). It is the limit of the projection, relative to the typical magnitudes of the variables
/// that the projection changes.
struct LeftOver {
  double of_places = 0.0, of_speeds = 0.0;
};
LeftOver left_over(const Case& of, const Evidence& e, Eigen::Index row) {
  return {tolerance::kStagnation * magnitudes(e.at.phi_q.row(row).transpose()).dot(of.scales.q),
          tolerance::kStagnation * magnitudes(e.at.A.row(row).transpose()).dot(of.scales.u)};
}

/// Returns the share of A u' − b that the violation of an integral row explains. No force keeps such a row: A u' = b is
/// true only where its residual is 0, and the projection makes the residual 0 only relative to typical speeds. If the
/// motion has decayed below typical speeds, A u' − b is compared with the change that A u' − b has if the speeds are
/// moved until the row is satisfied. The limit is twice this change, because the change is computed to first order
/// only.
/// \param missed  residual of the row in terms of speeds
double by_violation(const Case& of, const Evidence& e, Eigen::Index row, double missed) {
  if (nth(of.bound.embedding(), row) != sim::Embedding::kIntegral || missed == 0.0) return 0.0;
  const Vector A = values_of(e.at.A.row(row).transpose()), toward = of.scales.u.cwiseAbs2().cwiseProduct(A);
  if (!(A.dot(toward) > 0.0)) return 0.0;
  Sample moved = e.sample;
  moved.u -= missed / A.dot(toward) * toward;
  const Equations at(of.bound, moved);
  const Vector force = values_of(at.f + at.C) - values_of(e.at.f + e.at.C);
  const Vector u_dot = e.sample.reaction.u_dot();
  const Vector u_dot_moved = u_dot + Matrix(values_of(at.M)).completeOrthogonalDecomposition().solve(force);
  const double here = A.dot(u_dot) - e.at.b[row].value;
  const double there = values_of(at.A.row(row)).dot(u_dot_moved) - at.b[row].value;
  return 2.0 * std::abs(here - there);
}

/// Computes the scales of the conditions c of a row: Σ |∂c/∂q| and Σ |∂c/∂z| times the typical changes of q and z.
std::vector<double> sizes_of_conditions(const Case& of, const Evidence& e, const equations::Row& row) {
  const equations::System& system = *of.bound->system;
  std::vector<expr::Expr> x = system.q, symbols = sim::report_symbols(system), slopes;
  x.insert(x.end(), system.z.begin(), system.z.end());
  for (const expr::Expr condition : row.conditions) {
    const std::vector<expr::Expr> slope = expr::gradient(condition, x);
    slopes.insert(slopes.end(), slope.begin(), slope.end());
  }
  std::vector<double> numbers;
  sim::read_report_numbers(e.sample, numbers);
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  numbers.insert(numbers.end(), of.bound.parameters.begin(), of.bound.parameters.end());
  const std::vector<double> values = expr::interpret(slopes, symbols, numbers);
  Vector change(static_cast<Eigen::Index>(x.size()));
  change << of.scales.q, of.scales.z;
  std::vector<double> sizes;
  for (std::size_t k = 0; k < row.conditions.size(); ++k)
    sizes.push_back(Eigen::Map<const Vector>(values.data() + k * x.size(), change.size()).cwiseAbs().dot(change));
  return sizes;
}

/// Judges the conditions of a row whose relation contains states. The engine enforces a derivative of that relation;
/// the relation and its lower derivatives are the conditions, and must be 0. A projection satisfies them in the same
/// way as rows at position level (theory.md §6.10).
void see_conditions(const Case& of, Evidence& e, std::size_t row, Judge& judge) {
  const equations::Row& kept = of.bound->system->rows[row];
  if (kept.conditions.empty()) return;
  const model::Term stated = nth(e.model.constraint(kept.constraint).rows, kept.index);
  const std::vector<double> sizes = sizes_of_conditions(of, e, kept);
  const model::Series series = e.now().series(stated);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    judge.see(series.derivative(static_cast<int>(k)), sizes[k], e.sample.t,
              fmt::format("{}, differentiated {} times", row_name(of, row), k), tolerance::kStagnation * sizes[k]);
  }
}

}  // namespace

Laws laws_of(const model::Model& model) {
  Laws laws;
  for (const model::Constraint& constraint : model.constraints) {
    if (!constraint.law->actuators().empty()) {
      laws.has_directed = true;
    } else if (!constraint.law->is_ideal()) {
      laws.has_other = true;
    }
  }
  return laws;
}

/// Speeds that are not affine in q': compares their reported values with their definitions, and their reported rates
/// with the rates that follow from the other speeds.
void see_nonlinear_speeds(const sim::NonlinearSpeeds& speeds, Evidence& e, Judge& judge) {
  std::vector<double> y(e.sample.q.begin(), e.sample.q.end());
  y.insert(y.end(), e.sample.u.begin(), e.sample.u.end());
  const sim::NonlinearSpeeds::At at = speeds.at(e.sample.t, y.data());
  for (std::size_t k = 0; k < e.model.nonlinear_speeds.size(); ++k) {
    const model::Speed& speed = e.model.nonlinear_speeds[k].speed;
    const auto i = static_cast<Eigen::Index>(k);
    const model::Series u = e.now().series(speed.definition);
    const Vector by = at.by_u.row(i), &u_dot = e.sample.reaction.u_dot();
    judge.see(u.value() - at.value[i], std::abs(u.value().value) + std::abs(at.value[i]), e.sample.t, speed.name);
    judge.see(u.derivative(1) - (at.rest[i] + by.dot(u_dot)),
              std::abs(at.rest[i]) + by.cwiseAbs().dot(u_dot.cwiseAbs()), e.sample.t, speed.name + "'");
  }
}

AuditLine audit_speeds(const Case& of) {
  Judge judge("speeds and their rates agree with their definitions", "1", kOfTheSolve);
  const model::Model& model = *of.bound->model;
  std::optional<sim::NonlinearSpeeds> nonlinear;
  if (sim::NonlinearSpeeds::are_in(of.bound)) nonlinear.emplace(of.bound);
  for (const auto& e : of.evidence) {
    if (nonlinear) see_nonlinear_speeds(*nonlinear, *e, judge);
    for (std::size_t r = 0; r < model.speeds.size(); ++r) {
      const auto i = static_cast<Eigen::Index>(r);
      const model::Series u = e->now().series(model.speeds[r].definition);
      const auto see = [&](Rounded defined, double reported, const std::string& name) {
        judge.see(defined - reported, std::abs(defined.value) + std::abs(reported), e->sample.t, name);
      };
      see(u.value(), e->sample.u[i], model.speeds[r].name);
      see(u.derivative(1), e->sample.reaction.u_dot()[i], model.speeds[r].name + "'");
    }
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      judge.see(e->at.q_dot[k] - e->sample.q_dot[k], std::abs(e->at.q_dot[k].value) + std::abs(e->sample.q_dot[k]),
                e->sample.t, model.coordinates[i].name + "'");
    }
  }
  return judge.verdict();
}

AuditLine audit_residuals(const Case& of) {
  Judge judge("constraint residuals at every level, by jets of the rows as written", "8.1",
              "residual of a projection, and the conditioning of the solve");
  const model::Model& model = *of.bound->model;
  const equations::System& system = *of.bound->system;
  std::vector<double> largest(model.constraints.size(), 0.0), allowed = largest;
  for (const auto& e : of.evidence) {
    for (std::size_t i = 0; i < system.rows.size(); ++i) {
      const equations::Row& row = system.rows[i];
      if (!e->acts(i)) continue;
      const auto k = static_cast<Eigen::Index>(i);
      const model::Series series = e->now().series(e->kept(row.constraint, row.index));
      const Vector A = magnitudes(e->at.A.row(k).transpose());
      const LeftOver left = left_over(of, *e, k);
      const double by_places = left.of_places / tolerance::kStagnation,
                   by_speeds = left.of_speeds / tolerance::kStagnation;
      const double by_rates = A.dot(magnitudes(e->at.u_dot)) + std::abs(e->at.b[k].value);
      const bool is_embedded = of.bound.embedding()[i] == sim::Embedding::kWhole;
      const Vector* const all_doubts[] = {&e->at.doubt_of_phi, &e->at.doubt_of_psi, &e->at.doubt_of_rate};
      const auto first = static_cast<std::size_t>(row.level);
      double doubts[3] = {};
      for (std::size_t order = 0; first + order < 3; ++order) doubts[order] = (*all_doubts[first + order])[k];
      const auto see = [&](int order, double size, double beside, const char* level) {
        const std::string where = fmt::format("{}, {} level", row_name(of, i), level);
        const Rounded value = series.derivative(order);
        if (is_embedded) return judge.see_cancelled({value.value, value.error + doubts[order]}, e->sample.t, where);
        judge.see(value, size, e->sample.t, where, beside + doubts[order]);
      };
      double own = by_rates, own_limit = series.value().error;
      switch (row.level) {
        case Level::kPosition:
          see(0, by_places, left.of_places, "position");
          see(1, by_speeds, left.of_speeds, "velocity");
          see(2, by_rates, 0.0, "acceleration");
          own = by_places, own_limit += left.of_places;
          break;
        case Level::kVelocity:
          see(0, by_speeds, left.of_speeds, "velocity");
          see(1, by_rates, by_violation(of, *e, k, series.value().value), "acceleration");
          own = by_speeds, own_limit += left.of_speeds;
          break;
        case Level::kAcceleration: see(0, by_rates, 0.0, "acceleration"); break;
        case Level::kThird: break;  // such a constraint has no row in the System
      }
      see_conditions(of, *e, i, judge);
      if (!row.conditions.empty()) {
        own = sizes_of_conditions(of, *e, row).front();
        own_limit = e->now().series(nth(model.constraint(row.constraint).rows, row.index)).value().error +
                    tolerance::kStagnation * own;
      }
      const std::size_t c = row.constraint.index();
      largest[c] = std::max(largest[c], own);
      allowed[c] = std::max(allowed[c], own_limit);
    }
  }
  // Largest residuals that the run recorded over all its steps. Residuals of rows at acceleration level are relative to
  // the magnitudes at the same step.
  for (std::size_t c = 0; c < largest.size() && static_cast<Eigen::Index>(c) < of.trajectory.worst_residual.size();
       ++c) {
    const bool is_of_accelerations = model.constraints[c].level == Level::kAcceleration;
    if (largest[c] == 0.0) continue;
    judge.see(nth(of.trajectory.worst_residual, c), largest[c], nth(of.trajectory.worst_residual_t, c),
              model.constraints[c].name + ", worst of all steps",
              std::max(allowed[c], is_of_accelerations ? tolerance::kStagnation * largest[c] : 0.0));
  }
  return judge.verdict();
}

AuditLine audit_rows(const Case& of) {
  Judge judge("A u' = b", "8.2", kOfTheSolve);
  for (const auto& e : of.evidence) {
    const RoundedVector residual = e->at.A * e->at.u_dot - e->at.b;
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      const double size =
          magnitudes(e->at.A.row(i).transpose()).dot(magnitudes(e->at.u_dot)) + std::abs(e->at.b[i].value);
      const equations::Row& row = nth(of.bound->system->rows, i);
      const double missed =
          row.level == Level::kVelocity ? e->now().series(e->kept(row.constraint, row.index)).value().value : 0.0;
      judge.see(residual[i], size, e->sample.t, row_name(of, static_cast<std::size_t>(i)),
                e->at.doubt_of_rate[i] + by_violation(of, *e, i, missed));
    }
  }
  return judge.verdict();
}

AuditLine audit_motion(const Case& of) {
  Judge judge("M u' = f + Qi + Qni, Q rebuilt from multipliers and efforts", "8.3", kOfTheSolve);
  for (const auto& e : of.evidence) {
    const solve::Reaction& reaction = e->sample.reaction;
    RoundedVector Q = e->at.pull(e->at.lambda) + e->at.C + e->at.law_reaction;
    if (e->at.Gamma.rows() > 0) Q += e->at.Gamma.transpose() * e->at.effort;
    const Vector size = e->at.sizes();
    const auto see = [&](const RoundedVector& residual, const char* what) {
      for (Eigen::Index r = 0; r < residual.size(); ++r) {
        judge.see(residual[r], size[r], e->sample.t,
                  fmt::format("{}{}", of.bound->speed_name(static_cast<int>(r)), what));
      }
    };
    const RoundedVector Q_c = e->at.reported(reaction.Q_c), Q_i = e->at.reported(reaction.Q_ideal());
    see(e->at.M * e->at.u_dot - e->at.f - Q, "");
    see(Q_c - Q, ", the Qc reported");
    see(Q_i + e->at.reported(reaction.Q_nonideal) - Q_c, ", Qi + Qni");
    if (e->at.Gamma.rows() == 0) see(Q_i - e->at.pull(e->at.lambda_ideal), ", the Qi reported");
    see_zero_rows(judge, of, *e);
  }
  return judge.verdict();
}

}  // namespace vinculum::audit

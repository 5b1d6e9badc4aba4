// Speeds, constraints, A u' = b and M u' = f + Q.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/audit/lines.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::audit {
namespace {

using mechanics::ConstraintId;
using mechanics::Level;

std::string row_name(const Case& of, std::size_t row) { return of.compiled.row_name(static_cast<int>(row)); }

}  // namespace

Laws laws_of(const mechanics::Model& model) {
  Laws laws;
  for (const mechanics::Constraint& constraint : model.constraints) {
    if (!constraint.law->actuators().empty()) {
      laws.has_directed = true;
    } else if (!constraint.law->is_ideal()) {
      laws.has_other = true;
    }
  }
  return laws;
}

AuditLine audit_speeds(const Case& of) {
  Judge judge("speeds and their rates are what they are defined to be", "1", tolerance::kConsistency);
  const mechanics::Model& model = *of.compiled.model;
  for (const auto& e : of.evidence) {
    for (std::size_t r = 0; r < model.speeds.size(); ++r) {
      const auto i = static_cast<Eigen::Index>(r);
      const mechanics::Jet u = e->now().scalar(model.speeds[r].definition);
      judge.see(u.value - e->sample.u[i], std::abs(u.value) + of.scales.u[i], e->sample.t, model.speeds[r].name);
      judge.see(u.rate - e->sample.reaction.u_dot()[i], std::abs(u.rate) + of.scales.u_dot[i], e->sample.t,
                model.speeds[r].name + "'");
    }
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const Vector terms = e->at.G.row(k).cwiseAbs().transpose().cwiseProduct(of.scales.u);
      judge.see(e->at.q_dot[k] - e->sample.q_dot[k], std::abs(e->at.q_dot[k]) + terms.sum(), e->sample.t,
                model.coordinates[i].name + "'");
    }
  }
  return judge.verdict();
}

AuditLine audit_residuals(const Case& of) {
  Judge judge("constraint residuals at every level, by jets of the rows as written", "8.1", tolerance::kConditioned);
  const mechanics::Model& model = *of.compiled.model;
  const dynamics::System& system = *of.compiled.system;
  std::vector<double> largest(model.constraints.size(), 0.0);
  for (const auto& e : of.evidence) {
    for (std::size_t i = 0; i < system.rows.size(); ++i) {
      const dynamics::Row& row = system.rows[i];
      const auto k = static_cast<Eigen::Index>(i);
      const mechanics::Jet jet = e->now().scalar(nth(model.constraint(row.constraint).rows, row.index));
      const Vector A = e->at.A.row(k).cwiseAbs();
      // A motion that is none is rounding of the places.
      const double of_places = A.dot(e->at.G.cwiseAbs().transpose() * of.scales.q);
      const double of_speeds = A.dot(of.scales.u) + of_places / of.scales.duration;
      const double of_rates = A.dot(of.scales.u_dot) + of_speeds / of.scales.duration + std::abs(e->at.b[k]);
      const auto see = [&](double residual, double size, const char* level) {
        if (std::isnan(residual)) return;  // a derivative that jets do not know
        judge.see(residual, size, e->sample.t, fmt::format("{}, {} level", row_name(of, i), level),
                  fmt::format("{} {}", i, level));
      };
      switch (row.level) {
        case Level::kPosition:
          see(jet.value, of_places + of_speeds * of.scales.duration, "position");
          see(jet.rate, of_speeds, "velocity");
          see(jet.second, of_rates, "acceleration");
          break;
        case Level::kVelocity:
          see(jet.value, of_speeds, "velocity");
          see(jet.rate, of_rates, "acceleration");
          break;
        case Level::kAcceleration: see(jet.value, of_rates, "acceleration"); break;
        case Level::kThird: break;  // no row of the System
      }
      const double own = row.level == Level::kPosition   ? of_places + of_speeds * of.scales.duration
                         : row.level == Level::kVelocity ? of_speeds
                                                         : of_rates;
      double& size = largest[row.constraint.index()];
      size = std::max(size, own);
    }
  }
  // What the run itself has seen, over all steps it has taken.
  for (std::size_t c = 0; c < largest.size() && static_cast<Eigen::Index>(c) < of.trajectory.worst_residual.size();
       ++c) {
    const auto k = static_cast<Eigen::Index>(c);
    if (largest[c] > 0.0) {
      judge.see(of.trajectory.worst_residual[k], largest[c], of.trajectory.worst_residual_t[k],
                model.constraints[c].name + ", worst of all steps", fmt::format("{} of steps", c));
    }
  }
  return judge.verdict();
}

AuditLine audit_rows(const Case& of) {
  Judge judge("A u' = b", "8.2", tolerance::kRounded);
  for (const auto& e : of.evidence) {
    const Vector& u_dot = e->sample.reaction.u_dot();
    // Where everything is at rest accelerations are rounding of what the forces would give.
    const Vector unit = e->at.units(), of_forces = e->at.sizes(e->sample).cwiseProduct(unit).cwiseProduct(unit);
    for (Eigen::Index i = 0; i < e->at.A.rows(); ++i) {
      const double size = e->at.A.row(i).cwiseAbs().dot(u_dot.cwiseAbs() + of_forces) + std::abs(e->at.b[i]) +
                          e->at.A.row(i).cwiseAbs().dot(of.scales.u_dot);
      const std::string name = row_name(of, static_cast<std::size_t>(i));
      judge.see(e->at.A.row(i).dot(u_dot) - e->at.b[i], size, e->sample.t, name, name);
    }
  }
  return judge.verdict();
}

AuditLine audit_motion(const Case& of) {
  Judge judge("M u' = f + Qi + Qni, Q rebuilt from multipliers and efforts", "8.3", tolerance::kRounded);
  if (of.compiled.system->higher) judge.allow(tolerance::kZero);
  for (const auto& e : of.evidence) {
    const laws::Reaction& reaction = e->sample.reaction;
    Vector Q = e->at.pull(reaction.lambda()) + e->at.C + e->at.law_reaction;
    if (e->at.Gamma.rows() > 0) Q += e->at.Gamma.transpose() * reaction.effort;
    const Vector unit = e->at.units();
    const Vector size = e->at.sizes(e->sample).cwiseProduct(unit);
    const double whole = size.size() > 0 ? size.maxCoeff() : 0.0;
    const auto see = [&](const Vector& residual, const char* what) {
      for (Eigen::Index r = 0; r < residual.size(); ++r) {
        judge.see(residual[r] * unit[r], std::max(size[r], whole), e->sample.t,
                  fmt::format("{}{}", of.compiled.speed_name(static_cast<int>(r)), what));
      }
    };
    see(e->at.M * reaction.u_dot() - e->at.f - Q, "");
    see(reaction.Q_c - Q, ", the Qc reported");
    see(reaction.Q_ideal() + reaction.Q_nonideal - reaction.Q_c, ", Qi + Qni");
    if (e->at.Gamma.rows() == 0) see(reaction.Q_ideal() - e->at.pull(reaction.lambda_ideal()), ", the Qi reported");
  }
  return judge.verdict();
}

}  // namespace vinculum::audit

#include "vinculum/dynamics/constraint_rows.hpp"

#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/mechanics/calculus.hpp"

namespace vinculum::dynamics {
namespace {

using expr::Expr;
using mechanics::Level;

/// d/dt along the motion with u' = 0.
Expr rate_without_u_dot(const System& system, Expr value) {
  std::vector<Expr> x = system.q, rate = system.q_dot;
  x.push_back(system.t);
  rate.push_back(system.graph->constant(1.0));
  return expr::directional_derivative({&value, 1}, x, rate)[0];
}

void write_position_row(const System& system, Expr phi, Row& row) {
  row.phi = phi;
  row.phi_q = expr::gradient(phi, system.q);
  row.psi = rate_without_u_dot(system, phi);
  row.A.assign(system.u.size(), system.graph->constant(0.0));
  for (std::size_t i = 0; i < row.phi_q.size(); ++i) {
    if (row.phi_q[i].is_zero()) continue;
    for (std::size_t r = 0; r < row.A.size(); ++r) row.A[r] += row.phi_q[i] * system.G[i][r];
  }
  row.b = -rate_without_u_dot(system, row.psi);
}

void write_velocity_row(const System& system, Expr psi, Row& row) {
  row.psi = psi;
  row.A = expr::gradient(psi, system.u);
  row.b = -rate_without_u_dot(system, psi);
}

bool write_acceleration_row(const System& system, Expr chi, Row& row) {
  row.A = expr::gradient(chi, system.u_dot);
  for (const Expr& entry : row.A) {
    if (expr::depends_on(entry, system.u_dot)) return false;
  }
  const std::vector<Expr> zeros(system.u_dot.size(), system.graph->constant(0.0));
  row.b = -expr::substitute({&chi, 1}, system.u_dot, zeros)[0];
  return true;
}

}  // namespace

std::optional<Failure> write_rows(System& system) {
  const mechanics::Model& model = *system.model;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const mechanics::Constraint& constraint = model.constraints[c];
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
      Row row;
      row.constraint = mechanics::ConstraintId(c);
      row.index = static_cast<int>(k);
      row.level = mechanics::level_of(model, constraint.rows[k]);
      const Expr relation = system.lowering->scalar(constraint.rows[k]);
      if (row.level == Level::kPosition) {
        write_position_row(system, relation, row);
      } else if (row.level == Level::kVelocity) {
        write_velocity_row(system, relation, row);
      } else if (!write_acceleration_row(system, relation, row)) {
        Failure failure;
        failure.kind = FailureKind::kNotUnique;
        failure.message = "constraint `" + constraint.name +
                          "` is not linear in the accelerations; its motion need not be unique, and only constraints linear in them can be maintained";
        failure.rows = {static_cast<int>(system.rows.size())};
        return failure;
      }
      system.rows.push_back(std::move(row));
    }
  }
  return std::nullopt;
}

}  // namespace vinculum::dynamics

#include "vinculum/laws/motion.hpp"

namespace vinculum::laws {
namespace {

using expr::Expr;
using mechanics::Level;

std::vector<int> rows_where(const dynamics::System& system, bool (*wanted)(Level)) {
  std::vector<int> rows;
  for (int row = 0; row < system.nc(); ++row) {
    if (wanted(system.rows[row].level)) rows.push_back(row);
  }
  return rows;
}

std::vector<Expr> zeros(const dynamics::System& system, std::size_t count) {
  return std::vector<Expr>(count, system.graph->constant(0.0));
}

std::vector<int> all_rows(const dynamics::System& system) {
  return rows_where(system, [](Level) { return true; });
}

}  // namespace

std::vector<int> position_rows(const dynamics::System& system) {
  return rows_where(system, [](Level level) { return level == Level::kPosition; });
}

std::vector<int> velocity_rows(const dynamics::System& system) {
  return rows_where(system, [](Level level) { return level != Level::kAcceleration; });
}

solve::SymbolicSystem symbolic_system(const dynamics::System& system, const std::vector<int>& rows) {
  solve::SymbolicSystem symbolic;
  symbolic.nu = system.nu();
  symbolic.M = system.M;
  symbolic.A.reserve(rows.size());
  for (const int row : rows) symbolic.A.push_back(system.rows[row].A);
  return symbolic;
}

std::vector<Expr> impressed_force(const dynamics::System& system) {
  if (!system.has_nonideal) return system.f;
  std::vector<Expr> force;
  force.reserve(system.f.size());
  for (std::size_t i = 0; i < system.f.size(); ++i) force.push_back(system.f[i] + system.C[i]);
  return force;
}

Acceleration acceleration(const dynamics::System& system, const solve::StaticStructure& structure, int refinements) {
  std::vector<Expr> b;
  b.reserve(system.rows.size());
  for (const dynamics::Row& row : system.rows) b.push_back(row.b);
  const solve::StaticLdlt ldlt(symbolic_system(system, all_rows(system)), structure);
  solve::StaticSolution solution = ldlt.solve(impressed_force(system), b, refinements);
  return {system.q_dot, std::move(solution.u), std::move(solution.lambda), {solution.residual, solution.contraction}};
}

Projection position_projection(const dynamics::System& system, const solve::StaticStructure& structure, int refinements) {
  Projection projection;
  projection.rows = position_rows(system);
  std::vector<Expr> defect;
  for (const int row : projection.rows) {
    projection.violation.push_back(system.rows[row].phi);
    defect.push_back(-system.rows[row].phi);
  }
  const solve::StaticLdlt ldlt(symbolic_system(system, projection.rows), structure);
  const solve::StaticSolution solution = ldlt.solve(zeros(system, system.u.size()), defect, refinements);
  for (int i = 0; i < system.nq(); ++i) {
    Expr sum = system.graph->constant(0.0);
    for (int j = 0; j < system.nu(); ++j) sum += system.G[i][j] * solution.u[j];
    projection.correction.push_back(sum);
  }
  projection.guards = {solution.residual, solution.contraction};
  return projection;
}

Projection velocity_projection(const dynamics::System& system, const solve::StaticStructure& structure, int refinements) {
  Projection projection;
  projection.rows = velocity_rows(system);
  std::vector<Expr> defect;
  for (const int row : projection.rows) {
    projection.violation.push_back(system.rows[row].psi);
    defect.push_back(-system.rows[row].psi);
  }
  const solve::StaticLdlt ldlt(symbolic_system(system, projection.rows), structure);
  solve::StaticSolution solution = ldlt.solve(zeros(system, system.u.size()), defect, refinements);
  projection.correction = std::move(solution.u);
  projection.guards = {solution.residual, solution.contraction};
  return projection;
}

}  // namespace vinculum::laws

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/out/explain_report.hpp"
#include "vinculum/sim/assembly.hpp"
#include "vinculum/solve/constrained_solve.hpp"

namespace vinculum::out {
namespace {

constexpr double kTolMassRank = 1e-12;

// M is positive semidefinite: its rank is that of its eigenvalues, scaled to a unit diagonal where there is mass.
int mass_rank_of(const Matrix& M) {
  Vector scale = M.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (double& s : scale) s = s > 0.0 ? 1.0 / s : 0.0;
  const Matrix scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scaled, Eigen::EigenvaluesOnly);
  return static_cast<int>((eigen.eigenvalues().array() > kTolMassRank).count());
}

// Rank of each constraint's own rows, as if it stood alone.
std::vector<int> ranks_alone(const sim::CompiledModel& compiled, const sim::Matrices& matrices) {
  std::vector<int> ranks;
  int first = 0;
  for (const mechanics::Constraint& constraint : compiled.model->constraints) {
    const int count = static_cast<int>(constraint.rows.size());
    // the metric changes no rank: a unit one serves semidefinite M too
    solve::ConstrainedSolve solver(compiled.nu(), count);
    const Matrix rows = matrices.A.middleRows(first, count);
    ranks.push_back(solver.factor(Matrix::Identity(compiled.nu(), compiled.nu()), rows) ? solver.rank() : 0);
    first += count;
  }
  return ranks;
}

}  // namespace

Explanation explain(const std::shared_ptr<const sim::CompiledModel>& compiled) {
  Explanation explanation;
  explanation.compiled = compiled;
  // a System of its own: describing grows its graph, and the compiled one is shared
  if (const auto system = dynamics::derive(compiled->model)) explanation.constraints = dynamics::describe(**system);
  explanation.rank = compiled->structure.generic_rank;
  explanation.mass_rank = compiled->nu();

  sim::Dynamics dynamics(compiled);
  const auto start = sim::assemble(dynamics);
  if (!start) {
    explanation.no_start = start.error();
    return explanation;
  }
  std::vector<double> y(start->q.begin(), start->q.end());
  y.insert(y.end(), start->u.begin(), start->u.end());
  sim::Matrices matrices;
  if (compiled->nu() > 0 && dynamics.matrices(start->t0, y.data(), matrices)) {
    explanation.mass_rank = mass_rank_of(matrices.M);
    explanation.constraint_rank = ranks_alone(*compiled, matrices);
  }
  sim::Sample sample;
  if (const auto reported = dynamics.report(start->t0, y.data(), sample)) {
    explanation.rank = sample.rank;
    explanation.at_start = std::move(sample);
  } else {
    explanation.no_start = reported.error();
  }
  return explanation;
}

}  // namespace vinculum::out

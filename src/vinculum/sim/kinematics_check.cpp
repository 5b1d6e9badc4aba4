#include "vinculum/sim/kinematics_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/expr/interpreter.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

constexpr double kShareNamed = 0.1;   // of the largest share in what is singular

bool is_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

bool is_kinematics_finite(const CompiledModel& compiled, double t, const double* y) {
  const dynamics::System& system = *compiled.system;
  std::vector<Expr> roots = system.q_dot;
  for (const auto& row : system.G) roots.insert(roots.end(), row.begin(), row.end());
  std::vector<Expr> symbols{system.t};
  for (const auto* more : {&system.q, &system.u, &system.parameters}) symbols.insert(symbols.end(), more->begin(), more->end());
  std::vector<double> values{t};
  values.insert(values.end(), y, y + compiled.nq() + compiled.nu());
  values.insert(values.end(), compiled.parameters.begin(), compiled.parameters.end());
  return is_finite(expr::interpret(roots, symbols, values));
}

/// Y of u = Y q' + y0 at a state, row by row; nothing where it or y0 is not finite.
std::optional<Matrix> definitions_at(const CompiledModel& compiled, double t, const double* q) {
  const mechanics::Model& model = *compiled.model;
  const int nq = compiled.nq(), nu = compiled.nu();
  expr::Graph graph;
  dynamics::LeafSymbols leaves;
  leaves.t = graph.symbol("t");
  for (const auto& parameter : model.parameters) leaves.parameters.push_back(graph.symbol(parameter.name));
  for (const auto& coordinate : model.coordinates) {
    leaves.q.push_back(graph.symbol(coordinate.name));
    leaves.q_dot.push_back(graph.symbol("d(" + coordinate.name + ")/dt"));
  }
  std::vector<Expr> symbols{leaves.t};
  std::vector<double> values{t};
  symbols.insert(symbols.end(), leaves.q.begin(), leaves.q.end());
  values.insert(values.end(), q, q + nq);
  symbols.insert(symbols.end(), leaves.parameters.begin(), leaves.parameters.end());
  values.insert(values.end(), compiled.parameters.begin(), compiled.parameters.end());
  const std::vector<Expr> rates = leaves.q_dot;
  symbols.insert(symbols.end(), rates.begin(), rates.end());
  values.insert(values.end(), rates.size(), 0.0);

  dynamics::Lowering lowering(model, graph, std::move(leaves));
  std::vector<Expr> roots;
  for (const auto& speed : model.speeds) roots.push_back(lowering.scalar(speed.definition));
  const std::vector<expr::Entry> entries = expr::sparse_jacobian(roots, rates);
  for (const expr::Entry& entry : entries) roots.push_back(entry.value);
  const std::vector<double> results = expr::interpret(roots, symbols, values);
  if (!is_finite(results)) return std::nullopt;
  Matrix Y = Matrix::Zero(nu, nq);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    Y(entries[k].row, entries[k].column) = results[static_cast<std::size_t>(nu) + k];
  }
  return Y;
}

}  // namespace

std::optional<Failure> explain_singular_kinematics(const CompiledModel& compiled, double t, const double* y) {
  if (compiled.has_identity_kinematics || is_kinematics_finite(compiled, t, y)) return std::nullopt;
  auto Y = definitions_at(compiled, t, y);
  if (!Y || Y->rows() != Y->cols()) return std::nullopt;
  for (Eigen::Index i = 0; i < Y->rows(); ++i) {
    if (const double length = Y->row(i).norm(); length > 0.0) Y->row(i) /= length;
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(*Y, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Vector dependent = svd.matrixU().rightCols(1).cwiseAbs();
  const Vector open = svd.matrixV().rightCols(1).cwiseAbs();

  Failure failure;
  failure.kind = FailureKind::kSingularKinematics;
  failure.t = t;
  // A speed that the user defined rather than one that stands in for the rest.
  int speed = -1;
  for (int i = 0; i < compiled.nu(); ++i) {
    const bool is_stated = !compiled.model->speeds[static_cast<std::size_t>(i)].is_default;
    if (!is_stated || dependent[i] < kShareNamed * dependent.maxCoeff()) continue;
    if (speed < 0 || dependent[i] > dependent[speed]) speed = i;
  }
  if (speed < 0) return std::nullopt;
  failure.statements = {{StatementId::Kind::kSpeed, speed}};
  std::vector<std::string> rates;
  for (int j = 0; j < compiled.nq(); ++j) {
    if (open[j] < kShareNamed * open.maxCoeff()) continue;
    failure.coordinates.push_back(j);
    rates.push_back("`" + compiled.model->coordinates[static_cast<std::size_t>(j)].name + "'`");
  }
  failure.message = fmt::format("the definition of `{}` cannot be solved for {} here", compiled.speed_name(speed),
                                fmt::join(rates, ", "));
  return failure;
}

}  // namespace vinculum::sim

#include "vinculum/compiled/effort_reach.hpp"

#include <Eigen/LU>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/random_states.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"
#include "vinculum/solve/pivoted/directed.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr unsigned kSeedOfReach = 1922;

/// [rows × efforts] Response A M⁻¹Γᵀ of the given rows, scaled to unit length, to a unit of each effort, under the rows
/// of ideal law. Empty if M and the rows of ideal law do not determine the accelerations.
Matrix response_of(const equations::System& system, const std::vector<int>& rows, const std::vector<Expr>& inputs,
                   const std::vector<double>& state) {
  std::vector<Expr> wanted = system.M.get();
  for (const equations::Row& row : system.rows) append(wanted, row.A.dense());
  const auto directions = solve::effort_directions(system);
  for (const auto& direction : directions) append(wanted, direction);
  const std::vector<double> values = expr::interpret(wanted, inputs, state);
  const Eigen::Index nu = system.nu(), nc = system.nc(), efforts = static_cast<Eigen::Index>(directions.size());
  const Matrix M = Eigen::Map<const RowMajor>(values.data(), nu, nu);
  const Matrix A = Eigen::Map<const RowMajor>(values.data() + nu * nu, nc, nu);
  const Matrix Gamma = Eigen::Map<const RowMajor>(values.data() + nu * nu + nc * nu, efforts, nu);
  const std::vector<int> ideal = solve::ideal_rows(system);
  solve::ConstrainedSolve solver(system.nu(), static_cast<int>(ideal.size()));
  if (!solver.factor(M, A(ideal, Eigen::all))) return {};
  Matrix response(static_cast<Eigen::Index>(rows.size()), efforts);
  const Vector nothing = Vector::Zero(static_cast<Eigen::Index>(ideal.size()));
  for (Eigen::Index k = 0; k < efforts; ++k) {
    solve::Solution along;
    if (!solver.solve(Gamma.row(k).transpose(), nothing, along)) return {};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Vector row = A.row(rows[i]);
      const double size = row.cwiseAbs().sum() * along.u.cwiseAbs().sum();
      nth(response.col(k), i) = size > 0.0 ? row.dot(along.u) / size : 0.0;
    }
  }
  return response;
}

}  // namespace

bool do_efforts_reach(const Binding& bound) {
  const std::vector<int> rows = solve::directed_rows(*bound->system);
  const auto states = random_states(*bound.compiled, bound.embedding(), kSeedOfReach, bound.parameters);
  if (!states) return true;
  for (const std::vector<double>& state : states->values) {
    const Matrix response = response_of(*bound->system, rows, states->inputs, state);
    if (response.size() == 0) return true;
    Eigen::FullPivLU<Matrix> lu(response);
    lu.setThreshold(tolerance::kGeneric);
    if (lu.maxPivot() > tolerance::kGeneric && lu.rank() == static_cast<Eigen::Index>(rows.size())) return true;
  }
  return false;
}

}  // namespace vinculum::sim

#include "vinculum/equations/form_probes.hpp"

#include <Eigen/LU>
#include <algorithm>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/interpreter.hpp"

namespace vinculum::equations {

using expr::Expr;

FormProbes::FormProbes(const System& system, const std::vector<Expr>& x, std::span<const double> parameters,
                       const std::vector<std::vector<double>>& states)
    : symbols_(x), states_(states) {
  symbols_.insert(symbols_.end(), system.parameters.begin(), system.parameters.end());
  for (std::vector<double>& state : states_) state.insert(state.end(), parameters.begin(), parameters.end());
}

Matrix FormProbes::of(const ExprMatrix& rows, std::size_t probe) const {
  std::vector<Expr> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  const std::vector<double> values = expr::interpret(all, symbols_, states_[probe]);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto m = static_cast<Eigen::Index>(rows.size());
  return Eigen::Map<const RowMajor>(values.data(), m, m == 0 ? 0 : static_cast<Eigen::Index>(all.size()) / m);
}

std::vector<Matrix> FormProbes::of(const ExprMatrix& rows) const {
  std::vector<Matrix> all;
  for (std::size_t probe = 0; probe < count(); ++probe) all.push_back(of(rows, probe));
  return all;
}

std::vector<Matrix> FormProbes::of(const ExprMatrix& rows, const Columns& columns) const {
  const Eigen::Map<const Vector> size(columns.size.data(), static_cast<Eigen::Index>(columns.size.size()));
  std::vector<Matrix> all = of(rows);
  for (Matrix& at : all) {
    if (at.size() > 0) at = at * size.asDiagonal();
  }
  return all;
}

int generic_rank(const std::vector<Matrix>& at_probes) {
  int rank = 0;
  for (Matrix rows : at_probes) {
    if (rows.size() == 0) continue;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      if (const double size = rows.row(i).norm(); size > 0.0) rows.row(i) /= size;
    }
    Eigen::FullPivLU<Matrix> lu(rows);
    lu.setThreshold(tolerance::kGeneric);
    rank = std::max(rank, static_cast<int>(lu.rank()));
  }
  return rank;
}

}  // namespace vinculum::equations

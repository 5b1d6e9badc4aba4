#include "vinculum/motion/law_uniqueness.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {}  // namespace

std::optional<Failure> undetermined_by_law(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                           const Sample& sample) {
  const CompiledModel& compiled = dynamics.binding();
  const equations::System& system = *compiled.system;
  if (system.nz() == 0 || system.higher ||
      std::ranges::all_of(sample.row_unique, [](char unique) { return unique != 0; }))
    return std::nullopt;
  Matrices m;
  if (!dynamics.matrices(mode, t, y.data(), m)) return std::nullopt;
  Vector length = m.A.rowwise().norm();
  for (double& one : length) one = one > 0.0 ? one : 1.0;
  Eigen::FullPivLU<Matrix> lu((length.cwiseInverse().asDiagonal() * m.A).transpose());
  lu.setThreshold(tolerance::kGeneric);
  const Matrix N = length.cwiseInverse().asDiagonal() * lu.kernel();
  const double size = std::max(tolerance::kLeast, sample.reaction.u_dot().cwiseAbs().maxCoeff());
  const Eigen::ColPivHouseholderQR<Matrix> span(N);
  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    Vector shifted = y;
    std::vector<int> rows;
    for (int row = 0; row < system.nc(); ++row) {
      const equations::Row& of = system.rows[static_cast<std::size_t>(row)];
      const auto mu = compiled.model->constraint(of.constraint).law->mu();
      if (mu.empty() || std::abs(N(row, k)) <= tolerance::kGeneric * N.col(k).cwiseAbs().maxCoeff()) continue;
      shifted[compiled.nq() + compiled.nu() +
              static_cast<Eigen::Index>(mu[0][static_cast<std::size_t>(of.index)].index())] += N(row, k);
      rows.push_back(row);
    }
    Sample moved;
    if (rows.empty() || !dynamics.report(mode, t, shifted.data(), moved)) continue;
    // If the rates of μ change by more than a combination of the columns of N, the system moves differently later.
    Vector rates = Vector::Zero(system.nc());
    for (const int row : rows) {
      const equations::Row& of = system.rows[static_cast<std::size_t>(row)];
      const auto mu = compiled.model->constraint(of.constraint).law->mu();
      const auto z = static_cast<Eigen::Index>(mu[0][static_cast<std::size_t>(of.index)].index());
      rates[row] = moved.z_dot[z] - sample.z_dot[z];
    }
    const double apart = (rates - N * span.solve(rates)).norm();
    const bool moves_later = apart > tolerance::kAtStates * (N.col(k).norm() + sample.z_dot.norm());
    const bool moves =
        (moved.reaction.u_dot() - sample.reaction.u_dot()).cwiseAbs().maxCoeff() > tolerance::kAtStates * size;
    if (!moves && !moves_later) continue;
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.t = t;
    failure.rows = rows;
    failure.message = fmt::format(
        "the multiplier of `{}` moves the system, and nothing determines its rate: the row depends on others, which "
        "share its "
        "reaction in any way",
        compiled.row_name(rows.front()));
    return failure;
  }
  return std::nullopt;
}

}  // namespace vinculum::sim

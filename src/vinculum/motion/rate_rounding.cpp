#include "vinculum/motion/rate_rounding.hpp"

#include <Eigen/QR>
#include <cmath>
#include <span>
#include <vector>

#include "vinculum/base/index.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/matrices.hpp"

namespace vinculum::sim {
namespace {

using equations::System;
using expr::Expr;

/// Stores the values of all symbols of the equations at one state.
class AtState {
 public:
  AtState(const Binding& bound, double t, const Vector& y, const Sample& sample)
      : symbols_(report_symbols(*bound->system)), values_{t} {
    const auto add = [&](const auto& values) { values_.insert(values_.end(), values.begin(), values.end()); };
    add(y);
    add(sample.reaction.u_dot());
    add(sample.reaction.lambda());
    add(sample.reaction.lambda_ideal());
    add(sample.reaction.effort);
    add(sample.friction.direction);
    values_.resize(values_.size() + bound->system->slide_direction.size() - sample.friction.direction.size(), 0.0);
    add(sample.top);
    values_.resize(symbols_.size(), 0.0);  // vectors of reports, which rates do not contain
    symbols_.insert(symbols_.end(), bound->system->parameters.begin(), bound->system->parameters.end());
    add(bound.parameters);
  }
  [[nodiscard]] Vector errors(std::span<const Expr> expressions) const {
    Vector errors(static_cast<Eigen::Index>(expressions.size()));
    Eigen::Index i = 0;
    for (const Rounded& one : expr::interpret_with_noise(expressions, symbols_, values_)) errors[i++] = one.error;
    return errors;
  }
  [[nodiscard]] Vector values(std::span<const Expr> expressions) const {
    const std::vector<double> found = expr::interpret(expressions, symbols_, values_);
    return Eigen::Map<const Vector>(found.data(), static_cast<Eigen::Index>(found.size()));
  }

 private:
  std::vector<Expr> symbols_;
  std::vector<double> values_;
};

// Largest model for which the bounds are computed: the matrix is dense, and larger models do without M.
constexpr int kMostSpeeds = 128, kMostUnknowns = 400;

/// Computes factors that scale the rows of a matrix to unit length; 1 for a row of zeros.
Vector to_unit_rows(const Matrix& matrix) {
  return matrix.rowwise().norm().unaryExpr([](double length) { return length > 0.0 ? 1.0 / length : 1.0; });
}

/// Computes |inverse of the matrix| · errors; if the matrix has no inverse, with its pseudoinverse.
Vector carried(const Matrix& matrix, const Vector& errors) {
  return Eigen::CompleteOrthogonalDecomposition<Matrix>(matrix).pseudoInverse().cwiseAbs() * errors;
}

/// Computes bounds of the errors of u'. [nu]
Vector errors_of_accelerations(const System& system, const AtState& at, const Matrices& m) {
  const Eigen::Index nu = m.M.rows(), nc = m.A.rows(), efforts = m.Gamma.rows();
  std::vector<Expr> forces = system.f, right;
  forces.insert(forces.end(), system.C.begin(), system.C.end());
  for (const equations::Row& row : system.rows) right.push_back(row.b);
  const Vector of_forces = at.errors(forces);
  // Speeds in units in which M has the diagonal 1, and rows of unit length: the rank does not depend on units.
  const Vector unit = m.M.diagonal().unaryExpr([](double M) { return M > 0.0 ? 1.0 / std::sqrt(M) : 1.0; });
  const Matrix A = m.A * unit.asDiagonal(), Gamma = m.Gamma * unit.asDiagonal();
  const Vector by_row = to_unit_rows(A), by_effort = to_unit_rows(Gamma);
  Vector errors(nu + nc);
  errors << unit.cwiseProduct(of_forces.head(nu) + of_forces.tail(nu)), by_row.cwiseProduct(at.errors(right));
  Matrix all = Matrix::Zero(nu + nc, nu + nc + efforts);
  all.topLeftCorner(nu, nu) = unit.asDiagonal() * m.M * unit.asDiagonal();
  all.bottomLeftCorner(nc, nu) = by_row.asDiagonal() * A;
  all.block(0, nu, nu, nc) = -(by_row.asDiagonal() * A).transpose();
  for (const equations::DirectedReaction& directed : system.directed)
    all.block(0, nu + directed.first_row, nu, directed.row_count).setZero();
  all.topRightCorner(nu, efforts) = -(by_effort.asDiagonal() * Gamma).transpose();
  return unit.cwiseProduct(carried(all, errors).head(nu));
}

/// Computes bounds of the errors of u' and z', if constraints are of higher order. [nu + nz]
Vector errors_of_highest(const System& system, const AtState& at) {
  const equations::HigherOrder& higher = *system.higher;
  const auto n = static_cast<Eigen::Index>(higher.unknowns.size());
  const Vector entries = at.values(higher.J);
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> J(entries.data(), n,
                                                                                                   n);
  const Vector of_top = carried(J, at.errors(higher.r));
  Vector errors = Vector::Zero(system.nu() + system.nz());
  const auto pick = [&](const std::vector<int>& of, Eigen::Index first) {
    for (std::size_t i = 0; i < of.size(); ++i)
      if (of[i] < 0) errors[first + static_cast<Eigen::Index>(i)] = of_top[-1 - of[i]];
  };
  pick(higher.u_dot, 0);
  pick(higher.z_dot, system.nu());
  return errors;
}

}  // namespace

Vector rounding_of_rates(Dynamics& dynamics, const Mode& mode, double t, const Vector& y) {
  const System& system = *dynamics.binding()->system;
  const Vector none = Vector::Zero(y.size());
  const int unknowns = system.higher ? static_cast<int>(system.top().size()) : system.nu() + system.nc();
  if (system.nu() > kMostSpeeds || unknowns > kMostUnknowns) return none;
  Sample sample;
  if (!EquationsOf(dynamics).react(mode, t, y.data(), sample)) return none;
  const AtState at(dynamics.binding(), t, y, sample);
  Vector errors = none;
  errors.head(system.nq()) = at.errors(system.q_dot);
  if (system.higher) {
    errors.tail(system.nu() + system.nz()) = errors_of_highest(system, at);
  } else {
    Matrices matrices;
    EquationsOf(dynamics).matrices_as_they_are(mode, t, y.data(), matrices);
    errors.segment(system.nq(), system.nu()) = errors_of_accelerations(system, at, matrices);
    errors.tail(system.nz()) = at.errors(system.z_dot);
  }
  return errors.allFinite() ? errors : none;
}

}  // namespace vinculum::sim

#include "vinculum/compiled/motion_gradient.hpp"

#include <utility>

#include "vinculum/expr/derivative.hpp"

namespace vinculum::sim {

using expr::Entry;
using expr::Expr;

MotionGradient::MotionGradient(const MotionEquations& of, std::span<const double> parameters,
                               std::span<const std::size_t> by)
    : system_(of.system), ny_(of.state.size() - 1), unknowns_(of, parameters) {
  std::vector<Expr> v(of.state.begin() + 1, of.state.end());
  for (const std::size_t parameter : by) v.push_back(of.system->parameters[parameter]);
  E_v_ = expr::sparse_jacobian(of.E, v);
  S_x_ = expr::sparse_jacobian(of.S, of.unknowns);
  S_v_ = expr::sparse_jacobian(of.S, v);
  std::vector<Expr> roots;
  for (const auto* entries : {&E_v_, &S_x_, &S_v_}) {
    for (const Entry& entry : *entries) roots.push_back(entry.value);
  }
  const std::vector<Expr> symbols = concatenated({of.state, of.unknowns, of.system->parameters});
  values_ = std::make_unique<expr::TaylorSeries>(std::move(roots), symbols, 0);
  rates_ = std::make_unique<expr::TaylorSeries>(of.S, symbols, 0);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (auto* series : {values_.get(), rates_.get()}) series->set(1 + ny_ + of.unknowns.size() + i, 0, parameters[i]);
  }
  const auto size = [](std::size_t count) { return static_cast<Eigen::Index>(count); };
  E_v_at_ = Matrix::Zero(size(of.E.size()), size(v.size()));
  S_x_at_ = Matrix::Zero(size(of.S.size()), size(of.unknowns.size()));
  F_v_ = Matrix::Zero(size(of.S.size()), size(v.size()));
}

bool MotionGradient::compute(expr::TaylorSeries& series, double t, const double* y, ConstVector u_dot) {
  if (!unknowns_.find(t, y, u_dot)) return false;
  series.set(0, 0, t);
  for (std::size_t i = 0; i < ny_; ++i) series.set(1 + i, 0, y[i]);
  const Vector& x = unknowns_.x();
  for (Eigen::Index j = 0; j < x.size(); ++j) series.set(1 + ny_ + static_cast<std::size_t>(j), 0, x[j]);
  series.compute(0);
  return true;
}

bool MotionGradient::rates_at(double t, const double* y, ConstVector u_dot, Eigen::Ref<Vector> F) {
  if (!compute(*rates_, t, y, u_dot)) return false;
  for (Eigen::Index i = 0; i < F.size(); ++i) F[i] = (*rates_)(static_cast<std::size_t>(i), 0);
  return true;
}

bool MotionGradient::at(double t, const double* y, ConstVector u_dot) {
  if (!compute(*values_, t, y, u_dot)) return false;
  std::size_t next = 0;
  const auto read = [&](const std::vector<Entry>& entries, Matrix& matrix) {
    for (const Entry& entry : entries) matrix(entry.row, entry.column) = (*values_)(next++, 0);
  };
  F_v_.setZero();
  read(E_v_, E_v_at_);
  read(S_x_, S_x_at_);
  read(S_v_, F_v_);
  if (!E_v_at_.allFinite()) return false;
  F_v_ -= S_x_at_ * unknowns_.solve(E_v_at_);
  return F_v_.allFinite();
}

}  // namespace vinculum::sim

#include "vinculum/compiled/motion_equations.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::sim {
namespace {

using equations::System;
using expr::Expr;

constexpr int kMostOfUnknowns = 20;

Failure not_smooth(const char* why) {
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  failure.message = why;
  return failure;
}

/// Writes E = J x − r for the highest derivatives x.
void write_higher(MotionEquations& of) {
  const equations::HigherOrder& higher = *of.system->higher;
  const std::size_t n = higher.top.size();
  of.unknowns = higher.top;
  for (std::size_t i = 0; i < n; ++i) {
    Expr sum = -higher.r[i];
    for (std::size_t j = 0; j < n; ++j) sum += higher.J[i * n + j] * higher.top[j];
    of.E.push_back(sum);
  }
  const auto add_rates = [&](const std::vector<int>& places) {
    for (const int place : places)
      of.S.push_back(place >= 0 ? of.state[static_cast<std::size_t>(place) + 1]
                                : higher.top[static_cast<std::size_t>(-1 - place)]);
  };
  add_rates(higher.u_dot);
  add_rates(higher.z_dot);
}

/// Writes E from M u' = f + C + Aᵀλ + Γᵀe and A u' = b or χ(u') = 0.
void write_ordinary(MotionEquations& of, std::span<const Embedding> embedding) {
  const System& system = *of.system;
  const auto is_left_out = [&](std::size_t row) {
    return row < embedding.size() && embedding[row] != Embedding::kNone;
  };
  const std::size_t nu = system.u.size();
  std::vector<char> is_directed(system.rows.size(), 0);
  for (const equations::DirectedReaction& directed : system.directed)
    std::fill_n(is_directed.begin() + directed.first_row, directed.row_count, char{1});
  of.unknowns = system.u_dot;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    if (is_directed[i] == 0 && !is_left_out(i)) of.unknowns.push_back(system.lambda[i]);
  }
  of.unknowns.insert(of.unknowns.end(), system.effort.begin(), system.effort.end());
  for (std::size_t r = 0; r < nu; ++r) {
    Expr sum = -system.f[r] - system.C[r];
    for (std::size_t s = 0; s < nu; ++s) sum += system.M[r * nu + s] * system.u_dot[s];
    for (std::size_t i = 0; i < system.rows.size(); ++i) {
      if (is_directed[i] == 0 && !is_left_out(i)) sum -= system.rows[i].A[r] * system.lambda[i];
    }
    for (const equations::DirectedReaction& directed : system.directed) {
      for (std::size_t k = 0; k < directed.Gamma.size(); ++k)
        sum -= directed.Gamma[k][r] * system.effort[static_cast<std::size_t>(directed.first_effort) + k];
    }
    of.E.push_back(sum);
  }
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    if (is_left_out(i)) continue;
    const equations::Row& row = system.rows[i];
    Expr relation = row.chi;
    if (!relation.is_valid()) {
      relation = -row.b;
      for (const auto& [r, A] : row.A) relation += A * system.u_dot[r];
      if (row.acts.is_valid()) relation += (1.0 - row.acts) * system.lambda[i];
    }
    of.E.push_back(relation);
  }
  append(of.S, system.u_dot);
  append(of.S, system.z_dot);
}

Outcome<MotionEquations> equations_of(std::shared_ptr<System> system, std::span<const Embedding> embedding) {
  MotionEquations of;
  of.system = std::move(system);
  for (const equations::DirectedReaction& directed : of.system->directed) {
    if (static_cast<int>(directed.Gamma.size()) != directed.row_count)
      return fail(not_smooth("more actuators than constraints: the equations do not determine their efforts"));
  }
  of.state = state_symbols(*of.system);
  of.S = of.system->q_dot;
  of.system->higher ? write_higher(of) : write_ordinary(of, embedding);
  const auto holds = [&](const std::vector<Expr>& symbols) {
    return std::ranges::any_of(of.E, [&](Expr e) { return expr::depends_on(e, symbols); });
  };
  if (holds(of.system->lambda_ideal))
    return fail(not_smooth("forces are stated by the reactions of the motion without them"));
  return of;
}

}  // namespace

Outcome<MotionEquations> motion_equations(std::shared_ptr<const model::Model> model,
                                          std::span<const Embedding> embedding, std::span<equations::HeldForce> held) {
  auto system = derive_all(std::move(model), held);
  if (!system) return fail(std::move(system.error()));
  if (!(*system)->slides.empty()) return fail(not_smooth("friction may stick: the motion is smooth in pieces only"));
  return equations_of(*std::move(system), embedding);
}

Outcome<MotionEquations> motion_equations_with_friction(std::shared_ptr<const model::Model> model,
                                                        std::span<const Embedding> embedding) {
  auto system = derive_all(std::move(model));
  if (!system) return fail(std::move(system.error()));
  return equations_of(*std::move(system), embedding);
}

std::vector<Expr> concatenated(std::initializer_list<std::span<const Expr>> lists) {
  std::vector<Expr> all;
  for (const std::span<const Expr> list : lists) append(all, list);
  return all;
}

namespace {

std::vector<Expr> with_values(const std::vector<Expr>& first, const std::vector<expr::Entry>& entries) {
  std::vector<Expr> all = first;
  for (const expr::Entry& entry : entries) all.push_back(entry.value);
  return all;
}

}  // namespace

MotionUnknowns::MotionUnknowns(const MotionEquations& of, std::span<const double> parameters)
    : first_unknown_(of.state.size()),
      by_unknowns_(expr::sparse_jacobian(of.E, of.unknowns)),
      values_(with_values(of.E, by_unknowns_), concatenated({of.state, of.unknowns, of.system->parameters}), 0),
      x_(Vector::Zero(static_cast<Eigen::Index>(of.unknowns.size()))),
      E_(Vector::Zero(static_cast<Eigen::Index>(of.E.size()))),
      E_x_(Matrix::Zero(E_.size(), x_.size())) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    values_.set(first_unknown_ + of.unknowns.size() + i, 0, parameters[i]);
}

/// Solves E = 0 by Newton's method. If E is linear in x, the first step solves it and the second confirms convergence.
bool MotionUnknowns::find(double t, const double* y, ConstVector u_dot) {
  values_.set(0, 0, t);
  for (std::size_t i = 1; i < first_unknown_; ++i) values_.set(i, 0, y[i - 1]);
  const Eigen::Index known = std::min(u_dot.size(), x_.size());
  x_.head(known) = u_dot.head(known);
  for (int iteration = 0; iteration < kMostOfUnknowns; ++iteration) {
    for (Eigen::Index j = 0; j < x_.size(); ++j) values_.set(first_unknown_ + static_cast<std::size_t>(j), 0, x_[j]);
    values_.compute(0);
    for (Eigen::Index i = 0; i < E_.size(); ++i) E_[i] = values_(static_cast<std::size_t>(i), 0);
    if (!E_.allFinite() || !factor()) return false;
    const Vector change = solve(E_);
    x_ -= change;
    if (!x_.allFinite()) return false;
    if (change.size() == 0 || change.cwiseAbs().maxCoeff() <= tolerance::kQuadratic * (1.0 + x_.cwiseAbs().maxCoeff()))
      return true;
  }
  return false;
}

bool MotionUnknowns::factor() {
  const auto first = static_cast<std::size_t>(E_.size());
  for (std::size_t e = 0; e < by_unknowns_.size(); ++e)
    E_x_(by_unknowns_[e].row, by_unknowns_[e].column) = values_(first + e, 0);
  if (!E_x_.allFinite()) return false;
  const auto inverse = [](Vector sizes) {
    for (double& size : sizes) size = size > 0.0 ? 1.0 / size : 1.0;
    return sizes;
  };
  row_scale_ = inverse(E_x_.rowwise().norm());
  Matrix scaled = row_scale_.asDiagonal() * E_x_;
  column_scale_ = inverse(scaled.colwise().norm().transpose());
  scaled = scaled * column_scale_.asDiagonal();
  solver_.setThreshold(tolerance::kAtStates);
  solver_.compute(scaled);
  return true;
}

Matrix MotionUnknowns::solve(ConstMatrix r) const {
  const Matrix scaled = row_scale_.asDiagonal() * r;
  return column_scale_.asDiagonal() * Matrix(solver_.solve(scaled));
}

}  // namespace vinculum::sim

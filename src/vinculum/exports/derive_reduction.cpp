#include "vinculum/exports/derive_reduction.hpp"

#include <algorithm>

#include "vinculum/exports/derive_events.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/readable.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::report {
namespace {

using expr::Expr;
using Expressions = std::vector<Expr>;
using Rectangle = std::vector<Expressions>;

std::size_t index_of(int index) { return static_cast<std::size_t>(index); }

// Number of nodes above which an expression is not simplified between elimination steps, because that takes too long.
constexpr std::size_t kMostTidied = 600;

Expressions tidy(const Expressions& row) {
  return row.empty() || expr::Subgraph(row).size() > kMostTidied ? row : expr::readable(row);
}

}  // namespace

Expressions of_sliding(const equations::System& system, Expressions all) {
  Expressions directions;
  for (const equations::Slide& slide : system.slides) {
    Expr square = system.graph->constant(0.0);
    for (const Expr v : slide.velocity) square += v * v;
    const Expr size = slide.count == 1 ? system.graph->make(expr::Op::kAbsolute, slide.velocity[0])
                                       : system.graph->make(expr::Op::kSquareRoot, square);
    const bool is_sign = !slide.constraint.is_valid() && slide.count == 1;
    for (const Expr v : slide.velocity)
      directions.push_back(is_sign ? system.graph->make(expr::Op::kSign, v) : v / size);
  }
  return directions.empty() ? all : expr::substitute(all, system.slide_direction, directions);
}

void eliminate(Rectangle& D, Rectangle& R) {
  const std::size_t n = D.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Expr pivot = D[k][k];
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || D[i][k].is_zero()) continue;
      const Expr factor = tidy({D[i][k] / pivot})[0];
      for (std::size_t j = k + 1; j < n; ++j) D[i][j] = D[i][j] - factor * D[k][j];
      for (std::size_t j = 0; j < R[i].size(); ++j) R[i][j] = R[i][j] - factor * R[k][j];
      D[i] = tidy(D[i]);
      R[i] = tidy(R[i]);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (Expr& e : R[k]) e = e / D[k][k];
    R[k] = tidy(R[k]);
  }
}

Reduction reduce(const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  expr::Graph& graph = *system.graph;
  const Expr zero = graph.constant(0.0), one = graph.constant(1.0);
  Reduction reduction;
  Rectangle D, R;
  reduction.is_linear = true;
  for (const int row_index : derivation.pivot_rows) {
    const equations::Row& row = system.rows[index_of(row_index)];
    D.emplace_back();
    R.emplace_back();
    for (const int s : derivation.dependent) D.back().push_back(row.A[index_of(s)]);
    for (const int s : derivation.independent) R.back().push_back(-row.A[index_of(s)]);
    R.back().push_back(row.b);
    bool is_affine = row.psi.is_valid();
    for (const auto& [s, A] : row.A) is_affine = is_affine && !expr::depends_on(A, system.u);
    reduction.is_linear = reduction.is_linear && is_affine;
    R.back().push_back(
        is_affine ? -expr::substitute(std::vector{row.psi}, system.u, Expressions(system.u.size(), zero))[0] : zero);
  }
  eliminate(D, R);
  const std::size_t n = derivation.independent.size();
  for (const Expressions& row : R) {
    reduction.X.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
    reduction.c.push_back(row[n]);
    if (!reduction.is_linear) continue;
    Expr speed = row[n + 1];
    for (std::size_t j = 0; j < n; ++j) speed += row[j] * system.u[index_of(derivation.independent[j])];
    reduction.u_dependent.push_back(speed);
  }

  const std::size_t nu = system.u.size();
  reduction.V.assign(nu, Expressions(n, zero));
  Expressions rest(nu, zero);
  for (std::size_t j = 0; j < n; ++j) reduction.V[index_of(derivation.independent[j])][j] = one;
  for (std::size_t k = 0; k < derivation.dependent.size(); ++k) {
    reduction.V[index_of(derivation.dependent[k])] = reduction.X[k];
    rest[index_of(derivation.dependent[k])] = reduction.c[k];
  }
  Rectangle MV(nu, Expressions(n, zero));
  Expressions force(nu, zero);
  for (std::size_t r = 0; r < nu; ++r) {
    force[r] = system.f[r] + system.C[r];
    for (std::size_t s = 0; s < nu; ++s) {
      const Expr M = system.M[r * nu + s];
      if (M.is_zero()) continue;
      force[r] -= M * rest[s];
      for (std::size_t j = 0; j < n; ++j) MV[r][j] += M * reduction.V[s][j];
    }
  }
  reduction.M.assign(n, Expressions(n, zero));
  reduction.f.assign(n, zero);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t r = 0; r < nu; ++r) {
      const Expr v = reduction.V[r][i];
      if (v.is_zero()) continue;
      reduction.f[i] += v * force[r];
      for (std::size_t j = 0; j < n; ++j) reduction.M[i][j] += v * MV[r][j];
    }
  }
  return reduction;
}

namespace {

// Solves S λ = e for λ with at most two rows; empty if S is singular. A row that does not act has λ = 0, and then the
// other row is solved alone.
Expressions multipliers_by_hand(const Derivation& derivation, const Rectangle& S, const Rectangle& e) {
  if (e.empty()) return {};
  const auto acts = [&](std::size_t i) { return acts_of(derivation, derivation.ideal_rows[i]); };
  const auto while_acting = [](Expr factor, Expr value) { return factor.is_valid() ? factor * value : value; };
  if (e.size() == 1) {
    if (S[0][0].is_zero()) return {};
    return {while_acting(acts(0), e[0][0] / S[0][0])};
  }
  const Expr first = acts(0), second = acts(1);
  if (first == second) {  // Cramer's rule, which needs no choice of a pivot
    const Expr det = tidy({S[0][0] * S[1][1] - S[0][1] * S[1][0]})[0];
    if (det.is_zero()) return {};
    return {while_acting(first, (e[0][0] * S[1][1] - e[1][0] * S[0][1]) / det),
            while_acting(first, (S[0][0] * e[1][0] - S[1][0] * e[0][0]) / det)};
  }
  if (S[0][0].is_zero() || S[1][1].is_zero()) return {};
  const Expr share = while_acting(first, S[1][0] / S[0][0]);
  const Expr of_second = (e[1][0] - share * e[0][0]) / (S[1][1] - share * S[0][1]);
  const Expr other = derivation.system->lambda[index_of(derivation.ideal_rows[1])];
  return {while_acting(first, (e[0][0] - S[0][1] * other) / S[0][0]), while_acting(second, of_second)};
}

}  // namespace

Solved solve_by_hand(const Derivation& derivation, std::size_t most_size) {
  const equations::System& system = *derivation.system;
  const std::size_t nu = system.u.size(), rows = derivation.ideal_rows.size();
  expr::Graph& graph = *system.graph;
  const Expr zero = graph.constant(0.0);
  bool is_diagonal = true, has_mass = true;
  for (std::size_t r = 0; r < nu; ++r) {
    has_mass = has_mass && !system.M[r * nu + r].is_zero();
    for (std::size_t s = 0; s < r; ++s) is_diagonal = is_diagonal && system.M[r * nu + s].is_zero();
  }
  if (system.has_nonlinear_rows || system.has_implicit_nonideal) return {};  // u' or λ occur on both sides
  if (!has_mass || (!is_diagonal && nu > 3) || rows > 2 || !system.directed.empty() || nu > 12) return {};
  // Solves M X = (f + C | Aᵀ) for X: D contains M, and R the right sides.
  Rectangle D, R;
  for (std::size_t r = 0; r < nu; ++r) {
    D.emplace_back(system.M.begin() + static_cast<std::ptrdiff_t>(r * nu),
                   system.M.begin() + static_cast<std::ptrdiff_t>((r + 1) * nu));
    R.push_back({system.f[r] + system.C[r]});
    for (const int row : derivation.ideal_rows) R.back().push_back(system.rows[index_of(row)].A[r]);
  }
  eliminate(D, R);
  Solved solved;
  Rectangle S(rows, Expressions(rows, zero)), e(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const equations::Row& row = system.rows[index_of(derivation.ideal_rows[i])];
    Expr miss = row.b;
    for (const auto& [r, A] : row.A) {
      miss -= A * R[r][0];
      for (std::size_t k = 0; k < rows; ++k) S[i][k] += A * R[r][k + 1];
    }
    S[i] = tidy(S[i]);
    e[i] = {miss};
  }
  solved.lambda = multipliers_by_hand(derivation, S, e);
  if (solved.lambda.size() < rows) return {};
  for (std::size_t r = 0; r < nu; ++r) {
    Expr total = R[r][0];
    for (std::size_t k = 0; k < rows; ++k) total += R[r][k + 1] * system.lambda[index_of(derivation.ideal_rows[k])];
    solved.u_dot.push_back(total);
  }
  solved.lambda = tidy(solved.lambda);
  solved.u_dot = tidy(solved.u_dot);
  for (const Expressions* list : {&solved.lambda, &solved.u_dot}) {
    for (const Expr one : *list) {
      if (expr::printed_size(one) > most_size) return {};
    }
  }
  return solved;
}

}  // namespace vinculum::report

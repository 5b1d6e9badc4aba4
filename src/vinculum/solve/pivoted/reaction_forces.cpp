#include "vinculum/solve/pivoted/reaction_forces.hpp"

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;

/// Number of Newton steps. If the solution is unique, friction changes a normal force by a few tenths of its value
/// without C. Each step doubles the number of correct digits, so four steps reach machine precision.
constexpr int kNewtonSteps = 4;

/// Expressions of C and ∂C/∂x, for given values x of the multipliers on which C depends.
class ForceOfReactions {
 public:
  /// \param ideal [nc] λ without C.
  ForceOfReactions(const equations::System& system, const ReactionDependence& dependence, std::span<const Expr> ideal)
      : nu_(system.u.size()) {
    for (const int row : dependence.rows) symbols_.push_back(system.lambda[static_cast<std::size_t>(row)]);
    values_ = system.C;
    for (expr::Entry& entry : expr::sparse_jacobian(system.C, symbols_)) {
      values_.push_back(entry.value);
      entries_.push_back(entry);
    }
    values_ = expr::substitute(values_, system.lambda_ideal, ideal);
  }

  void evaluate(std::span<const Expr> x) {
    const std::vector<Expr> at = expr::substitute(values_, symbols_, x);
    C_.assign(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(nu_));
    for (std::size_t e = 0; e < entries_.size(); ++e) entries_[e].value = at[nu_ + e];
  }
  [[nodiscard]] const std::vector<Expr>& C() const { return C_; }
  [[nodiscard]] const std::vector<expr::Entry>& C_x() const { return entries_; }

 private:
  std::size_t nu_;
  std::vector<Expr> symbols_, values_, C_;
  std::vector<expr::Entry> entries_;
};

/// Solution x of J x = r by elimination in the given order, without pivoting.   \param J [k×k] by rows.
std::vector<Expr> eliminated(std::vector<Expr> J, std::vector<Expr> r) {
  const std::size_t k = r.size();
  const auto at = [&](std::size_t i, std::size_t j) -> Expr& { return J[i * k + j]; };
  for (std::size_t p = 0; p < k; ++p) {
    for (std::size_t i = p + 1; i < k; ++i) {
      if (at(i, p).is_zero()) continue;
      const Expr factor = at(i, p) / at(p, p);
      for (std::size_t j = p + 1; j < k; ++j) at(i, j) -= factor * at(p, j);
      r[i] -= factor * r[p];
    }
  }
  for (std::size_t p = k; p-- > 0;) {
    for (std::size_t j = p + 1; j < k; ++j) r[p] -= at(p, j) * r[j];
    r[p] = r[p] / at(p, p);
  }
  return r;
}

}  // namespace

std::optional<Acceleration> reaction_force_acceleration(const equations::System& system,
                                                        const ReactionDependence& dependence,
                                                        const solve::StaticStructure& structure, int refinements) {
  const std::size_t nc = system.rows.size(), nu = system.u.size(), k = dependence.rows.size();
  if (kept_count(structure) != nc) return std::nullopt;
  const solve::StaticLdlt ldlt(symbolic_system(system, all_rows(system)), structure);
  const Expr zero = system.graph->constant(0.0);
  std::vector<Expr> b;
  for (const equations::Row& row : system.rows) b.push_back(row.b);
  const std::vector<Expr> ideal = ldlt.solve(system.f, b, refinements).lambda;

  std::vector<std::vector<Expr>> per_force;  // [k][nu] derivatives of the multiplier by the generalized forces
  std::vector<Expr> x;
  for (const int row : dependence.rows) {
    std::vector<Expr> unit(nc, zero);
    unit[static_cast<std::size_t>(row)] = system.graph->constant(-1.0);
    per_force.push_back(ldlt.solve(std::vector<Expr>(nu, zero), unit, 0).u);
    x.push_back(ideal[static_cast<std::size_t>(row)]);
  }
  ForceOfReactions force(system, dependence, ideal);
  for (int step = 0; step < kNewtonSteps && k > 0; ++step) {
    force.evaluate(x);
    std::vector<Expr> missed, J(k * k, zero);
    for (std::size_t i = 0; i < k; ++i) {
      Expr sum = ideal[static_cast<std::size_t>(dependence.rows[i])] - x[i];
      for (std::size_t j = 0; j < nu; ++j) sum += per_force[i][j] * force.C()[j];
      missed.push_back(sum);
      J[i * k + i] = system.graph->constant(1.0);
      for (const expr::Entry& entry : force.C_x())
        J[i * k + static_cast<std::size_t>(entry.column)] -=
            per_force[i][static_cast<std::size_t>(entry.row)] * entry.value;
    }
    const std::vector<Expr> change = eliminated(std::move(J), std::move(missed));
    for (std::size_t i = 0; i < k; ++i) x[i] += change[i];
  }
  force.evaluate(x);
  std::vector<Expr> impressed = system.f;
  for (std::size_t j = 0; j < nu; ++j) impressed[j] += force.C()[j];
  solve::StaticSolution solution = ldlt.solve(impressed, b, refinements);

  Expr residual = solution.residual;
  for (std::size_t i = 0; i < k; ++i) {
    const Expr found = solution.lambda[static_cast<std::size_t>(dependence.rows[i])];
    const Expr start = ideal[static_cast<std::size_t>(dependence.rows[i])];
    const Expr size = expr::absolute(x[i]) + expr::absolute(start) + expr::absolute(x[i] - start);
    residual = expr::maximum(residual, expr::absolute(found - x[i]) - tolerance::kZero * size);
  }
  return Acceleration{
      system.q_dot, std::move(solution.u), std::move(solution.lambda), {residual, solution.contraction}, zero};
}

}  // namespace vinculum::solve

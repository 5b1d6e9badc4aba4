#include "vinculum/solve/generated/stick_response.hpp"

#include <string>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/solve/generated/motion.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;

/// J = ∂v/∂u for all components of the sliding velocities v.
std::vector<expr::SparseRow> gradients_of_slides(const equations::System& system) {
  std::vector<Expr> velocities;
  for (const equations::Slide& slide : system.slides)
    velocities.insert(velocities.end(), slide.velocity.begin(), slide.velocity.end());
  std::vector<expr::SparseRow> J;
  for (std::size_t i = 0; i < velocities.size(); ++i) J.emplace_back(*system.graph, system.u.size());
  for (const expr::Entry& entry : expr::sparse_jacobian(velocities, system.u))
    J[static_cast<std::size_t>(entry.row)].add(static_cast<std::size_t>(entry.column), entry.value);
  return J;
}

Expr product(const expr::SparseRow& row, const std::vector<Expr>& u, Expr sum) {
  for (const auto& [j, entry] : row) sum += entry * u[j];
  return sum;
}

/// Jᵀ x, the generalized force of forces x along the sliding velocities.
expr::SparseRow along(const equations::System& system, const std::vector<expr::SparseRow>& J,
                      const std::vector<Expr>& x) {
  expr::SparseRow sum(*system.graph, system.u.size());
  for (std::size_t i = 0; i < J.size(); ++i) {
    for (const auto& [j, entry] : J[i]) sum.add(j, entry * x[i]);
  }
  return sum;
}

}  // namespace

std::optional<StickResponse> stick_response(const equations::System& system, const solve::StaticStructure& structure,
                                            const equations::ArticulatedMotion* tree) {
  const std::vector<expr::SparseRow> J = gradients_of_slides(system);
  const Expr zero = system.graph->constant(0.0);
  StickResponse response;
  for (std::size_t i = 0; i < J.size(); ++i)
    response.x.push_back(system.graph->symbol("held force " + std::to_string(i + 1)));
  const expr::SparseRow force = along(system, J, response.x);
  if (tree != nullptr && system.rows.empty()) {
    std::vector<equations::ArticulatedFactor::Reduced> reduced;
    for (const expr::SparseRow& row : J) reduced.push_back(tree->factor->reduce(row));
    for (std::size_t i = 0; i < J.size(); ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        Expr sum = zero;
        for (std::size_t s = 0; s < system.u.size(); ++s) sum += reduced[i].w[s] * reduced[k].e[s];
        response.K.push_back(sum);
      }
    }
    response.push = tree->factor->expand(tree->factor->reduce(force).e);
    response.contraction = tree->contraction;
    return response;
  }
  if (system.M.is_deferred() || kept_count(structure) != system.rows.size()) return std::nullopt;
  const solve::StaticLdlt ldlt = kept_ldlt(system, all_rows(system), structure);
  const std::vector<Expr> nothing(system.rows.size(), zero);
  for (std::size_t i = 0; i < J.size(); ++i) {
    const std::vector<Expr> moved = ldlt.solve(J[i].dense(), nothing, 0).u;
    for (std::size_t k = 0; k <= i; ++k) response.K.push_back(product(J[k], moved, zero));
  }
  const solve::StaticSolution pushed = ldlt.solve(force.dense(), nothing, 0);
  response.push = pushed.u;
  response.contraction = pushed.contraction;
  return response;
}

}  // namespace vinculum::solve

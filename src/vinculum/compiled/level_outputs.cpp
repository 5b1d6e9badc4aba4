#include "vinculum/compiled/level_outputs.hpp"

#include "vinculum/base/index.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::sim {

using expr::Expr;

std::vector<Expr> level_outputs(const equations::System& system, const std::vector<Expr>& values,
                                const std::vector<int>& velocity_rows) {
  const std::size_t nu = system.u.size();
  const auto along_speeds = [&](Expr value) {  // ∂/∂q G
    const std::vector<Expr> slope = expr::gradient(value, system.q);
    std::vector<Expr> row(nu, system.graph->constant(0.0));
    for (std::size_t i = 0; i < slope.size(); ++i) {
      if (slope[i].is_zero()) continue;
      for (const auto& [r, G] : system.G[i]) row[r] += slope[i] * G;
    }
    return row;
  };
  std::vector<Expr> all = values;
  for (const Expr value : values) append(all, along_speeds(value));
  for (const Expr value : values) append(all, expr::gradient(value, system.u));
  for (const int row : velocity_rows) append(all, along_speeds(nth(system.rows, row).psi));
  return all;
}

}  // namespace vinculum::sim

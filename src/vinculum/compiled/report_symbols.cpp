#include "vinculum/compiled/report_symbols.hpp"

namespace vinculum::sim {

std::vector<expr::Expr> report_symbols(const equations::System& system) {
  std::vector<expr::Expr> symbols{system.t};
  for (const auto* some : {&system.q, &system.u, &system.z, &system.u_dot, &system.lambda, &system.lambda_ideal,
                           &system.effort, &system.slide_direction}) {
    symbols.insert(symbols.end(), some->begin(), some->end());
  }
  const auto top = system.top();
  symbols.insert(symbols.end(), top.begin(), top.end());
  symbols.insert(symbols.end(), system.vectors.begin(), system.vectors.end());
  return symbols;
}

}  // namespace vinculum::sim

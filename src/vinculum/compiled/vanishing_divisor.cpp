#include "vinculum/compiled/vanishing_divisor.hpp"

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/divisors.hpp"

namespace vinculum::sim {

std::optional<std::string> vanishing_divisor(const Binding& bound, std::span<const expr::Expr> expressions, double t,
                                             const double* y) {
  const equations::System& system = *bound->system;
  std::vector<expr::Expr> symbols = state_symbols(system);
  std::vector<double> values{t};
  values.insert(values.end(), y, y + system.nq() + system.nu() + system.nz());
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  values.insert(values.end(), bound.parameters.begin(), bound.parameters.end());
  auto divisor = expr::smallest_divisor(expressions, symbols, values);
  if (!divisor || divisor->relative > tolerance::kNearSingular) return std::nullopt;
  return std::move(divisor->text);
}

}  // namespace vinculum::sim

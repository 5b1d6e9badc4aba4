#include "vinculum/sim/plant/vanishing_divisor.hpp"

#include <fmt/format.h>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/divisors.hpp"

namespace vinculum::sim {

std::string vanishing_divisor(const CompiledModel& compiled, int row, double t, const double* y) {
  const dynamics::System& system = *compiled.system;
  const dynamics::Row& of = nth(system.rows, row);
  if (of.chi.is_valid()) return {};  // A holds u'
  std::vector<expr::Expr> symbols = state_symbols(system);
  std::vector<double> values{t};
  values.insert(values.end(), y, y + system.nq() + system.nu() + system.nz());
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  values.insert(values.end(), compiled.parameters.begin(), compiled.parameters.end());
  const auto divisor = expr::smallest_divisor(of.A, symbols, values);
  if (!divisor || divisor->relative > tolerance::kNearSingular) return {};
  return fmt::format(
      "; it divides by {}, which vanishes: a vector without a length, or a matrix that `solve` or `pinv` cannot invert",
      divisor->text);
}

}  // namespace vinculum::sim

#include "vinculum/hybrid/surface_rounding.hpp"

#include <cmath>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/expr/rounding.hpp"

namespace vinculum::sim {

double surface_rounding(const Binding& bound, std::size_t surface, double t, const Vector& y) {
  const Watches& watches = *bound->watches;
  const Switches::Surface& at = watches.switches.surfaces()[surface];
  std::vector<expr::Expr> roots = {at.x}, symbols = watches.known;
  if (!at.is_floor()) roots.push_back(at.y);
  symbols.insert(symbols.end(), watches.stated_parameters.begin(), watches.stated_parameters.end());
  std::vector<double> values = {t};
  values.insert(values.end(), y.data(), y.data() + y.size());
  values.insert(values.end(), bound.parameters.begin(), bound.parameters.end());
  double sum = 0.0;
  for (const Rounded& one : expr::interpret_with_noise(roots, symbols, values))
    sum += one.error + tolerance::kRounded * std::abs(one.value);
  return sum;
}

}  // namespace vinculum::sim

#include "vinculum/out/report/reported.hpp"

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/sim/plant/report_symbols.hpp"

namespace vinculum::out {

Reported::Reported(dynamics::System& system, std::span<const double> parameters, const sim::Sample& sample)
    : system_(system), symbols_(sim::report_symbols(system)) {
  sim::read_report_numbers(sample, values_);
  symbols_.insert(symbols_.end(), system.parameters.begin(), system.parameters.end());
  values_.insert(values_.end(), parameters.begin(), parameters.end());
}

std::vector<double> Reported::of(std::span<const expr::Expr> values) const {
  return expr::interpret(values, symbols_, values_);
}

std::vector<double> Reported::of(mechanics::Term term) const { return of(dynamics::lower(system_, term)); }

std::array<double, 3> Reported::vector(mechanics::Term term) const {
  const std::vector<double> v = of(term);
  return {v[0], v[1], v[2]};
}

}  // namespace vinculum::out

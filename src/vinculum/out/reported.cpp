#include "vinculum/out/reported.hpp"

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/expr/interpreter.hpp"

namespace vinculum::out {

Reported::Reported(dynamics::System& system, std::span<const double> parameters, const sim::Sample& sample) : system_(system) {
  const auto add = [&](const std::vector<expr::Expr>& symbols, const auto& values) {
    symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
    values_.insert(values_.end(), values.begin(), values.end());
  };
  symbols_.push_back(system.t);
  values_.push_back(sample.t);
  add(system.q, sample.q);
  add(system.u, sample.u);
  add(system.z, sample.z);
  add(system.u_dot, sample.reaction.u_dot());
  add(system.parameters, parameters);
  add(system.lambda, sample.reaction.lambda());
  add(system.lambda_ideal, sample.reaction.lambda_ideal());
  add(system.effort, sample.reaction.effort);
  add(system.slide_direction, sample.friction.direction);
  const auto top = system.top();
  symbols_.insert(symbols_.end(), top.begin(), top.end());
  values_.insert(values_.end(), sample.top.begin(), sample.top.end());
}

std::vector<double> Reported::of(std::span<const expr::Expr> values) const { return expr::interpret(values, symbols_, values_); }

std::vector<double> Reported::of(mechanics::Term term) const { return of(dynamics::lower(system_, term)); }

std::array<double, 3> Reported::vector(mechanics::Term term) const {
  const std::vector<double> v = of(term);
  return {v[0], v[1], v[2]};
}

}  // namespace vinculum::out

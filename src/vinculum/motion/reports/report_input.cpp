#include "vinculum/motion/reports/report_input.hpp"

#include <algorithm>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/rounding.hpp"

namespace vinculum::sim {

ReportInput::ReportInput(StateKernels& at)
    : at_(at),
      numbers_(static_cast<std::size_t>(1 + at.ny + at.nu + 2 * at.nc + at.compiled->effort_count() +
                                        at.compiled->slide_size()) +
                   at.compiled->system->top().size() + at.compiled->system->vectors.size(),
               0.0) {}

void ReportInput::fill(double t, const double* y, const Sample& sample) {
  double* place = numbers_.data();
  *place++ = t;
  place = std::copy_n(y, at_.ny, place);
  place = std::copy_n(sample.reaction.u_dot().data(), at_.nu, place);
  place = std::copy_n(sample.reaction.lambda().data(), at_.nc, place);
  place = std::copy_n(sample.reaction.lambda_ideal().data(), at_.nc, place);
  place = std::copy_n(sample.reaction.effort.data(), sample.reaction.effort.size(), place);
  std::copy_n(sample.friction.direction.data(), sample.friction.direction.size(), place);
  place += at_.compiled->slide_size();
  place = std::copy_n(sample.top.data(), sample.top.size(), place);
  std::copy_n(sample.vectors.data(), sample.vectors.size(), place);
}

std::vector<Rounded> ReportInput::with_noise(std::span<const expr::Expr> values) const {
  const equations::System& system = *at_.compiled->system;
  std::vector<expr::Expr> symbols = report_symbols(system);
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  std::vector<Rounded> numbers(numbers_.begin(), numbers_.end());
  numbers.insert(numbers.end(), at_.bound->parameters.begin(), at_.bound->parameters.end());
  const double* const q = numbers_.data() + 1;
  const Vector q_scale = coordinate_scale(*at_.bound, Eigen::Map<const Vector>(q, at_.nq));
  for (int i = 0; i < at_.nq; ++i) nth(numbers, 1 + i).error = tolerance::kZero * q_scale[i];
  for (int i = 0; i < at_.nu; ++i) nth(numbers, 1 + at_.nq + i).error = tolerance::kZero * at_.sizes.scale[at_.nq + i];
  return expr::interpret_with_noise(values, symbols, numbers);
}

std::string ReportInput::explain_non_finite(std::span<const expr::Expr> values) const {
  const equations::System& system = *at_.compiled->system;
  std::vector<expr::Expr> symbols{system.t};
  for (const auto* more : {&system.q, &system.u, &system.z, &system.u_dot, &system.lambda, &system.lambda_ideal,
                           &system.effort, &system.slide_direction}) {
    symbols.insert(symbols.end(), more->begin(), more->end());
  }
  symbols.insert(symbols.end(), system.top().begin(), system.top().end());
  symbols.insert(symbols.end(), system.vectors.begin(), system.vectors.end());
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  std::vector<double> numbers = numbers_;
  numbers.insert(numbers.end(), at_.bound->parameters.begin(), at_.bound->parameters.end());
  return expr::explain_non_finite(values, symbols, numbers);
}

}  // namespace vinculum::sim

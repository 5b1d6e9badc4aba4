#include "vinculum/motion/output_rounding.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/model/dimensions.hpp"

namespace vinculum::sim {
namespace {

/// Appends values, each with an error relative to its size.
void add_states(std::vector<Rounded>& numbers, const Vector& values, const Vector& sizes, double error) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double size = sizes.size() == values.size() ? sizes[i] : 0.0;
    numbers.emplace_back(values[i], error * std::max(size, std::fabs(values[i])));
  }
}

/// Appends results of one linear solve. Each has an error relative to the largest size of the same dimension.
void add_results(std::vector<Rounded>& numbers, const Vector& values, const std::vector<Dimension>& dimensions,
                 const Vector& sizes, double error) {
  const auto size_of = [&](Eigen::Index k) {
    const double size = std::max(std::fabs(values[k]), sizes.size() == values.size() ? sizes[k] : 0.0);
    return std::isfinite(size) ? size : 0.0;
  };
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    double size = std::fabs(values[i]);
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      const bool is_alike = dimensions.size() != static_cast<std::size_t>(values.size()) ||
                            dimensions[static_cast<std::size_t>(k)] == dimensions[static_cast<std::size_t>(i)];
      if (is_alike) size = std::max(size, size_of(k));
    }
    numbers.emplace_back(values[i], error * size);
  }
}

}  // namespace

void SampleSizes::raise(const Sample& sample) {
  const auto raise_one = [](Vector& size, const Vector& by) {
    if (size.size() == by.size())
      size = size.cwiseMax(by.cwiseAbs());
    else
      size = by.cwiseAbs();
  };
  raise_one(q, sample.q);
  raise_one(u, sample.u);
  raise_one(z, sample.z);
  raise_one(u_dot, sample.reaction.u_dot());
  raise_one(lambda, sample.reaction.lambda());
}

std::vector<Rounded> with_rounding(const Binding& bound, std::span<const expr::Expr> values, const Sample& sample,
                                   const SampleSizes& sizes, double error) {
  const equations::System& system = *bound->system;
  std::vector<Dimension> of_speeds, of_rows;
  for (const model::Speed& speed : bound->model->speeds) of_speeds.push_back(speed.dimension);
  for (const equations::Row& row : system.rows)
    of_rows.push_back(
        model::dimension_of_multiplier(*bound->model, row.constraint, static_cast<std::size_t>(row.index)));
  std::vector<Rounded> numbers{sample.t};
  add_states(numbers, sample.q, sizes.q, error);
  add_states(numbers, sample.u, sizes.u, error);
  add_states(numbers, sample.z, sizes.z, error);
  const double of_solve = std::max(error, tolerance::kConverged);
  const auto add_other = [&](const Vector& x) { add_results(numbers, x, {}, {}, of_solve); };
  add_results(numbers, sample.reaction.u_dot(), of_speeds, sizes.u_dot, of_solve);
  add_results(numbers, sample.reaction.lambda(), of_rows, sizes.lambda, of_solve);
  add_results(numbers, sample.reaction.lambda_ideal(), of_rows, sizes.lambda, of_solve);
  add_other(sample.reaction.effort);
  add_other(sample.friction.direction);
  add_other(sample.top);
  add_other(sample.vectors);
  std::vector<expr::Expr> symbols = report_symbols(system);
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  for (const double value : bound.parameters) numbers.emplace_back(value);
  return expr::interpret_with_bounds(values, symbols, numbers);
}

std::vector<double> rounding_of_outputs(const Binding& bound, const Sample& sample, const SampleSizes& largest) {
  std::vector<double> errors;
  for (const Rounded& one : with_rounding(bound, bound->output_values, sample, largest, tolerance::kEqual))
    errors.push_back(std::isfinite(one.error) ? one.error : 0.0);
  return errors;
}

}  // namespace vinculum::sim

#include "vinculum/motion/output_rounding.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/model/dimensions.hpp"

namespace vinculum::sim {
namespace {

/// Appends values, each with the rounding error of its largest absolute value along the run.
void add_states(std::vector<Rounded>& numbers, const Vector& values, const Vector& largest) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double size = largest.size() == values.size() ? largest[i] : 0.0;
    numbers.emplace_back(values[i], tolerance::kEqual * std::max(size, std::fabs(values[i])));
  }
}

/// Appends results of one linear solve. Each has an error relative to the largest result of the same dimension.
void add_results(std::vector<Rounded>& numbers, const Vector& values, const std::vector<Dimension>& dimensions) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    double size = std::fabs(values[i]);
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      const bool is_alike = dimensions.size() != static_cast<std::size_t>(values.size()) ||
                            dimensions[static_cast<std::size_t>(k)] == dimensions[static_cast<std::size_t>(i)];
      if (is_alike && std::isfinite(values[k])) size = std::max(size, std::fabs(values[k]));
    }
    numbers.emplace_back(values[i], tolerance::kConverged * size);
  }
}

}  // namespace

std::vector<double> rounding_of_outputs(const Binding& bound, const Sample& sample, const Vector& largest_q,
                                        const Vector& largest_u, const Vector& largest_z) {
  const equations::System& system = *bound->system;
  std::vector<Dimension> of_speeds, of_rows;
  for (const model::Speed& speed : bound->model->speeds) of_speeds.push_back(speed.dimension);
  for (const equations::Row& row : system.rows)
    of_rows.push_back(
        model::dimension_of_multiplier(*bound->model, row.constraint, static_cast<std::size_t>(row.index)));
  std::vector<Rounded> numbers{sample.t};
  add_states(numbers, sample.q, largest_q);
  add_states(numbers, sample.u, largest_u);
  add_states(numbers, sample.z, largest_z);
  add_results(numbers, sample.reaction.u_dot(), of_speeds);
  add_results(numbers, sample.reaction.lambda(), of_rows);
  add_results(numbers, sample.reaction.lambda_ideal(), of_rows);
  add_results(numbers, sample.reaction.effort, {});
  add_results(numbers, sample.friction.direction, {});
  add_results(numbers, sample.top, {});
  add_results(numbers, sample.vectors, {});
  std::vector<expr::Expr> symbols = report_symbols(system);
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  for (const double value : bound.parameters) numbers.emplace_back(value);
  std::vector<double> errors;
  for (const Rounded& one : expr::interpret_with_noise(bound->output_values, symbols, numbers))
    errors.push_back(std::isfinite(one.error) ? one.error : 0.0);
  return errors;
}

}  // namespace vinculum::sim

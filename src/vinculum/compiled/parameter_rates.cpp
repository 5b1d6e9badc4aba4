#include "vinculum/compiled/parameter_rates.hpp"

#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/taylor.hpp"

namespace vinculum::sim {

ParameterRates parameter_rates(const equations::System& system, const Binding& bound,
                               std::span<const std::size_t> chosen) {
  const auto& all = system.model->parameters;
  std::vector<expr::Expr> definitions;
  std::vector<std::size_t> defined;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].definition.is_valid() || bound.is_set[i] != 0) continue;
    definitions.push_back(equations::lower(system, all[i].definition)[0]);
    defined.push_back(i);
  }
  const auto size = [](std::size_t count) { return static_cast<Eigen::Index>(count); };
  Matrix rates = Matrix::Zero(size(all.size()), size(chosen.size()));
  for (std::size_t p = 0; p < chosen.size(); ++p) {
    rates(size(chosen[p]), size(p)) = 1.0;
    // definitions contain earlier parameters only
    for (std::size_t d = 0; d < defined.size(); ++d) {
      if (defined[d] == chosen[p]) continue;
      expr::TaylorSeries series({definitions[d]}, system.parameters, 1);
      for (std::size_t i = 0; i < all.size(); ++i) {
        series.set(i, 0, bound.parameters[i]);
        series.set(i, 1, rates(size(i), size(p)));
      }
      series.compute(0);
      series.compute(1);
      rates(size(defined[d]), size(p)) = series(0, 1);
    }
  }
  ParameterRates result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!rates.row(size(i)).isZero(0.0)) result.by.push_back(i);
  }
  result.rates = Matrix::Zero(size(result.by.size()), rates.cols());
  for (std::size_t i = 0; i < result.by.size(); ++i) result.rates.row(size(i)) = rates.row(size(result.by[i]));
  return result;
}

}  // namespace vinculum::sim

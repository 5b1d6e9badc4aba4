#include "vinculum/motion/higher_order.hpp"

#include "vinculum/base/index.hpp"
#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/sizes.hpp"

namespace vinculum::sim {
namespace {

Dimension dimension_of(const equations::System& system, const equations::HigherOrder::Unknown& unknown) {
  using Kind = equations::HigherOrder::Unknown::Kind;
  const model::Model& model = *system.model;
  const auto i = static_cast<std::size_t>(unknown.index);
  const auto rate = [](int order) { return make_dimension(0, 0, -order); };
  switch (unknown.kind) {
    case Kind::kCoordinate: return model.speeds[i].dimension * rate(unknown.order - 1);
    case Kind::kMultiplier: {
      const equations::Row& row = system.rows[i];
      return model::dimension_of_multiplier(model, row.constraint, static_cast<std::size_t>(row.index)) *
             rate(unknown.order);
    }
    case Kind::kState: return model.states[i].dimension * rate(unknown.order);
    case Kind::kMu: {
      const auto row = static_cast<std::size_t>(system.higher->row_of_mu[i]);
      return model::dimension_of_mu(model, system.higher->constraint_of_mu[i], row) * rate(unknown.order);
    }
  }
  return {};
}

}  // namespace

Vector highest_derivative_scale(const Binding& bound) {
  const equations::System& system = *bound->system;
  const model::ModelUnits units(*system.model, bound.parameters, model::stated_places(*system.model, bound.parameters));
  Vector sizes(static_cast<Eigen::Index>(system.higher->unknowns.size()));
  for (Eigen::Index j = 0; j < sizes.size(); ++j)
    sizes[j] = units.of(dimension_of(system, nth(system.higher->unknowns, j)));
  return sizes;
}

}  // namespace vinculum::sim

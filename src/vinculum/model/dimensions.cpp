#include "vinculum/model/dimensions.hpp"

#include <algorithm>

#include "vinculum/model/calculus.hpp"

namespace vinculum::model {

Dimension dimension_of_row(const Constraint& constraint, std::size_t row) {
  return constraint.row_dimensions.empty() ? constraint.dimension : constraint.row_dimensions[row];
}

Dimension dimension_of_multiplier(const Model& model, ConstraintId id, std::size_t row) {
  const Constraint& constraint = model.constraint(id);
  const bool has_own_level = !constraint.joint.empty() || !constraint.row_dimensions.empty();
  const Level level = has_own_level ? level_of(model, constraint.rows[row]) : constraint.level;
  // λ belongs to the time derivative of the row that contains accelerations, so [λ] is W/s divided by the unit of that
  // derivative.
  if (holds_state(constraint.rows[row])) {
    const int order = order_of_accelerations(model, constraint.rows[row]).value_or(2);
    return make_dimension(1, 2, -4 + order) / dimension_of_row(constraint, row);
  }
  const int rate_of_work = -2 - static_cast<int>(level);  // [multiplier] × [row] is J, W, W/s or W/s²
  return make_dimension(1, 2, rate_of_work) / dimension_of_row(constraint, row);
}

Dimension dimension_of_acceleration_row(const Model& model, ConstraintId id, std::size_t row) {
  const Constraint& constraint = model.constraint(id);
  const int to_go = static_cast<int>(Level::kAcceleration) - static_cast<int>(level_of(model, constraint.rows[row]));
  return dimension_of_row(constraint, row) * make_dimension(0, 0, -std::max(0, to_go));
}

Dimension dimension_of_mu(const Model& model, ConstraintId id, std::size_t row) {
  const int level = static_cast<int>(level_of(model, model.constraint(id).rows[row]));
  return dimension_of_multiplier(model, id, row) * make_dimension(0, 0, std::max(1, level));
}

}  // namespace vinculum::model

#include "vinculum/model/row_multiplier.hpp"

#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/law.hpp"

namespace vinculum::model {

RowMultiplier row_multiplier(const Model& model, ConstraintId id, std::size_t row) {
  const Constraint& constraint = model.constraint(id);
  const Law& law = *constraint.law;
  RowMultiplier result;
  if (!is_realised(constraint)) result.term = law.multiplier(model, id, row);
  if (!result.term.is_valid()) result.term = model.terms->multiplier(id, static_cast<int>(row));
  const auto actuators = law.actuators();
  result.dimension = !actuators.empty()          ? actuators[row].dimension
                     : law.multiplies_momentum() ? dimension_of_mu(model, id, row)
                                                 : dimension_of_multiplier(model, id, row);
  return result;
}

UnitText unit_of_row_multiplier(const Model& model, ConstraintId id, std::size_t row) {
  const Dimension dimension = row_multiplier(model, id, row).dimension;
  return dimension == make_dimension(1, 2, -2) ? unit_of_force(model, true) : unit_of(model, dimension);
}

}  // namespace vinculum::model

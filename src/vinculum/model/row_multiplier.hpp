#pragma once

#include "vinculum/model/model.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::model {

/// The term that `multiplier(c)` means for a row: the μ of the reaction law, the effort of an unnamed actuator, or else
/// the λ of the row in A u' = b.
struct RowMultiplier {
  Term term;
  Dimension dimension;
};
/// \pre the constraint is not enforced by named actuators.
[[nodiscard]] RowMultiplier row_multiplier(const Model& model, ConstraintId constraint, std::size_t row);
[[nodiscard]] UnitText unit_of_row_multiplier(const Model& model, ConstraintId constraint, std::size_t row);

}  // namespace vinculum::model

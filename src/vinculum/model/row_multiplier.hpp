#pragma once

#include "vinculum/model/model.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::model {

/// `multiplier(c)` of a row: the μ that the law makes of it, the effort of an actuator without a name, else the λ of
/// the row in A u' = b.
struct RowMultiplier {
  Term term;
  Dimension dimension;
};
/// \pre the constraint is not kept by actuators that are named.
[[nodiscard]] RowMultiplier row_multiplier(const Model& model, ConstraintId constraint, std::size_t row);
[[nodiscard]] UnitText unit_of_row_multiplier(const Model& model, ConstraintId constraint, std::size_t row);

}  // namespace vinculum::model

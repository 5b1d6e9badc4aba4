#pragma once

#include "vinculum/model/model.hpp"

namespace vinculum::model {

[[nodiscard]] Dimension dimension_of_row(const Constraint& constraint, std::size_t row);
/// Dimension of the residual of a row at acceleration level: [row]/s^k, where k derivatives lead to that level.
[[nodiscard]] Dimension dimension_of_acceleration_row(const Model& model, ConstraintId id, std::size_t row);
/// Dimension of a row's multiplier λ: J/[φ], W/[ψ] or (W/s)/[χ] by the level of the row.
[[nodiscard]] Dimension dimension_of_multiplier(const Model& model, ConstraintId constraint, std::size_t row);
/// Dimension of a multiplier μ: μF has the dimension of L.
[[nodiscard]] Dimension dimension_of_mu(const Model& model, ConstraintId constraint, std::size_t row);

}  // namespace vinculum::model

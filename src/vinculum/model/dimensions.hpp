#pragma once

#include "vinculum/model/model.hpp"

namespace vinculum::model {

[[nodiscard]] Dimension dimension_of_row(const Constraint& constraint, std::size_t row);
/// Dimension of a row's residual after the k differentiations that lead to accelerations: [row]/s^k.
[[nodiscard]] Dimension dimension_of_acceleration_row(const Model& model, ConstraintId id, std::size_t row);
/// Dimension of a row's multiplier λ: J/[φ], W/[ψ] or (W/s)/[χ] for rows of position, velocity or acceleration level.
[[nodiscard]] Dimension dimension_of_multiplier(const Model& model, ConstraintId constraint, std::size_t row);
/// Dimension of the momentum-like multiplier μ of a law (theory.md §5.9). μF has the dimension of the Lagrangian; F is
/// the row, or its rate for a row of position level.
[[nodiscard]] Dimension dimension_of_mu(const Model& model, ConstraintId constraint, std::size_t row);

}  // namespace vinculum::model

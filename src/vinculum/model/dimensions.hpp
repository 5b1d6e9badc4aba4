#pragma once

#include "vinculum/model/model.hpp"

namespace vinculum::model {

[[nodiscard]] Dimension dimension_of_row(const Constraint& constraint, std::size_t row);
/// Of what a row misses at the level of accelerations: [row]/s^k, k the derivatives up to there.
[[nodiscard]] Dimension dimension_of_acceleration_row(const Model& model, ConstraintId id, std::size_t row);
/// Of a row's multiplier λ: J/[φ], W/[ψ] or (W/s)/[χ] by the row's level.
[[nodiscard]] Dimension dimension_of_multiplier(const Model& model, ConstraintId constraint, std::size_t row);
/// Of a multiplier μ: μF adds to L.
[[nodiscard]] Dimension dimension_of_mu(const Model& model, ConstraintId constraint, std::size_t row);

}  // namespace vinculum::model

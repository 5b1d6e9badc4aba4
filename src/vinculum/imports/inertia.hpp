#pragma once

#include "vinculum/imports/robot.hpp"
#include "vinculum/model/real_inertia.hpp"

namespace vinculum::imports {

/// The same inertia in the axes of another frame. \param rotation  columns: unit vectors of the present axes in it.
[[nodiscard]] model::Moments turned(const model::Moments& inertia, const Matrix3& rotation);

/// The least s, rounded up to two digits, such that a body can have the inertia I + s·1; 0 if one can have I.
/// [kg m²]
[[nodiscard]] double added_to_be_real(const model::Moments& inertia);

/// The inertia nearest to this one, by the sum of the squares of all nine entries, that a body can have. It has the
/// same principal axes.
[[nodiscard]] model::Moments nearest_real(const model::Moments& inertia);

}  // namespace vinculum::imports

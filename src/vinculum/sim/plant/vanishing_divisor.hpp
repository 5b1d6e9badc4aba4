#pragma once

#include <string>

#include "vinculum/sim/plant/compiled_model.hpp"

namespace vinculum::sim {

/// Why the gradient of a row may have no direction at a state: it divides by what vanishes there, as the inverse that
/// `solve` and `pinv` make of a matrix that becomes singular, or the unit vector of one that has no length. For the end
/// of a message, "; it divides by …"; empty where it divides by nothing that small.
/// \param y [nq + nu + nz]
[[nodiscard]] std::string vanishing_divisor(const CompiledModel& compiled, int row, double t, const double* y);

}  // namespace vinculum::sim

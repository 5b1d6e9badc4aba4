#pragma once

#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::sim {

/// Whether the result of a generated solve may be trusted.
/// \param guards  the relative residual of the solve, and the contraction of its pivots (StaticLdlt)
[[nodiscard]] inline bool is_accepted(const double* guards) {
  return guards[0] <= solve::StaticLdlt::kTolResidual && guards[1] <= solve::StaticLdlt::kTolContraction;
}

}  // namespace vinculum::sim

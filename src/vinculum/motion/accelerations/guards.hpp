#pragma once

#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::sim {

/// Whether a generated solve may be trusted, by its residual and contraction.   \param guards  these two
[[nodiscard]] inline bool is_accepted(const double* guards) {
  return guards[0] <= solve::StaticLdlt::kTolResidual && guards[1] <= solve::StaticLdlt::kTolContraction;
}

}  // namespace vinculum::sim

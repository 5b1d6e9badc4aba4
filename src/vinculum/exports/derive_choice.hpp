#pragma once

#include "vinculum/exports/derive_report.hpp"

namespace vinculum::report {

/// Divides the speeds of the minimal form, by pivoting of the rows of A (each of unit length in the metric of the
/// diagonal of the metric) at the assembled start, at a random state where there is none: dependent are the last speeds
/// whose pivots are not small, none of those that `run … independent` names.
/// \returns kSingularKinematics where the stated ones, or the additional variables, do not determine the others.
[[nodiscard]] Outcome<void> choose_speeds(Derivation& derivation);

}  // namespace vinculum::report

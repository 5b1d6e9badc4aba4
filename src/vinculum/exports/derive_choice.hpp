#pragma once

#include "vinculum/exports/derive_report.hpp"

namespace vinculum::report {

/// Divides the speeds of the minimal form into independent and dependent ones, by pivoting the rows of A (scaled to
/// unit length in the metric of the diagonal of M) at the assembled start, or at a random state if there is no start.
/// The last speeds whose pivots are not small become dependent, except those named by `run … independent`.
/// \returns kSingularKinematics if the stated independent speeds, or the additional variables, do not determine the
/// others.
[[nodiscard]] Outcome<void> choose_speeds(Derivation& derivation);

}  // namespace vinculum::report

#pragma once

#include "vinculum/exports/derive_report.hpp"

namespace vinculum::report {

/// Separates the speeds of the minimal form into independent and dependent ones. The rows of A, scaled to unit length
/// in the metric of the diagonal of M, are pivoted at the assembled start, or at a random state if there is no start.
/// In each row, the dependent speed is the last one among the speeds whose pivots are not small. Speeds stated by `run
/// … independent` stay independent.
/// \returns kSingularKinematics if the stated independent speeds, or the additional variables, do not determine the
/// other speeds.
[[nodiscard]] Outcome<void> choose_speeds(Derivation& derivation);

}  // namespace vinculum::report

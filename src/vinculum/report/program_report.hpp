#pragma once

#include "vinculum/exports/derive_report.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum::report {

/// What a program that calls the code of a derivation needs to know: the arrays with names and units of their entries,
/// inputs, events, and which functions the code contains (docs/derive.md).
/// \param has_jumps  whether speeds may jump without an event, as where a stated motion of a point starts or stops
/// \pre `why_no_code` is empty
[[nodiscard]] Node program_report(const Derivation& derivation, bool has_jumps);

}  // namespace vinculum::report

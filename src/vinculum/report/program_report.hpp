#pragma once

#include "vinculum/exports/derive_report.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum::report {

/// What a program that calls the code of a derivation needs to know: the arrays with names and units of their entries,
/// inputs, events, and which functions the code contains (docs/derive.md).
/// \pre `why_no_code` is empty
[[nodiscard]] Node program_report(const Derivation& derivation);

}  // namespace vinculum::report

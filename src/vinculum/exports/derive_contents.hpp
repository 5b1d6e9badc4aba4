#pragma once

#include "vinculum/exports/derive_report.hpp"
#include "vinculum/exports/program.hpp"

namespace vinculum::report {

/// Fills in what the head of a derivation's program says: what the program is, which entry of its arrays is what, which
/// speeds it takes as independent.
void describe(const Derivation& derivation, Program& program);

/// How what is printed names a row: "parallel", "roll[2]".
[[nodiscard]] std::string row_name(const equations::System& system, std::size_t row);

}  // namespace vinculum::report

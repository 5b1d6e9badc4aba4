#pragma once

#include "vinculum/exports/derive_outputs.hpp"
#include "vinculum/exports/derive_report.hpp"
#include "vinculum/exports/derive_switches.hpp"
#include "vinculum/exports/program.hpp"

namespace vinculum::report {

/// Writes the description in the header of a program: the results of the program, the meaning of each array entry, and
/// the choice of independent speeds.
void describe(const Derivation& derivation, const ProgramOutputs& outputs,
              const std::vector<SwitchingSurface>& surfaces, Program& program);

/// Returns the name of a row in printed output: "parallel", "roll[2]".
[[nodiscard]] std::string row_name(const equations::System& system, std::size_t row);

}  // namespace vinculum::report

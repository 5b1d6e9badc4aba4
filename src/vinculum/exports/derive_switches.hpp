#pragma once

#include <string>
#include <vector>

#include "vinculum/exports/derive_code_writer.hpp"

namespace vinculum::report {

/// A switching surface of the equations: where `if`, `abs`, `sign`, `min`, `max`, `floor` or a table with jumps change.
struct SwitchingSurface {
  std::string text;     ///< the operation as the model states it
  expr::Expr function;  ///< of t, q, u, z and parameters; it passes 0 at the surface
};

/// The surfaces in the equations of a derivation, without the conditions of events and `when` clauses, which have
/// guards. Operations that depend on reactions have no surface. Adds to the graph of the system.
[[nodiscard]] std::vector<SwitchingSurface> switching_surfaces(const Derivation& derivation);

/// Whether speeds may jump without an event: the velocity of a particle or body, or a momentum, contains a switch, as
/// where a stated motion of a point starts or stops (theory.md §10.2). The equations do not contain such jumps.
[[nodiscard]] bool may_jump(const Derivation& derivation);

/// Adds the function `switches` to a program. \pre there are surfaces
void write_switches(CodeWriter& writer, const std::vector<SwitchingSurface>& surfaces);

/// The lines of the header of a program about its surfaces; empty if there are none.
[[nodiscard]] std::string contents_of_switches(const std::vector<SwitchingSurface>& surfaces);

}  // namespace vinculum::report

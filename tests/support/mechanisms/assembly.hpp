#pragma once

#include "support/mechanisms/rows.hpp"

namespace vinculum::mechanisms {

/// Changes the guessed coordinates so that all rows at position level hold.
/// \returns whether Newton's iteration converged.
[[nodiscard]] bool assemble_positions(Mechanism& mechanism);
/// Changes the guessed rates so that all rows at velocity level, and the rates of position rows, hold.
[[nodiscard]] bool assemble_velocities(Mechanism& mechanism);
/// Whether some accelerations satisfy all rows at the guessed state.
[[nodiscard]] bool has_accelerations(const Mechanism& mechanism);
/// Whether a row of the constraint has a zero gradient at this state, but not at neighboring states: |x| = 0, 1 −
/// cos(x) = 0.
[[nodiscard]] bool has_degenerate_row(const Mechanism& mechanism, std::size_t constraint);
/// Whether a joint that fixes an attitude has the attitude of A. Its three rows also hold for seven other attitudes.
[[nodiscard]] bool has_attitude(const Mechanism& mechanism, const Constraint& joint);
[[nodiscard]] std::vector<double> guessed_q(const Mechanism& mechanism);
[[nodiscard]] std::vector<double> guessed_u(const Mechanism& mechanism, const Structure& structure);

}  // namespace vinculum::mechanisms

#pragma once

#include "support/mechanisms/rows.hpp"

namespace vinculum::mechanisms {

/// Moves the coordinates' guesses to where all rows of position level hold.
/// \returns whether Newton's iteration came there.
[[nodiscard]] bool assemble_positions(Mechanism& mechanism);
/// Moves the guesses of the rates to where all rows of velocity level, and the rates of position rows, hold.
[[nodiscard]] bool assemble_velocities(Mechanism& mechanism);
/// Whether some accelerations satisfy all rows there.
[[nodiscard]] bool has_accelerations(const Mechanism& mechanism);
/// Whether a row of the constraint has no gradient at this state, but has one at states nearby: |x| = 0, 1 − cos(x) =
/// 0.
[[nodiscard]] bool has_degenerate_row(const Mechanism& mechanism, std::size_t constraint);
/// Whether a joint that keeps an attitude keeps that of A: its three rows hold in seven others too.
[[nodiscard]] bool has_attitude(const Mechanism& mechanism, const Constraint& joint);
[[nodiscard]] std::vector<double> guessed_q(const Mechanism& mechanism);
[[nodiscard]] std::vector<double> guessed_u(const Mechanism& mechanism, const Structure& structure);

}  // namespace vinculum::mechanisms

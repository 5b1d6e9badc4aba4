#pragma once

#include <vector>

#include "vinculum/hybrid/event_source.hpp"

/// Changes of velocities at a switching surface: by rows that change there, by friction, by laws (theory.md §10.2).
namespace vinculum::sim {

/// Rows of the constraints on one side of a surface.
struct RowsAtSurface {
  numeric::SparseRows A;
  Vector residual;  ///< [nc] absolute
  Vector rounding;  ///< [nc] uncertainty of the residual
};
/// \param sides  of the mode
[[nodiscard]] RowsAtSurface rows_at_surface(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                            const std::vector<double>& sides);

/// The rows on both sides.
struct RowsChange {
  const std::vector<char>&was_acting, &is_acting;  ///< [nc]
  const RowsAtSurface &before, &after;
};
/// Whether a row asks for another velocity after the change.
/// \returns a failure if the gradient or the position of a row jumps.
[[nodiscard]] Outcome<bool> velocities_may_jump(const Dynamics& dynamics, double t, const RowsChange& rows);

/// Brings speeds onto the rows that act, then decides friction: its forces are bounded, so it has no impulse.
/// \param records  whether the impulse is an event of the run
/// \returns whether speeds have jumped; kNotUnique if they do under laws that determine no impulse
[[nodiscard]] Outcome<bool> jump_by_rows(Dynamics& dynamics, Transition& to, bool records);

/// A contact that sticks to a body that starts to move at once, such as a belt that is switched on, slides from here
/// on. A contact that slides on it may reverse.
[[nodiscard]] Outcome<void> let_slide_what_moves(Dynamics& dynamics, Transition& to);

/// The failure kNotUnique if the inertia that laws add jumps: nothing determines whether its momenta are conserved.
/// \param run  with the mode before the transition
[[nodiscard]] Outcome<void> keeps_inertia_of_laws(const Watched& run, const Transition& to);

/// Records which constraints begin or cease to act.
void record_acting(const Binding& bound, const std::vector<char>& was, const std::vector<char>& acts, Transition& to);

}  // namespace vinculum::sim

#pragma once

#include <vector>

#include "vinculum/hybrid/event_source.hpp"

/// Computes jumps of velocities at a switching surface, where constraint rows, friction or reaction laws change
/// (theory.md §10.2).
namespace vinculum::sim {

/// Constraint rows A u = … on one side of a switching surface.
struct RowsAtSurface {
  numeric::SparseRows A;
  Vector residual;  ///< [nc] not divided by a scale
  Vector rounding;  ///< [nc] uncertainty of the residual
};
/// \param sides  [surfaces] sides with which the rows are evaluated
[[nodiscard]] RowsAtSurface rows_at_surface(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                            const std::vector<double>& sides);

/// The constraint rows before and after a surface is crossed.
struct RowsChange {
  const std::vector<char>&was_acting, &is_acting;  ///< [nc] whether each row acts
  const RowsAtSurface &before, &after;
};
/// True if a row may require another velocity after the change.
/// \returns a failure if the position of a row jumps, or the gradient of a row that is no contact.
[[nodiscard]] Outcome<bool> velocities_may_jump(const Dynamics& dynamics, double t, const RowsChange& rows);
/// Whether the gradient of a closed unilateral constraint jumps, as at a corner of a body.
[[nodiscard]] bool turns_contacts(const Dynamics& dynamics, const RowsChange& rows);

/// Changes the speeds so that they satisfy the rows that act, then decides between stick and slip. Friction forces are
/// bounded and cause no impulse.
/// \param records  whether to add the impulse to the events of the run
/// \returns true if the speeds have jumped; kNotUnique if they would have to jump under a reaction law that determines
/// no impulse.
[[nodiscard]] Outcome<bool> jump_by_rows(Dynamics& dynamics, Transition& to, bool records);

/// Decides again between stick and slip after velocities have jumped, for example because a belt is switched on. A
/// contact that stuck to the belt slides from then on; the sliding direction of other contacts may reverse.
[[nodiscard]] Outcome<void> let_slide_what_moves(Dynamics& dynamics, Transition& to);

/// Fails with kNotUnique if the inertia that reaction laws add to the mass matrix jumps: the laws do not determine
/// whether the momenta or the velocities stay the same.
/// \param run  has the mode before the transition
[[nodiscard]] Outcome<void> keeps_inertia_of_laws(const Watched& run, const Transition& to);

/// Adds to the transition's events the constraints that begin or cease to act.
/// \param was, acts  [nc] whether each row acts before and after
void record_acting(const Binding& bound, const std::vector<char>& was, const std::vector<char>& acts, Transition& to);

}  // namespace vinculum::sim

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/hybrid/run_record.hpp"
#include "vinculum/motion/dynamics.hpp"

/// Computes jumps of the speeds at an instant at which constraints begin to act or an event sets speeds (theory.md
/// §10.2).
namespace vinculum::sim {

/// Changes the speeds by Δu so that they satisfy the constraints that act in `mode`: M Δu = Aᵀp, A Δu = −ψ. p are the
/// impulses, ψ the residuals of the constraints before the jump. Friction forces are bounded, so they contribute no
/// impulse: contacts that stick are treated as sliding. After a jump the caller decides again which contacts stick.
/// \param y  becomes the state after the jump. Without a jump it is projected onto the constraints; if contacts stick,
/// it is unchanged.
/// \returns the impulses of the rows; nothing if the speeds do not jump. Fails if the projection fails. Fails with
/// kNotUnique if a row is not linear in the speeds and its gradient has another direction after the jump than before.
[[nodiscard]] Outcome<std::optional<Impulse>> meet_constraints(Dynamics& dynamics, Mode& mode, double t, Vector& y);

/// [nc] 1 if the row acts at this state: its condition (`when`), evaluated as the model states it, is true, or it has
/// no condition.
[[nodiscard]] std::vector<char> acting_as_stated(const Binding& bound, double t, const Vector& y);

/// Returns the reason if constraints cannot begin to act at a state. Either a constraint of positions is not satisfied,
/// and no finite velocity can close its gap at once; or the gradient of a row vanishes, and nothing determines its
/// impulse.
/// \param mode  mode in which the constraints act
/// \param was, acts  [nc] whether each row acts before and after this instant
/// \param tolerance  of the run
[[nodiscard]] std::optional<Failure> cannot_begin(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                                  const std::vector<char>& was, const std::vector<char>& acts,
                                                  double tolerance);

/// [surfaces] Sides of the switching surfaces x = y in `when` conditions, after an event has replaced the state
/// y_before by y. The side is NaN if the event has not changed x − y, and for surfaces in no `when` condition. An
/// exception are surfaces that depend on the time only: if t lies on such a surface, its side is that of equality.
/// \param sides  [surfaces] sides before the event
[[nodiscard]] std::vector<double> conditions_after_set(const Binding& bound, const std::vector<double>& sides, double t,
                                                       const Vector& y_before, const Vector& y);

/// A switching surface in the condition of a row that begins to act. The row itself keeps the motion on that surface.
struct HeldSurface {
  std::size_t surface;
  int row;
  bool is_false;  ///< the condition is false on the surface
};
/// Returns a surface on which a row that begins to act keeps the motion; nothing if there is none. The motions without
/// and with the row are followed for a short time and compared.
/// \param y_before, before  state and mode before the row began to act
/// \param sides  [surfaces] sides while the row acts
/// \param length  [s] time for which the motions are followed
[[nodiscard]] std::optional<HeldSurface> held_by_own_row(Dynamics& dynamics, const Mode& before, const Vector& y_before,
                                                         const Mode& mode, const std::vector<double>& sides, double t,
                                                         const Vector& y, double length);
/// The failure if a row, while it acts, keeps the motion on a surface on which the row's own condition is false.
[[nodiscard]] Failure false_where_it_holds(const Binding& bound, const HeldSurface& held, double t);

}  // namespace vinculum::sim

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/hybrid/run_record.hpp"
#include "vinculum/motion/dynamics.hpp"

/// Speeds that jump because constraints act from here on, or because an event has set them (theory.md §10.2).
namespace vinculum::sim {

/// Brings speeds onto the constraints that act in a mode: M Δu = Aᵀp, A Δu = −ψ. Friction has bounded forces and so no
/// part in the impulse: contacts that stick are let go. Their friction has to be decided again after a jump.
/// \param y  becomes the state after the jump. Without a jump it is only projected, and not even this if contacts stick
/// \returns the impulses of the rows; nothing if the speeds do not jump. The failures of a projection. kNotUnique if
/// rows are not linear in the speeds and their gradient has another direction after the jump than before.
[[nodiscard]] Outcome<std::optional<Impulse>> meet_constraints(Dynamics& dynamics, Mode& mode, double t, Vector& y);

/// [nc] Whether each row acts according to its condition as stated, at this state.
[[nodiscard]] std::vector<char> acting_as_stated(const Binding& bound, double t, const Vector& y);

/// Why constraints cannot begin to act at a state: the gap of a row of positions is open, so that no finite velocity
/// closes it, or the gradient of a row vanishes, so that nothing determines its impulse.
/// \param mode  in which they act
/// \param was, acts [nc]  rows that act before and after
/// \param tolerance  of the run
[[nodiscard]] std::optional<Failure> cannot_begin(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                                  const std::vector<char>& was, const std::vector<char>& acts,
                                                  double tolerance);

/// Sides of the surfaces in conditions of `when`, if an event has set the state y in place of y_before. NaN for the
/// other surfaces, and where the event does not decide. A condition on the time alone is read at t.
/// \param sides [surfaces]  before the event
[[nodiscard]] std::vector<double> conditions_after_set(const Binding& bound, const std::vector<double>& sides, double t,
                                                       const Vector& y_before, const Vector& y);

/// A surface of the condition of a row that begins to act, on which that row holds the motion.
struct HeldSurface {
  std::size_t surface;
  int row;
  bool is_false;  ///< the condition is false on it
};
/// \param y_before, before  state and mode before the row began to act
/// \param sides  of all surfaces with the row acting
/// \param length  [s] in which the motion is followed
[[nodiscard]] std::optional<HeldSurface> held_by_own_row(Dynamics& dynamics, const Mode& before, const Vector& y_before,
                                                         const Mode& mode, const std::vector<double>& sides, double t,
                                                         const Vector& y, double length);
/// The failure of a row that holds its own condition at a value for which it is false.
[[nodiscard]] Failure false_where_it_holds(const Binding& bound, const HeldSurface& held, double t);

}  // namespace vinculum::sim

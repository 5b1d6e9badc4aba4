#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {

/// Conditions, times and effects of the events that a model states (model::Event), for the sources that find these
/// events. Scratch of one run.
class EventActions {
 public:
  /// \param tolerance  of the run
  EventActions(Dynamics& dynamics, double tolerance);

  [[nodiscard]] bool has_any() const { return !events().empty(); }
  [[nodiscard]] const std::vector<model::Event>& events() const { return dynamics_.binding()->model->events; }
  /// [events] Whether the condition of each event is true in a mode; false for a timed event.
  [[nodiscard]] std::vector<char> truths(const Mode& mode);
  /// [events] [s] Times and periods of timed events, 0 for others.
  [[nodiscard]] std::vector<double> times(const Mode& mode);
  /// Events that a change of truths makes happen, in declared order.
  [[nodiscard]] std::vector<std::size_t> caused_by(const std::vector<char>& was, const std::vector<char>& is) const;
  /// These events happen at (to.t, to.y), all on the state before them. The values that they set decide which
  /// constraints act. If these no longer hold, they are satisfied again by an impulse (theory.md §10.2).
  /// \returns why they cannot be.
  [[nodiscard]] Outcome<void> happen(std::span<const std::size_t> events, Transition& to);
  /// Why the run ends with an event.
  [[nodiscard]] Failure ending(std::size_t event, double t) const;
  /// Why the run ends where the expression of an event begins to be 0 over an interval.
  [[nodiscard]] Failure failure_on_plateau(std::size_t event, double t) const;
  /// A failure with the place of an event.
  [[nodiscard]] static Failure failure_of(std::size_t event, FailureKind kind, double t, std::string message);

 private:
  /// Two events of one instant that set one variable.
  [[nodiscard]] std::optional<Failure> contradiction(std::span<const std::size_t> events, double t) const;
  /// An event that sets a value which is not finite.
  [[nodiscard]] std::optional<Failure> infinity(std::span<const std::size_t> events, double t) const;
  /// Name of the variable that an action sets.
  [[nodiscard]] const std::string& variable(const model::EventAction& action) const;
  void evaluate(const Mode& mode, double t, const double* y);
  [[nodiscard]] bool is_in_a_velocity(std::size_t state) const;
  [[nodiscard]] Outcome<void> satisfy_constraints(const Vector& y_before, Transition& to);

  Dynamics& dynamics_;
  double tolerance_;
  std::vector<std::size_t> first_;  ///< [events] first column of each in the outputs of `Kernels::events`
  std::vector<double> output_, workspace_, zeros_;
};

}  // namespace vinculum::sim

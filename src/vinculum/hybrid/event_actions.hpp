#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/hybrid/contacts.hpp"
#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {

/// Evaluates conditions, times and effects of the events that a model states (model::Event). The event sources use it.
/// It owns the scratch memory of one run.
class EventActions {
 public:
  explicit EventActions(const Watched& run);

  [[nodiscard]] bool has_any() const { return !events().empty(); }
  [[nodiscard]] const Contacts& contacts() const { return contacts_; }
  [[nodiscard]] const std::vector<model::Event>& events() const { return dynamics_.binding()->model->events; }
  /// [events] Whether the condition of each event is true in a mode; false for a timed event.
  [[nodiscard]] std::vector<char> truths(const Mode& mode);
  /// [events] [s] Time or period of each timed event; 0 for other events.
  [[nodiscard]] std::vector<double> times(const Mode& mode);
  /// Indices of the events that happen because the truths of the conditions change from `was` to `is`, in the order of
  /// the model.
  [[nodiscard]] std::vector<std::size_t> caused_by(const std::vector<char>& was, const std::vector<char>& is) const;
  /// Applies events at (to.t, to.y). All new values are computed from the state before the events. The new values
  /// decide which constraints act. If the speeds violate these constraints, an impulse corrects the speeds (theory.md
  /// §10.2).
  /// \returns the reason if the constraints cannot be satisfied.
  [[nodiscard]] Outcome<void> happen(std::span<const std::size_t> events, Transition& to);
  /// Opens closed contacts where forces jump and no motion keeps them closed.
  /// \param before  the transition with these contacts closed   \param to  receives it with these contacts open
  /// \returns whether a contact has opened
  [[nodiscard]] bool open_contacts(const Transition& before, Transition& to);
  /// Decides again about closed contacts after the normals of some of them have jumped, as at a corner of a body: they
  /// remain closed, open or collide.
  [[nodiscard]] Outcome<void> turn_contacts(Transition& to);
  /// The failure that ends the run at an event that the model states as the end of the motion.
  [[nodiscard]] Failure ending(std::size_t event, double t) const;
  /// The failure that ends the run at the instant from which the expression of an event is 0 over an interval.
  [[nodiscard]] Failure failure_on_plateau(std::size_t event, double t) const;
  /// A failure that refers to the place of an event in the text of the model.
  [[nodiscard]] static Failure failure_of(std::size_t event, FailureKind kind, double t, std::string message);

 private:
  /// Failure if two events at the same instant set the same variable.
  [[nodiscard]] std::optional<Failure> contradiction(std::span<const std::size_t> events, double t) const;
  /// Failure if an event sets a value that is not finite.
  [[nodiscard]] std::optional<Failure> infinity(std::span<const std::size_t> events, double t) const;
  /// Name of the variable that an action sets.
  [[nodiscard]] const std::string& variable(const model::EventAction& action) const;
  void evaluate(const Mode& mode, double t, const double* y);
  [[nodiscard]] bool is_in_a_velocity(std::size_t state) const;
  [[nodiscard]] Outcome<void> satisfy_constraints(const Vector& y_before, Transition& to);

  Dynamics& dynamics_;
  double tolerance_;
  Contacts contacts_;
  std::vector<std::size_t> first_;  ///< [events] first column of each in the outputs of `Kernels::events`
  std::vector<double> output_, workspace_, zeros_;
};

}  // namespace vinculum::sim

#pragma once

#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/compiled/switches.hpp"

namespace vinculum::sim {

/// Statements of the model that contain a switch, to be shown if a motion ends at it.
struct SwitchPlaces {
  std::vector<StatementId> statements;  ///< loads, states and events whose expressions contain it
  std::vector<int> rows;                ///< rows in System::rows whose constraints, or `nonideal` clauses, contain it
  bool is_of_events = false;            ///< it is in conditions of events alone

  /// Adds these places to a failure at the switch.
  void join_to(Failure& failure) const;
};

/// Whether a failure names a statement, a row, a constraint or a coordinate.
[[nodiscard]] bool has_place(const Failure& failure);

/// [surfaces] Places of each surface. Adds to the graph of the system.
[[nodiscard]] std::vector<SwitchPlaces> places_of(const equations::System& system, const Switches& switches);

}  // namespace vinculum::sim

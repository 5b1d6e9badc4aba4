#pragma once

#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/compiled/switches.hpp"

namespace vinculum::sim {

/// Statements of the model that contain a switch, for the message if a motion ends at this switch.
struct SwitchPlaces {
  std::vector<StatementId> statements;  ///< loads, states and events whose expressions contain the switch
  std::vector<int> rows;                ///< rows in System::rows whose constraint or `nonideal` clause contains it
  bool is_of_events = false;            ///< true if only conditions of events contain it

  /// Adds these statements and rows to a failure at the switch.
  void join_to(Failure& failure) const;
};

/// Whether a failure refers to a statement, a row, a constraint or a coordinate.
[[nodiscard]] bool has_place(const Failure& failure);

/// Returns, for each switching surface, the statements and rows that contain it. Adds nodes to the graph of the system.
[[nodiscard]] std::vector<SwitchPlaces> places_of(const equations::System& system, const Switches& switches);

}  // namespace vinculum::sim

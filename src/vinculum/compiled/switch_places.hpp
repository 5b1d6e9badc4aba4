#pragma once

#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/compiled/switches.hpp"

namespace vinculum::sim {

/// Where a model states a switch: places to show where a motion ends at one.
struct SwitchPlaces {
  std::vector<StatementId> statements;  ///< loads and states whose expressions hold it
  std::vector<int> rows;                ///< of System::rows: constraints that do, or their `nonideal` clauses

  /// Of a failure that concerns the switch.
  void join_to(Failure& failure) const;
};

/// [surfaces] The places of each surface. Grows the system's graph.
[[nodiscard]] std::vector<SwitchPlaces> places_of(const equations::System& system, const Switches& switches);

}  // namespace vinculum::sim

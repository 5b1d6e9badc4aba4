#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/dynamics/describe.hpp"
#include "vinculum/sim/dynamics.hpp"

namespace vinculum::out {

/// The analysis of a model: what moves, how freely, and which force each constraint puts on what.
struct Explanation {
  std::shared_ptr<const sim::CompiledModel> compiled;
  std::vector<dynamics::ConstraintDescription> constraints;
  int mass_rank = 0;                          ///< of M at the start (at a random state where there is no start)
  int rank = 0;                               ///< of A there
  std::vector<int> constraint_rank;           ///< [constraints] of each constraint's own rows there; empty without a start
  std::optional<sim::Sample> at_start;        ///< everything about the assembled start
  std::optional<Failure> no_start;            ///< why there is none
};

/// Derives, assembles the start and inspects. Never fails: without a start the ranks are those at a random state.
[[nodiscard]] Explanation explain(const std::shared_ptr<const sim::CompiledModel>& compiled);

[[nodiscard]] std::string explain_text(const Explanation& explanation);
/// docs/json.md has the shape.
[[nodiscard]] std::string explain_json(const Explanation& explanation);

}  // namespace vinculum::out

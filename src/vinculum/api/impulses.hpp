#pragma once

#include "vinculum/api/force_table.hpp"
#include "vinculum/report/tree.hpp"
#include "vinculum/run/trajectory.hpp"

/// Impulses of constraints as vectors at points. The force table turns the impulses of rows into vectors, as it does
/// with multipliers.
namespace vinculum {

/// The vectors of all impulses of a run.
[[nodiscard]] std::vector<ExertedImpulse> impulses_of(const sim::CompiledModel& compiled, const sim::Trajectory& run,
                                                      const ForceTable& table);
/// `impulses.csv`, one row per vector (docs/json.md).
[[nodiscard]] report::Table impulses_table(const model::Model& model, std::vector<ExertedImpulse> impulses);
/// SI unit of an impulse or of its moment; empty if the model states no units.
[[nodiscard]] std::string unit_of_impulse(const model::Model& model, bool is_couple);
/// Whether a run has impulses of constraints.
[[nodiscard]] bool has_impulses(const sim::Trajectory& run);

}  // namespace vinculum

#pragma once

#include <memory>
#include <vector>

#include "vinculum/run/sink.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::sim {

/// Creates the sinks that record, during the run, the data that an audit needs (theory.md §10.5). Pass them as
/// `SimulateOptions::accounts`. They fill `run.rates`, `run.sides` and `run.jumps`, which the audit lines "integrals",
/// "sides" and "impacts" judge.
[[nodiscard]] std::vector<std::unique_ptr<Sink>> audit_accounts(Trajectory& run);

}  // namespace vinculum::sim

#pragma once

#include <memory>
#include <vector>

#include "vinculum/run/sink.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::sim {

/// Accounts that an audit compares with the motion (theory.md §10.5), for `SimulateOptions::accounts`:
/// `Trajectory::rates` and `Trajectory::sides`.
[[nodiscard]] std::vector<std::unique_ptr<Sink>> audit_accounts(Trajectory& run);

}  // namespace vinculum::sim

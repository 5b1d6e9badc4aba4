#pragma once

#include <memory>
#include <vector>

#include "vinculum/hybrid/guards/guard.hpp"

namespace vinculum::sim {

/// What every run watches for, in the order in which events of one instant count.
[[nodiscard]] std::vector<GuardRow> standard_guards();

/// Notes why a run is slow; changes nothing of it.
[[nodiscard]] std::unique_ptr<Guard> make_slowness_guard(const Watched& run);

}  // namespace vinculum::sim

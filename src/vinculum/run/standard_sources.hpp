#pragma once

#include <memory>
#include <vector>

#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {

/// What every run watches for, in the order in which events of one instant count.
[[nodiscard]] std::vector<SourceRow> standard_sources();

/// Notes why a run is slow; changes nothing of it.
[[nodiscard]] std::unique_ptr<EventSource> make_slowness_source(const Watched& run);

}  // namespace vinculum::sim

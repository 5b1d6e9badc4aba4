#pragma once

#include <memory>
#include <vector>

#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {

/// Returns the standard event sources of a run. If several events are simultaneous, the one whose source is earliest in
/// this list happens.
[[nodiscard]] std::vector<SourceRow> standard_sources();

/// Creates a source that notes why a run is slow. It does not change the run.
[[nodiscard]] std::unique_ptr<EventSource> make_slowness_source(const Watched& run);

}  // namespace vinculum::sim

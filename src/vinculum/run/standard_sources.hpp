#pragma once

#include <memory>
#include <vector>

#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {

/// The standard event sources of a run. Of simultaneous events, the one whose source is earlier in this list counts.
[[nodiscard]] std::vector<SourceRow> standard_sources();

/// A source that notes why a run is slow. It does not change the run.
[[nodiscard]] std::unique_ptr<EventSource> make_slowness_source(const Watched& run);

}  // namespace vinculum::sim

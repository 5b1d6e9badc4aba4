#pragma once

#include <memory>

#include "vinculum/sim/plant/compiled_model.hpp"

namespace vinculum::sim {

/// The equations of a compiled model once more, with a graph of their own: lowering terms makes it grow, and the
/// compiled one is shared between threads. As long as deriving takes.
/// \returns as `dynamics::derive` and `laws::write_higher_order`, which the compiled model has passed.
[[nodiscard]] Outcome<std::shared_ptr<dynamics::System>> own_system(const CompiledModel& compiled);

}  // namespace vinculum::sim

#pragma once

#include "command.hpp"
#include "vinculum/sim/plant/compiled_model.hpp"

namespace vinculum::cli {

/// Compiles with the back end and cache that the options ask for; prints the failure and returns null when the
/// equations cannot be formed, or `conserve` names what is no invariant and nobody asks to go on without it.
[[nodiscard]] std::shared_ptr<const sim::CompiledModel> compile(const std::shared_ptr<const mechanics::Model>& model,
                                                                const CommonOptions& common,
                                                                bool judges_conserved = true);

}  // namespace vinculum::cli

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/tape.hpp"

namespace vinculum::codegen {

/// Native code for several tapes, in one module: the kernels in the order of the tapes, bit for bit what the tapes
/// give.
/// \param options  the cache folder.  \param report  receives `from_cache`, and `note` where native code failed.
/// \returns as many kernels as tapes; none at all when this build or machine makes no native code, with the reason in
///          `report.note`: the caller then takes the tapes themselves.
[[nodiscard]] std::vector<std::shared_ptr<const Kernel>> make_native_kernels(std::span<const Tape> tapes,
                                                                             const CompileOptions& options,
                                                                             CompileReport& report);

}  // namespace vinculum::codegen

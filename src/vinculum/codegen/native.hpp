#pragma once

#include <atomic>
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

/// The best native code for one tape where the cache has it, else null.
[[nodiscard]] std::shared_ptr<const Kernel> load_native_kernel(const Tape& tape, const CompileOptions& options);

/// The same, compiled where the cache does not have it.   \param cancel  becomes true when that should end soon.
/// \returns null where this build or machine makes no native code, or where it was cancelled.
[[nodiscard]] std::shared_ptr<const Kernel> make_best_native_kernel(const Tape& tape, const CompileOptions& options,
                                                                    const std::atomic<bool>& cancel);

}  // namespace vinculum::codegen

#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/tape.hpp"

namespace vinculum::codegen {

/// Creates native kernels for several tapes in one module. The kernels are in the order of the tapes and give the same
/// bits as the tapes.
/// \param options  supplies the cache folder
/// \param report  receives `from_cache`, and `note` if native code is not available
/// \returns as many kernels as tapes. Empty, with the reason in `report.note`, if this build or machine cannot generate
///   native code; the caller then uses the tapes.
[[nodiscard]] std::vector<std::shared_ptr<const Kernel>> make_native_kernels(std::span<const Tape> tapes,
                                                                             const CompileOptions& options,
                                                                             CompileReport& report);

/// Optimized native kernel for one tape if the cache contains its code, otherwise null.
[[nodiscard]] std::shared_ptr<const Kernel> load_native_kernel(const Tape& tape, const CompileOptions& options);

/// Optimized native kernel for one tape. The code comes from the cache or is compiled during the call.
/// \param cancel  becomes true when the compilation should stop
/// \returns null if this build or machine cannot generate native code, or if the compilation was cancelled
[[nodiscard]] std::shared_ptr<const Kernel> make_best_native_kernel(const Tape& tape, const CompileOptions& options,
                                                                    const std::atomic<bool>& cancel);

}  // namespace vinculum::codegen

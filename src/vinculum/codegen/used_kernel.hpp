#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/codegen/tape.hpp"

namespace vinculum::codegen {

/// Kernels that run their tapes until they have been used often enough for native code to pay, and from then on the
/// code that the background compiler made meanwhile, or at once where the cache has it. The bits are the same.
[[nodiscard]] std::vector<std::shared_ptr<const Kernel>> make_used_kernels(std::vector<Tape> tapes,
                                                                           const CompileOptions& options);

/// Evaluations of a tape that take about as long as compiling its program (2 to 4 ns an operation against some 20 µs).
inline constexpr unsigned kUsesThatPay = 5000;

}  // namespace vinculum::codegen

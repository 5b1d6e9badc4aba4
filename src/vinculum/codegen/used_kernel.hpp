#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/codegen/tape.hpp"

namespace vinculum::codegen {

/// Kernels that execute their tapes until they have been used often enough for native code to be worthwhile. From then
/// on they use code that the background compiler generates; if the cache contains it, they use it at once. The bits are
/// the same.
[[nodiscard]] std::vector<std::shared_ptr<const Kernel>> make_used_kernels(std::vector<Tape> tapes,
                                                                           const CompileOptions& options);

/// Number of evaluations of a tape that take about as long as compiling its program: an operation takes 2 to 4 ns to
/// evaluate and some 20 µs to compile.
inline constexpr unsigned kUsesThatPay = 5000;

}  // namespace vinculum::codegen

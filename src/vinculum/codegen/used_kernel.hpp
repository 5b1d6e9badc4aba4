#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/codegen/tape.hpp"

namespace vinculum::codegen {

/// Kernels that execute their tapes until they have been used so often that native code is worthwhile. Then the
/// background compiler generates code for them; code in the cache is used at once. Tape and native code give the same
/// bits.
[[nodiscard]] std::vector<std::shared_ptr<const Kernel>> make_used_kernels(std::vector<Tape> tapes,
                                                                           const CompileOptions& options);

/// Number of evaluations of a tape that take about as long as compiling its program. An operation takes 2 to 4 ns to
/// evaluate and some 20 µs to compile.
inline constexpr unsigned kUsesThatPay = 5000;

}  // namespace vinculum::codegen

#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen {

/// Where the compiler module lies: in the folder that `VINCULUM_MODULE_DIR` names (absolute), else in `vinculum/`
/// beside the shared library that holds the engine, in `lib/vinculum/` beside the `bin/` of the program, or where it
/// was installed. Empty when there is none; never taken from the current folder or from search paths.
[[nodiscard]] std::string find_compiler_module();

/// Loads the compiler module, and LLVM with it, on the first call; it stays loaded.
/// \returns null, and why in `error`, when there is none.
[[nodiscard]] native::CompileFunction open_compiler_module(std::string& error);

/// Gives back what a compilation leaves in memory, behind one: the compiler's code and free pieces of the heap. The
/// next one finds the code in its file again.
void release_compiler_memory();

/// \returns the image, or nothing, and why in `error`.
[[nodiscard]] std::vector<unsigned char> compile_image(native::CompileFunction compile,
                                                       std::span<const native::Program> programs, native::Level level,
                                                       const std::atomic<bool>* cancel, std::string& error);

/// Identity of what would compile here: the LLVM and the module it was built with, this processor and its instructions.
/// Found without loading anything. \returns empty when there is no module for this machine.
[[nodiscard]] std::string describe_compiler();

}  // namespace vinculum::codegen

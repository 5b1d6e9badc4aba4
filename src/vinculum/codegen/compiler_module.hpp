#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen {

/// Path of the compiler module. It is sought in the folder that `VINCULUM_MODULE_DIR` names (an absolute path), then in
/// `vinculum/` next to the shared library of the engine, in `lib/vinculum/` next to the `bin/` of the program, and
/// where it was installed. The current folder and search paths are never used. Empty if there is no module.
[[nodiscard]] std::string find_compiler_module();

/// Loads the compiler module, and LLVM with it, on the first call; it stays loaded.
/// \returns null, with the reason in `error`, if there is none.
[[nodiscard]] native::CompileFunction open_compiler_module(std::string& error);

/// Releases memory after a compilation: the pages of the compiler's code and free blocks of the heap. The next
/// compilation loads the code from its file again.
void release_compiler_memory();

/// \returns the image, or an empty vector with the reason in `error`.
[[nodiscard]] std::vector<unsigned char> compile_image(native::CompileFunction compile,
                                                       std::span<const native::Program> programs, native::Level level,
                                                       const std::atomic<bool>* cancel, std::string& error);

/// Identifies the compiler and the machine: versions of LLVM and of the module, processor and instruction set. Computed
/// without loading anything. \returns empty if there is no module for this machine.
[[nodiscard]] std::string describe_compiler();

}  // namespace vinculum::codegen

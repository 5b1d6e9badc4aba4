#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen {

/// Path of the compiler module; empty if there is none. These folders are searched in this order:
/// * the folder that `VINCULUM_MODULE_DIR` names (an absolute path);
/// * `vinculum/` next to the shared library of the engine;
/// * `lib/vinculum/` next to the `bin/` of the program;
/// * the folder in which the module was installed.
///
/// The current folder and search paths of the system are never used.
[[nodiscard]] std::string find_compiler_module();

/// Loads the compiler module, and LLVM with it, at the first call; both stay loaded.
/// \returns null, with the reason in `error`, if there is no module
[[nodiscard]] native::CompileFunction open_compiler_module(std::string& error);

/// Releases memory after a compilation: the pages of the compiler's code, and free blocks of the heap. The next
/// compilation reads that code from its file again.
void release_compiler_memory();

/// Compiles the programs into one image.   \returns an empty vector, with the reason in `error`, if this fails
[[nodiscard]] std::vector<unsigned char> compile_image(native::CompileFunction compile,
                                                       std::span<const native::Program> programs, native::Level level,
                                                       const std::atomic<bool>* cancel, std::string& error);

/// Text that identifies the compiler and the machine: versions of LLVM and of the module, processor and instruction
/// set. It is computed without loading the module.   \returns empty if there is no module for this machine
[[nodiscard]] std::string describe_compiler();

}  // namespace vinculum::codegen

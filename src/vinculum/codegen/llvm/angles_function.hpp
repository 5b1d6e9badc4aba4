#pragma once

#include <llvm/IR/Module.h>

namespace vinculum::codegen::native {

/// Function of the module that takes (vector of `lanes` angles, const Context*) and returns {sines, cosines}. Created
/// on first use, once per object: code inlined at every use would cost more compile time than the rest of a small
/// kernel.
[[nodiscard]] llvm::Function* angles_function(llvm::Module& module, unsigned lanes);

}  // namespace vinculum::codegen::native

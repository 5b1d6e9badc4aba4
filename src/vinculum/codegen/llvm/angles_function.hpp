#pragma once

#include <llvm/IR/Module.h>

namespace vinculum::codegen::native {

/// Function of the module that takes (vector of `lanes` angles, const Context*) and returns {sines, cosines}. It is
/// created at its first use, once per object. If it were inlined at every use, its code would take longer to compile
/// than the rest of a small kernel.
[[nodiscard]] llvm::Function* angles_function(llvm::Module& module, unsigned lanes);

}  // namespace vinculum::codegen::native

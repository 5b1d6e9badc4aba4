#pragma once

#include <llvm/IR/Module.h>

namespace vinculum::codegen::native {

/// The module's function {sines, cosines} (vector of `lanes` angles, const Context*), made where it has none yet: once
/// an object, as written out at every use it would cost more to compile than all else in a small kernel.
[[nodiscard]] llvm::Function* angles_function(llvm::Module& module, unsigned lanes);

}  // namespace vinculum::codegen::native

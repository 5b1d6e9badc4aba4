#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>

#include "vinculum/codegen/llvm/plan.hpp"
#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// Abilities of the target that need no function call.
struct Target {
  bool has_floor = false;
  bool has_lanes = false;  ///< several angles are evaluated in one vector
};

/// Adds to the module the function `name` that computes one part of the plan.
void emit_part(llvm::Module& module, const Program& program, const Plan& plan, const Plan::Part& part,
               const Target& target, const llvm::Twine& name);

}  // namespace vinculum::codegen::native

#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>

#include "vinculum/codegen/llvm/plan.hpp"
#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// Operations that the target processor can do without a function call.
struct Target {
  bool has_floor = false;
  bool has_lanes = false;  ///< several angles are evaluated in one vector
};

/// Adds a function `name` to the module that computes one part of the plan.
void emit_part(llvm::Module& module, const Program& program, const Plan& plan, const Plan::Part& part,
               const Target& target, const llvm::Twine& name);

}  // namespace vinculum::codegen::native

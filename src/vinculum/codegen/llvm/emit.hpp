#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>

#include "vinculum/codegen/llvm/plan.hpp"
#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// What the target does without a call.
struct Target {
  bool has_floor = false;
  bool has_lanes = false;  ///< several angles are evaluated side by side
};

/// Adds the function `name` that computes the part of the plan.
void emit_part(llvm::Module& module, const Program& program, const Plan& plan, const Plan::Part& part,
               const Target& target, const llvm::Twine& name);

}  // namespace vinculum::codegen::native

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

/// Adds the function `name` that computes part `part` of the plan: straight-line code in which every value is a
/// register of LLVM's and no fast-math flag is set, so that each operation is that of expr::evaluate_operation, rounded
/// once. Values of earlier parts are read from the workspace, inputs, constants and outputs are touched once each.
void emit_part(llvm::Module& module, const Program& program, const Plan& plan, std::uint32_t part, const Target& target,
               const llvm::Twine& name);

}  // namespace vinculum::codegen::native

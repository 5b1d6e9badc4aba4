#pragma once

#include <memory>

#include "vinculum/codegen/kernel.hpp"

namespace vinculum::codegen {

/// Evaluates the nodes of the graph one by one with `expr::evaluate_operation`. No operation is reordered, hoisted or
/// unfolded, so this kernel is the reference for the other back ends. It copies the nodes; the graph may change or be
/// destroyed.
/// \pre all symbols in spec.outputs are inputs or parameters; otherwise InternalError names the symbol.
[[nodiscard]] std::shared_ptr<const Kernel> make_interpreter_kernel(const KernelSpec& spec);

}  // namespace vinculum::codegen

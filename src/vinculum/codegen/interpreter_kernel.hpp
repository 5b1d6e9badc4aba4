#pragma once

#include <memory>

#include "vinculum/codegen/kernel.hpp"

namespace vinculum::codegen {

/// Evaluates the nodes of the graph one by one with `expr::evaluate_operation`. No operation is reordered, computed in
/// advance or replaced by others, so the other back ends are compared with this kernel. It copies the nodes; the graph
/// may change or be destroyed afterwards.
/// \pre all symbols in spec.outputs are inputs or parameters; otherwise InternalError names the symbol.
[[nodiscard]] std::shared_ptr<const Kernel> make_interpreter_kernel(const KernelSpec& spec);

}  // namespace vinculum::codegen

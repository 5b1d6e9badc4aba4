#pragma once

#include <memory>

#include "vinculum/codegen/kernel.hpp"

namespace vinculum::codegen {

/// Evaluates the graph's nodes by `expr::evaluate_operation`, one by one: nothing is flattened, hoisted or unfolded, so
/// that it can judge the other back ends. Keeps copies of the nodes; the graph may change or go.
/// \pre all symbols in spec.outputs are inputs or parameters; else InternalError names the symbol.
[[nodiscard]] std::shared_ptr<const Kernel> make_interpreter_kernel(const KernelSpec& spec);

}  // namespace vinculum::codegen

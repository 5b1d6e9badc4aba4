#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// Inputs of report kernels in their order: t, q, u, z, u', λ, λ_ideal, efforts,
/// directions of friction, highest derivatives of `System::higher`, `System::vectors`.
[[nodiscard]] std::vector<expr::Expr> report_symbols(const equations::System& system);

}  // namespace vinculum::sim

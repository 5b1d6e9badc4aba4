#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// The symbols that are the inputs of report kernels, in this order: t, q, u, z, u', λ, λ_ideal, efforts, friction
/// directions, highest derivatives of `System::higher`, `System::vectors`.
[[nodiscard]] std::vector<expr::Expr> report_symbols(const equations::System& system);

}  // namespace vinculum::sim

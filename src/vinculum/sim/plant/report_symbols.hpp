#pragma once

#include <vector>

#include "vinculum/sim/plant/dynamics.hpp"

namespace vinculum::sim {

/// What reports are functions of, the inputs of report kernels in their order: t, q, u, z, u', λ, λ_ideal, efforts,
/// directions of friction, highest derivatives of `System::higher`, `System::vectors`.
[[nodiscard]] std::vector<expr::Expr> report_symbols(const dynamics::System& system);
/// Their numbers at a sample; `numbers` is overwritten.
void read_report_numbers(const Sample& sample, std::vector<double>& numbers);

}  // namespace vinculum::sim

#pragma once

#include <vector>

#include "vinculum/sim/dynamics.hpp"

namespace vinculum::sim {

/// What reports are functions of, in the order of the report kernels' inputs: t, q, u, z, u', λ, λ_ideal, efforts.
[[nodiscard]] std::vector<expr::Expr> report_symbols(const dynamics::System& system);
/// Their numbers at a sample; `numbers` is overwritten.
void read_report_numbers(const Sample& sample, std::vector<double>& numbers);

}  // namespace vinculum::sim

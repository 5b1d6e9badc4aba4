#pragma once

#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Values of `report_symbols` at a sample, in their order. Overwrites `numbers`.
void read_report_numbers(const Sample& sample, std::vector<double>& numbers);

}  // namespace vinculum::sim

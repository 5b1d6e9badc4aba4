#pragma once

#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Fills `numbers` with the values of the symbols `report_symbols` at a sample, in the order of these symbols.
void read_report_numbers(const Sample& sample, std::vector<double>& numbers);

}  // namespace vinculum::sim

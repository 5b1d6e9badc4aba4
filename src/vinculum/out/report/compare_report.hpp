#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "vinculum/compare/compare.hpp"

namespace vinculum::out {

/// A comparison with what only its maker knows.
struct CompareReport {
  std::string model;
  std::vector<std::string> constraints;  ///< whose laws were replaced; empty where formulations are compared
  std::vector<compare::Variant> variants;
  std::vector<std::vector<std::string>> left_out;  ///< [variants] outputs of the model without a meaning there
  compare::Comparison comparison;
};

/// Tables for people: variants, distances from the first, residuals of each law along every motion, ladders with their
/// orders.
[[nodiscard]] std::string compare_text(const CompareReport& report);
/// One JSON object; its shape is in docs/json.md.
[[nodiscard]] std::string compare_json(const CompareReport& report);

/// One line a time: t, then every quantity of every variant under the name "x (ideal)"; empty fields where there is
/// none.
void write_compare_csv(std::ostream& stream, const CompareReport& report);
/// One line a rung: ladder, value, distances and orders.
void write_ladder_csv(std::ostream& stream, const CompareReport& report);
/// A script for gnuplot that draws the two files above: coordinates.svg, path.svg where there are coordinates x and y
/// of one dimension, energies.svg, and ladder.svg where there are ladders.
[[nodiscard]] std::string compare_plot(const CompareReport& report);

}  // namespace vinculum::out

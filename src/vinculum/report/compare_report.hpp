#pragma once

#include <string>
#include <vector>

#include "vinculum/compare/compare.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum::report {

/// A comparison with what only its maker knows.
struct CompareReport {
  std::string model;
  std::vector<std::string> constraints;  ///< whose laws were replaced; empty where formulations are compared
  std::vector<compare::Variant> variants;
  std::vector<std::vector<std::string>> left_out;  ///< [variants] outputs of the model without a meaning there
  compare::Comparison comparison;
};

/// Variants, distances from the first, residuals of each law along every motion, ladders with their orders (shape:
/// docs/json.md).
[[nodiscard]] Node compare_report(const CompareReport& report);
[[nodiscard]] inline const model::Model& model_of(const CompareReport& report) {
  return *report.variants.front().bound->compiled->model;
}

/// `compare.csv`, a row a time: t, then every quantity of every variant under the name "x (ideal)".  \pre the report
/// outlives the table
[[nodiscard]] Table compare_table(const CompareReport& report);
/// `ladder.csv`, a row a rung: ladder, value, distances and orders.  \pre the report outlives the table
[[nodiscard]] Table ladder_table(const CompareReport& report);
/// A script for gnuplot that draws the two files above: coordinates.svg, path.svg where there are coordinates x and y
/// of one dimension, energies.svg, and ladder.svg where there are ladders.
[[nodiscard]] std::string compare_plot(const CompareReport& report);

/// Whether the variant is a rung of a ladder between others: text and pictures leave it to the ladder.
[[nodiscard]] bool is_inner_rung(const compare::Comparison& comparison, std::size_t variant);

}  // namespace vinculum::report

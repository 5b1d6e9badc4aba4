#pragma once

#include <string>
#include <vector>

#include "vinculum/compare/compare.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum::report {

/// A comparison, with the additional data that its report needs.
struct CompareReport {
  std::string model;
  std::vector<std::string> constraints;  ///< constraints whose laws were replaced; empty if formulations are compared
  std::vector<compare::Variant> variants;
  /// [variants] Names of the outputs that have no meaning under the law of the variant.
  std::vector<std::vector<std::string>> left_out;
  compare::Comparison comparison;
  bool is_of_impacts = false;  ///< laws of restitution are compared
};

/// Builds the report with the variants, their differences from the first variant, the residual of each law along every
/// motion, and ladders with their orders of convergence (JSON: docs/json.md).
[[nodiscard]] Node compare_report(const CompareReport& report);
[[nodiscard]] inline const model::Model& model_of(const CompareReport& report) {
  return *report.variants.front().bound->compiled->model;
}

/// `compare.csv`, one row per time: t, then every quantity of every variant, named "x (ideal)".  \pre `report` lives
/// longer than the table
[[nodiscard]] Table compare_table(const CompareReport& report);
/// `ladder.csv`, one row per variant of a ladder: ladder, value, differences and orders.  \pre `report` lives longer
/// than the table
[[nodiscard]] Table ladder_table(const CompareReport& report);
/// Writes a gnuplot script that draws `compare.csv` and `ladder.csv`: coordinates.svg, energies.svg, path.svg if there
/// are coordinates x and y of the same dimension, and ladder.svg if there are ladders.
[[nodiscard]] std::string compare_plot(const CompareReport& report);

/// Whether the variant belongs to a ladder and is neither its first nor its last variant. Text and plots show such
/// variants only in the ladder.
[[nodiscard]] bool is_inner_rung(const compare::Comparison& comparison, std::size_t variant);

}  // namespace vinculum::report

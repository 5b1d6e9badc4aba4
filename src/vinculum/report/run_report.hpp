#pragma once

#include "vinculum/report/columns.hpp"

namespace vinculum::report {

/// Wall-clock seconds of each stage of a run.
struct StageSeconds {
  double statements = 0.0;  ///< contribution to `parse`: from text to statements
  double parse = 0.0;       ///< time from the text to the checked model
  double derive = 0.0;
  double compile = 0.0;
  double simulate = 0.0;  ///< includes the consistent start
};

/// Builds the report of the command `run`, which is also written into the results folder (JSON: docs/json.md): final
/// state, outputs, residuals, events, steps, time of each stage. If `with_samples`, also the samples
/// `trajectory.asked`.
/// \param columns  the columns of `columns_of`, followed by columns of the caller. All outputs among them are in text
/// and JSON.
[[nodiscard]] Node run_report(const sim::Binding& bound, const std::vector<Column>& columns,
                              const sim::Trajectory& trajectory, const StageSeconds& seconds, bool with_samples);

/// Writes one line on the energy balance: "energy balance: worst 1.2e-11 J (3.4e-13 of the energy) at t = 0.25 s".
[[nodiscard]] std::string energy_line(const model::Model& model, const sim::EnergyAccount& account);

}  // namespace vinculum::report

#pragma once

#include "vinculum/report/columns.hpp"

namespace vinculum::report {

/// Wall-clock seconds of each stage of a run.
struct StageSeconds {
  double statements = 0.0;  ///< of `parse`: text to statements
  double parse = 0.0;       ///< text to checked model
  double derive = 0.0;
  double compile = 0.0;
  double simulate = 0.0;  ///< with the consistent start
};

/// What `run` prints and writes into the results folder (shape: docs/json.md): final state, outputs, residuals, what
/// happened on the way, steps, time in each stage; samples at `trajectory.asked` where asked for.
/// \param columns  `columns_of`, and further ones: outputs among them are in text and JSON.
[[nodiscard]] Node run_report(const sim::Binding& bound, const std::vector<Column>& columns,
                              const sim::Trajectory& trajectory, const StageSeconds& seconds, bool with_samples);

/// "energy balance: worst 1.2e-11 J (3.4e-13 of the energy) at t = 0.25 s", a line.
[[nodiscard]] std::string energy_line(const model::Model& model, const sim::EnergyAccount& account);

}  // namespace vinculum::report

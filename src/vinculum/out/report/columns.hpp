#pragma once

#include <string>
#include <vector>

#include "vinculum/sim/plant/compiled_model.hpp"

/// Results for people and programs: tables, CSV, JSON, the analysis of `explain`.
namespace vinculum::out {

/// Names of the state in the order q, u, z: "q1", …, "q1'", … or the stated speeds' own names, then extra states:
/// "mu(c)".
[[nodiscard]] std::vector<std::string> state_names(const sim::CompiledModel& compiled);

/// Names of the output columns: "lambda" for a scalar, "C1.x", "C1.y", "C1.z" for a vector, "name[k]" for a list.
[[nodiscard]] std::vector<std::string> output_column_names(const sim::CompiledModel& compiled);

/// " kg*m/s^2", with a leading blank; empty for a dimensionless quantity and in models without units.
[[nodiscard]] std::string unit_suffix(const mechanics::Model& model, const Dimension& dimension);

/// Dimension of what `residual(c)` measures: that of the constraint's own relation.
[[nodiscard]] std::string residual_unit(const mechanics::Model& model, const mechanics::Constraint& constraint);

}  // namespace vinculum::out

#pragma once

#include <string>
#include <string_view>

#include "vinculum/base/failure.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/report/tree.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// Place in the model's text that a failure is shown at: the first statement concerned, else the first row, else the
/// first coordinate, else the `run` statement. An empty range if the model has no text.
[[nodiscard]] diag::SourceRange failure_place(const model::Model& model, const equations::System* system,
                                              const Failure& failure);

/// "pucks.vin:14:12" of that place; empty for a model without text.
[[nodiscard]] std::string failure_where(const model::Model& model, const equations::System* system,
                                        const Failure& failure);

/// Kind shown for a run that the user or a program ended, instead of the name of a failure.
inline constexpr std::string_view kInterrupted = "interrupted";
/// Why it was interrupted, as a sentence.
[[nodiscard]] std::string why_interrupted(const sim::Trajectory& trajectory);
/// Why a run ended early, {"kind", "message", "t", "where"}; null if it did not.
[[nodiscard]] Node stopped_node(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory);

/// A failure of the motion, rendered like a diagnostic: the line that caused it, the time, and a hint.
/// \param system  null if the failure occurred before there were equations.
[[nodiscard]] std::string failure_text(const model::Model& model, const equations::System* system,
                                       const Failure& failure);

}  // namespace vinculum::report

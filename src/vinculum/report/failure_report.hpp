#pragma once

#include <string>
#include <string_view>

#include "vinculum/base/failure.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/report/tree.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// Where in the model's text a failure belongs: that of the first statement concerned, else of the first row, else of
/// the first coordinate, else of the `run` statement; an empty range where the model has no text.
[[nodiscard]] diag::SourceRange failure_place(const model::Model& model, const equations::System* system,
                                              const Failure& failure);

/// "pucks.vin:14:12" of that place; empty for a model without text.
[[nodiscard]] std::string failure_where(const model::Model& model, const equations::System* system,
                                        const Failure& failure);

/// What a run that was ended by whoever asked for it is marked with, in the place of a failure's name.
inline constexpr std::string_view kInterrupted = "interrupted";
/// A sentence for who reads it.
[[nodiscard]] std::string why_interrupted(const sim::Trajectory& trajectory);
/// Why a run ended before its time, {"kind", "message", "t", "where"}; null where it did not.
[[nodiscard]] Node stopped_node(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory);

/// A failure of the motion rendered like a diagnostic, at the line that caused it, with the time and what to try.
/// \param system  may be null when the failure came before the equations.
[[nodiscard]] std::string failure_text(const model::Model& model, const equations::System* system,
                                       const Failure& failure);

}  // namespace vinculum::report

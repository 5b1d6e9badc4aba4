#pragma once

#include <string>
#include <string_view>

#include "vinculum/base/failure.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/report/tree.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// Finds the position in the model text at which a failure is shown: the first statement of the failure; if it has
/// none, its first row, then its first coordinate, then the `run` statement. An empty range if the model has no text.
[[nodiscard]] diag::SourceRange failure_place(const model::Model& model, const equations::System* system,
                                              const Failure& failure);

/// `failure_place` as text, "pucks.vin:14:12"; empty for a model without text.
[[nodiscard]] std::string failure_where(const model::Model& model, const equations::System* system,
                                        const Failure& failure);

/// Kind of failure that is shown for a run that the user or a program ended.
inline constexpr std::string_view kInterrupted = "interrupted";
/// Returns the reason why a run was interrupted, as a sentence.
[[nodiscard]] std::string why_interrupted(const sim::Trajectory& trajectory);
/// Returns the reason why a run ended early, {"kind", "message", "t", "where"}; null if it did not end early.
[[nodiscard]] Node stopped_node(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory);

/// Writes a failure of the motion like a diagnostic: the line that caused it, the time, and a hint.
/// \param system  null if the failure occurred before the equations were derived.
/// \param kind  name of the kind; empty: that of `failure.kind`
[[nodiscard]] std::string failure_text(const model::Model& model, const equations::System* system,
                                       const Failure& failure, std::string_view kind = {});

}  // namespace vinculum::report

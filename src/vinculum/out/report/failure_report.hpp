#pragma once

#include <string>

#include "vinculum/base/failure.hpp"
#include "vinculum/mechanics/model.hpp"
#include "vinculum/out/report/tree.hpp"
#include "vinculum/sim/plant/compiled_model.hpp"

namespace vinculum::out {

/// Where in the model's text a failure belongs: that of the first statement concerned, else of the first row, else of
/// the first coordinate, else of the `run` statement; an empty range where the model has no text.
[[nodiscard]] diag::SourceRange failure_place(const mechanics::Model& model, const dynamics::System* system,
                                              const Failure& failure);

/// "pucks.vin:14:12" of that place; empty for a model without text.
[[nodiscard]] std::string failure_where(const mechanics::Model& model, const dynamics::System* system,
                                        const Failure& failure);

/// {"kind", "message", "t", "where"}; null where nothing failed.
[[nodiscard]] Node failure_node(const mechanics::Model& model, const dynamics::System* system,
                                const std::optional<Failure>& failure);

/// A failure of the motion rendered like a diagnostic, at the line that caused it, with the time and what to try.
/// \param system  may be null when the failure came before the equations.
[[nodiscard]] std::string failure_text(const mechanics::Model& model, const dynamics::System* system,
                                       const Failure& failure);

}  // namespace vinculum::out

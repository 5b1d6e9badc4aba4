#pragma once

#include <string>

#include "vinculum/exports/derive_code_writer.hpp"

namespace vinculum::report {

/// Returns why a program has no function `project`, as the end of a sentence; empty if it has one.
[[nodiscard]] std::string why_no_projection(const Derivation& derivation);

/// Adds the function `velocity_relations` to a program, unless it has it: the residuals of the constraints at the
/// velocity level, and their gradients.
void write_velocity_relations(CodeWriter& writer, const Derivation& derivation);
/// Whether some row has a velocity form that is not affine in the speeds.
[[nodiscard]] bool has_curved_rows(const equations::System& system);

/// Adds the function `project` and its helper functions, which return the nearest state that satisfies the constraints,
/// in the metric of M. \pre `why_no_projection` is empty, and the program contains `orthogonalize` and `cholesky`
/// Source: theory.md §5.4.
void write_projection(CodeWriter& writer, const Derivation& derivation);

}  // namespace vinculum::report

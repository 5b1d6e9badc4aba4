#pragma once

#include <string>
#include <vector>

#include "vinculum/exports/derive_code_writer.hpp"
#include "vinculum/exports/derive_lines.hpp"

namespace vinculum::report {

/// A function of the state that is positive where a condition is true and negative where it is false: b − a for a < b,
/// the minimum for `and`, the maximum for `or`. It is continuous if both sides of each comparison are continuous.
[[nodiscard]] expr::Expr guard_of(expr::Expr condition);

/// Returns the factor acts(c) of a row whose constraint has a `when` clause; not valid for a row that always acts.
[[nodiscard]] expr::Expr acts_of(const Derivation& derivation, int row);

/// Adds the section on events to a listing: for each event, its condition and the values that it sets.
void list_events(Lines& lines, const Derivation& derivation);

/// Returns the events of a model, one line each, for the header of a program; empty for a model without events and
/// `when` clauses.
[[nodiscard]] std::string contents_of_events(const Derivation& derivation);

/// Adds the functions of events to a program: acts, guards, event_times, event_directions, happen, impulse.
void write_events(CodeWriter& writer, const Derivation& derivation);

/// Whether an event can leave speeds that violate constraints, so that an impulse is needed.
[[nodiscard]] bool needs_impulse(const Derivation& derivation);
/// Whether a program has the function `impulse`.
[[nodiscard]] bool has_impulse(const Derivation& derivation);
/// Returns the reason why a program lacks the function `impulse`, as the end of a sentence; empty if the program has
/// it.
[[nodiscard]] std::string why_no_impulse(const Derivation& derivation);

}  // namespace vinculum::report

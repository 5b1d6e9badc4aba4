#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/reaction_laws/law.hpp"

/// Declares functions for Hamilton's principle that several files of this module use.
namespace vinculum::reaction_laws {

/// True if the constraint follows Hamilton's principle (Hamilton–Lusternik); false for Kozlov's family.
[[nodiscard]] bool is_vakonomic(const Constraint& constraint);

/// The relation F of a row whose integral is varied: the row's own relation, or its rate for a position-level row.
[[nodiscard]] Term rate_of_path(const Model& model, ConstraintId id, std::size_t row);

/// The states on which the rows depend: those in the rows, and those in the rates of such states, in the order in which
/// they are found.
[[nodiscard]] std::vector<model::StateId> states_behind(const Model& model, std::span<const Term> rows);
/// Dimension of the multiplier ν of a state z; ν z' has the dimension of the Lagrangian.
[[nodiscard]] Dimension dimension_of_nu(const Model& model, model::StateId of);
[[nodiscard]] std::string primes_of(int count);

}  // namespace vinculum::reaction_laws

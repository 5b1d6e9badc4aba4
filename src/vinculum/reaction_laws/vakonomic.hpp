#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/reaction_laws/law.hpp"

/// What the files of laws share of Hamilton's principle.
namespace vinculum::reaction_laws {

/// Whether the constraint is under Hamilton–Lusternik.
[[nodiscard]] bool is_vakonomic(const Constraint& constraint);

/// F of a row whose integral is varied, in terms: d/dt of one of position level.
[[nodiscard]] Term rate_of_path(const Model& model, ConstraintId id, std::size_t row);

/// States in the rows, and in the rates of such states, in the order in which they are found.
[[nodiscard]] std::vector<model::StateId> states_behind(const Model& model, std::span<const Term> rows);
/// Dimension of a state's ν: ν z' adds to L.
[[nodiscard]] Dimension dimension_of_nu(const Model& model, model::StateId of);
[[nodiscard]] std::string primes_of(int count);

}  // namespace vinculum::reaction_laws

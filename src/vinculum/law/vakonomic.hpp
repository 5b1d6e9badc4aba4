#pragma once

#include "vinculum/law/law.hpp"

/// What the files of laws share of Hamilton's principle.
namespace vinculum::law {

/// Whether the constraint is under Hamilton–Lusternik.
[[nodiscard]] bool is_vakonomic(const Constraint& constraint);

/// F of a row whose integral is varied, in terms: d/dt of one of position level.
[[nodiscard]] Term rate_of_path(const Model& model, ConstraintId id, std::size_t row);

}  // namespace vinculum::law

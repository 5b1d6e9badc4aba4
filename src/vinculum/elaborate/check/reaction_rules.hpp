#pragma once

#include <optional>
#include <string>

#include "vinculum/elaborate/check/contact_rules.hpp"

/// Rules of the reaction of a constraint on a point, with their messages. Texts and programs (`Builder`) share them.
namespace vinculum::elaborate {

/// Whether a constraint exerts a force on a point.
/// \param point  a massless point at which the constraint exerts no force is replaced by the point at the same position
///   at which it does
[[nodiscard]] std::optional<RuleProblem> point_force_problem(TermFacts& facts, const model::Model& model,
                                                             model::ConstraintId id, model::PointId& point);
/// The problem with a point to which the constraint refers by coordinates, `model::acts_by_coordinates`.
[[nodiscard]] RuleProblem reaction_of_coordinates_problem(const model::Model& model, model::ConstraintId id);
/// The points and bodies on which a constraint acts, as a hint.
[[nodiscard]] std::string where_it_acts(const model::Model& model, model::ConstraintId id);

}  // namespace vinculum::elaborate

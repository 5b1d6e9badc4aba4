#pragma once

#include <string>

#include "vinculum/base/outcome.hpp"
#include "vinculum/compiled/compiled_model.hpp"

namespace vinculum::sim {

/// Returns a failure of friction at a contact, with the rows of the constraint that the friction belongs to.
[[nodiscard]] Failure friction_failure(const CompiledModel& compiled, FailureKind kind, int slide, std::string message);
/// kNegativeFriction: the friction bound is negative.
[[nodiscard]] Failure negative_bound(const CompiledModel& compiled, int slide, double bound);
/// kFrictionNoSolution: the friction force does not oppose the velocity on whose direction it depends, so it is not
/// defined at rest.
[[nodiscard]] Failure says_nothing_about_rest(const CompiledModel& compiled, int slide);
/// What to write if unilateral constraints with friction have no motion, or several.
/// \param kind  kFrictionNoSolution or kFrictionManySolutions
[[nodiscard]] const char* advice_for_contacts(FailureKind kind);

}  // namespace vinculum::sim

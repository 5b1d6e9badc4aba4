#pragma once

#include <optional>
#include <string>

#include "vinculum/elaborate/check/contact_rules.hpp"
#include "vinculum/model/joint.hpp"

/// Rules of the clauses `friction BOUND` and `limits` of a joint, with their messages. Texts and programs (`Builder`)
/// share them.
namespace vinculum::elaborate {

/// Whether the joint has one motion along which friction of a given bound can act, between two bodies or a body and the
/// ground.
[[nodiscard]] std::optional<RuleProblem> joint_friction_problem(const model::Model& model,
                                                                const model::JointSpec& joint);

/// The problem with friction of a given bound of a constraint that is not a joint.
[[nodiscard]] RuleProblem bound_without_joint();

/// Whether the joint has one position that limits can bound.
[[nodiscard]] std::optional<RuleProblem> joint_limit_problem(model::JointKind kind);
/// The problem with limits of a constraint that is not a joint.
[[nodiscard]] RuleProblem limits_without_joint();
inline constexpr const char* kOneLimitsOnly = "a joint has one `limits`";
/// The problem with limits of a joint that acts at times.
[[nodiscard]] RuleProblem limits_of_timed_joint();
/// "angle" or "advance".   \pre the joint has one degree of freedom
[[nodiscard]] std::string joint_position_name(model::JointKind kind);

/// Gaps of the two limits of a joint; invalid for a limit that is not stated.
struct LimitGaps {
  model::Term above_lower, below_upper;
};
/// Sets the gaps of a position with limits. If the angle is known up to whole turns only, the model requires that later
/// values of the limits are less than a turn apart.
/// \param lower, upper  invalid: not stated
/// \param of            the position in words
/// \param is_guessed    the position, or a limit, contains substitutes for mistakes, whose values are not known
[[nodiscard]] std::optional<RuleProblem> joint_limit_gaps(model::Model& model, TermFacts& facts,
                                                          const model::JointPosition& position, model::Term lower,
                                                          model::Term upper, const std::string& of, bool is_guessed,
                                                          LimitGaps& gaps);

}  // namespace vinculum::elaborate

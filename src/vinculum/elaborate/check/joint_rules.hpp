#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/model/joint.hpp"

namespace vinculum::elaborate {

/// A wrong use of a joint; its hint is `joint_hint`.
struct JointProblem {
  diag::Kind kind;
  std::string message;
  std::uint16_t part = 0;  ///< the JointPart that is not allowed; 0 if something is missing
};

/// Parts that the joint does not take, in the order of `stated`, then those that it lacks. Texts and programs
/// (`Builder::joint`) report the same messages.
[[nodiscard]] std::vector<JointProblem> joint_part_problems(const model::JointInfo& info,
                                                            const std::vector<model::JointPart>& stated);
/// "write `revolute between …`"
[[nodiscard]] std::string joint_hint(const model::JointInfo& info);
/// Hint for an unknown kind of joint: the joint that a word of another language means, or the nearest name.
[[nodiscard]] std::string hint_for_joint(const std::string& word);
/// End of the message about a number that this part cannot be, such as " must be positive"; empty if it can.
[[nodiscard]] std::string_view problem_of_joint_number(model::JointPart part, double x);

}  // namespace vinculum::elaborate

#pragma once

#include "support/mechanisms/kinematics.hpp"

namespace vinculum::mechanisms {

/// A scalar row of a constraint, LHS − RHS, with those time derivatives that its level permits.
struct Row {
  Jet value;
  int level = 0;
};
/// Rows by an independent implementation of docs/joints.md and docs/language.md, in the order of the multipliers.
[[nodiscard]] std::vector<Row> rows_of(const Constraint& constraint, const Kinematics& at);
/// Contact point or point of action of a joint: for gear, blade, rolling, point_on_surface, prescribed_velocity.
[[nodiscard]] V3 contact_of(const Constraint& joint, const Kinematics& at);
[[nodiscard]] bool acts_at_contact(const Constraint& joint);

}  // namespace vinculum::mechanisms

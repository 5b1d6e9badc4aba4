#pragma once

#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/cursor.hpp"

/// Checks for common mistakes. Each looks ahead from the cursor without taking a token, and reports what to write
/// instead if it finds the mistake.
namespace vinculum::lang {

/// Detects `frame C = N rotated a about z rotated b about x`. The second rotation may also follow a comma or `then`.
void expect_one_rotation(Cursor& cursor, const FrameStatement& frame);

/// Detects `point Q fixed in N = O + x*N.x`.
void expect_no_place_of_fixed_point(Cursor& cursor, const Name& name);

/// Detects the clause `friction on P mu = 0.3` that is not indented below its constraint.
void expect_friction_of_coordinate(Cursor& cursor);

/// Detects the clause `friction P mu = 0.3`, without `on`.
void expect_bound_of_friction(Cursor& cursor);

/// Detects `force on B at P = VEC`.
void expect_place_after_force(Cursor& cursor, const Name& body);
/// Detects `torque on B = VEC at P`.
void expect_no_place_of_torque(Cursor& cursor);
/// Detects `mass m density EXPR` of a body.
void expect_one_of_mass_and_density(Cursor& cursor);
/// Detects `gravity g = 9.81 [m/s^2]`.
void expect_no_name_of_gravity(Cursor& cursor);
/// Detects `damper P Q damping c stiffness k`, and a second `damping`.
void expect_no_stiffness_of_damper(Cursor& cursor);

/// Whether the arguments of a function follow the name of a `let`. Reports empty brackets.
[[nodiscard]] bool begins_arguments_of_let(Cursor& cursor, const Name& name);

/// Whether the cursor is at a solid, `cylinder(r, h)`, in the place of an inertia. Reports a missing solid if the body
/// has a density, and moments without brackets.
[[nodiscard]] bool is_at_solid(Cursor& cursor, bool has_density);
/// Detects `about P` after the inertia of a solid.
void expect_inertia_about_center(Cursor& cursor);

/// Whether a word names a law of restitution.
[[nodiscard]] bool is_restitution_law(std::string_view word);
/// Detects `restitution e = 0.3` and `restitution newton 0.3`.
void expect_coefficient_of_restitution(Cursor& cursor);
/// Detects another word than a law of restitution after the coefficient, as in `restitution 0.3 bouncy`.
void expect_law_of_restitution(Cursor& cursor);
/// Detects `friction` after the limits of a coordinate or a joint.
void expect_no_friction_of_limits(Cursor& cursor);
/// Detects words that are not clauses of a constraint or joint, but that users expect there, as in `bounce 0.5`.
void expect_clause(Cursor& cursor);

}  // namespace vinculum::lang

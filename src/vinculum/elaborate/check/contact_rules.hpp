#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/elaborate/check/facts.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/model/joint.hpp"

/// Rules of unilateral constraints, limits, contacts and friction, with their messages. Texts and programs (`Builder`)
/// share them.
namespace vinculum::elaborate {

/// A mistake, without its place.
struct RuleProblem {
  diag::Kind kind;
  std::string message, hint = {};
};

/// A number that must satisfy a condition.
struct NumberRule {
  bool (*holds)(double);
  std::string_view ending;  ///< end of the message about other numbers, " must be positive"
  std::string_view hint;
};
extern const NumberRule kRestitutionRule, kComplianceRule, kFrictionRule;

inline constexpr std::string_view kRestitution = "a coefficient of restitution";
inline constexpr std::string_view kCompliance = "a compliance";
inline constexpr std::string_view kFriction = "a coefficient of friction";
inline constexpr std::string_view kStaticFriction = "a coefficient of static friction";
inline constexpr std::string_view kFrictionBound = "a bound of dry friction";
inline constexpr std::string_view kStaticBound = "a bound of static friction";
inline constexpr std::string_view kViscousFriction = "a coefficient of viscous friction";
inline constexpr std::string_view kSliding = "the velocity of sliding";

/// Whether the number is finite and satisfies the rule for the present values of the parameters. If it does, the model
/// requires this of later values too.
/// \param value  scalar of numbers and parameters
[[nodiscard]] std::optional<RuleProblem> number_problem(model::Model& model, model::Term value, const NumberRule& rule,
                                                        std::string_view what);

/// The problem with a number that is not finite.
[[nodiscard]] RuleProblem not_finite(std::string_view what);
/// The problem with a multiplier or a force of a constraint in the relation of a constraint.
[[nodiscard]] RuleProblem reaction_in_relation();

/// Whether a term can be the gap of a unilateral constraint.
/// \param gap        invalid: the relation is not one between two scalars
/// \param name       of the constraint
/// \param is_guessed  the gap contains substitutes for mistakes, whose dependence on coordinates is not known
[[nodiscard]] std::optional<RuleProblem> gap_problem(TermFacts& facts, model::Term gap, const std::string& name,
                                                     bool is_guessed = false);

/// The clauses of a constraint with `>=` or `<=`.
[[nodiscard]] RuleProblem one_friction_only();
inline constexpr std::string_view kOtherForces =
    "leave the clause out: the force is normal to the gap, with friction on one point; other forces are loads: `force "
    "on "
    "P = VEC from Q`";
[[nodiscard]] RuleProblem no_other_clauses(std::string_view hint = kOtherForces);
[[nodiscard]] RuleProblem no_other_clauses(const lang::Clause& clause);
/// A warning if friction at rest is weaker than friction of sliding.
/// \pre both coefficients contain numbers and parameters only
[[nodiscard]] std::optional<RuleProblem> static_friction_problem(model::Model& model, model::Term mu,
                                                                 model::Term at_rest);
/// A warning if another point of the gap moves, so that the velocity of sliding is probably relative to it.
/// \param point  on which friction without `from` acts
[[nodiscard]] std::optional<RuleProblem> missing_other_side(const model::Model& model, TermFacts& facts,
                                                            const model::Constraint& constraint, model::PointId point);
[[nodiscard]] RuleProblem friction_needs_point();
/// Friction on a point of a joint `contact`.
[[nodiscard]] RuleProblem contact_finds_point();

/// Whether the model has, in addition to its unilateral constraints, constraints whose impulses are not computed.
/// \pre the model has a unilateral constraint
/// \param unilateral  name of one of them
[[nodiscard]] std::optional<RuleProblem> unilateral_model_problem(const model::Model& model, TermFacts& facts,
                                                                  const std::string& unilateral);

/// Whether a limit does not change along the motion.
/// \param of  the quantity, "`q`"
[[nodiscard]] std::optional<RuleProblem> limit_problem(TermFacts& facts, model::Term limit, const std::string& of);
/// Whether the lower limit is below the upper one for the present values of the parameters. If it is, the model
/// requires this of later values too.
[[nodiscard]] std::optional<RuleProblem> limit_order_problem(model::Model& model, model::Term lower, model::Term upper,
                                                             const std::string& of);

/// Whether a force on `point`, and the opposite force on `other`, have an effect on the motion.
/// \param name  of the point, as stated
/// \param guesses_places  some points are substitutes for mistakes, whose motion is not known
[[nodiscard]] std::optional<RuleProblem> force_place_problem(TermFacts& facts, model::PointId point,
                                                             std::optional<model::PointId> other,
                                                             const std::string& name, bool guesses_places = false);
/// Whether a vector is a velocity along which friction can act.
[[nodiscard]] std::optional<RuleProblem> sliding_problem(const model::Model& model, model::Term sliding);

/// Whether a `contact` takes an axis for this surface.
[[nodiscard]] std::optional<RuleProblem> surface_axis_problem(model::SurfaceKind kind);
/// Whether the corners of a polygon form a plane convex polygon. If they do, and are made of parameters, the model
/// requires this of later values too.
/// \param frame    in which the corners are fixed
/// \param corners  vectors fixed in the frame
[[nodiscard]] std::optional<RuleProblem> polygon_problem(model::Model& model, TermFacts& facts, model::FrameId frame,
                                                         const std::vector<model::Term>& corners);
/// Whether two polygons move in one plane, as their contacts require: they have parallel planes at all states.
/// \pre the kinematics of the model are complete
[[nodiscard]] std::optional<RuleProblem> one_plane_problem(const model::Model& model, TermFacts& facts,
                                                           const std::vector<model::Term>& first,
                                                           const std::vector<model::Term>& second);
/// Whether a term can be the height of a ground: an expression of the place on it and of parameters.
/// \param place  names of the place in the height (model::place_on_ground)
[[nodiscard]] std::optional<RuleProblem> height_problem(TermFacts& facts, model::Term height,
                                                        const std::array<model::Term, 3>& place);
[[nodiscard]] RuleProblem corner_moves(const std::string& body);
/// \pre the gap of a contact contains no coordinate
/// \param name  of the constraint
[[nodiscard]] RuleProblem contact_without_coordinate(const std::string& name);

}  // namespace vinculum::elaborate

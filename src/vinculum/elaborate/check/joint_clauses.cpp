#include "vinculum/elaborate/check/joint_clauses.hpp"

#include <array>
#include <numbers>
#include <span>

#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/requirements.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::JointKind;
using model::Term;

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// Gaps of an angle of which only the sine and the cosine are known. The angle from the middle of the limits is
/// followed without a jump: `atan2` jumps half a turn away from the middle, beyond both limits.
LimitGaps gaps_of_turns(const model::JointPosition& position, Term lower, Term upper) {
  model::TermPool& pool = lower.pool();
  const Term middle = 0.5 * (lower + upper), half = 0.5 * (upper - lower);
  const Term sine = pool.function(expr::Op::kSine, middle), cosine = pool.function(expr::Op::kCosine, middle);
  const Term from_middle = pool.function(expr::Op::kArcTangent2, position.sine * cosine - position.cosine * sine,
                                         position.cosine * cosine + position.sine * sine);
  return {from_middle + half, half - from_middle};
}

}  // namespace

std::optional<RuleProblem> joint_friction_problem(const model::Model& model, const model::JointSpec& joint) {
  if (!model::joint_position_dimension(joint.kind))
    return RuleProblem{Kind::kNotAllowedHere,
                       "a `" + std::string(model::joint_info(joint.kind).name) +
                           "` joint has no single motion that friction could act along",
                       "it is allowed in `revolute`, `prismatic` and `screw`; for other joints write `nonideal on B = "
                       "-T*unit(omega(B, A))`"};
  for (const model::FrameId side : {joint.first_body, joint.second_body})
    if (side != model::kNewtonian && !model.frame(side).body)
      return RuleProblem{Kind::kNotAllowedHere, "no body is fixed in the frame `" + model.frame(side).name + "`",
                         "declare the body, its mass may be 0"};
  return std::nullopt;
}

RuleProblem bound_without_joint() {
  return {Kind::kNotAllowedHere, "a bound of friction belongs to a joint with one motion",
          "a constraint says where friction acts: `friction on P mu = EXPR`"};
}

RuleProblem limits_without_joint() {
  return {Kind::kNotAllowedHere, "the clause `limits` is for joints",
          "limits of a coordinate are the statement `limits of q = a .. b`; a limit of an expression is `constraint "
          "NAME: EXPR <= VALUE`"};
}

std::optional<RuleProblem> joint_limit_problem(JointKind kind) {
  if (model::joint_position_dimension(kind)) return std::nullopt;
  return RuleProblem{Kind::kNotAllowedHere,
                     "a `" + std::string(model::joint_info(kind).name) +
                         "` joint has no single advance or angle that limits could bound",
                     "it is allowed in `revolute`, `prismatic` and `screw`; for other joints write `constraint NAME: "
                     "EXPR >= VALUE`"};
}

RuleProblem limits_of_timed_joint() {
  return {Kind::kNotSupported, "limits of a joint with `when` are not supported by this version",
          "state the limits as relations that hold always: `constraint NAME: EXPR >= VALUE`"};
}

std::string joint_position_name(JointKind kind) {
  return model::joint_position_dimension(kind)->is_dimensionless() ? "angle" : "advance";
}

std::optional<RuleProblem> joint_limit_gaps(model::Model& model, TermFacts& facts, const model::JointPosition& position,
                                            Term lower, Term upper, const std::string& of, bool is_guessed,
                                            LimitGaps& gaps) {
  const auto moves = [&](Term term) { return (facts.holds(term) & kHoldsCoordinates) != 0; };
  const Term value = position.value;
  if (!is_guessed && (value.is_valid() ? !moves(value) : !moves(position.sine) && !moves(position.cosine)))
    return RuleProblem{Kind::kContradiction, of + " contains no coordinate, so no force can limit it",
                       "leave the limits out"};
  if (value.is_valid()) {
    if (lower.is_valid()) gaps.above_lower = value - lower;
    if (upper.is_valid()) gaps.below_upper = -(value - upper);
    return std::nullopt;
  }
  const std::string what = of + " is known up to whole turns only, because it is not a sum of angles of frames";
  if (!lower.is_valid() || !upper.is_valid())
    return RuleProblem{Kind::kNotSupported, what,
                       "state both limits, less than a turn apart, or a relation: `constraint NAME: EXPR >= VALUE`"};
  if (!is_guessed) {
    const auto is_below_a_turn = [](std::span<const double> x) { return x[1] - x[0] < kTurn; };
    model::TermValues now(model, {});
    const std::array<double, 2> numbers = {now.scalar(lower).value, now.scalar(upper).value};
    if (!is_below_a_turn(numbers))
      return RuleProblem{Kind::kNotSupported, what,
                         "keep the two limits less than a turn apart, or state a relation: `constraint NAME: EXPR >= "
                         "VALUE`"};
    model::require(model, {lower, upper}, is_below_a_turn, "the limits of " + of + " must be less than a turn apart");
  }
  gaps = gaps_of_turns(position, lower, upper);
  return std::nullopt;
}

}  // namespace vinculum::elaborate

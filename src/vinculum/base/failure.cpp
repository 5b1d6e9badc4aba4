#include "vinculum/base/failure.hpp"

#include "vinculum/base/contract.hpp"

namespace vinculum {
namespace {

constexpr FailureInfo kTable[] = {
    {FailureKind::kNotUnique, "not-unique",
     "from here on the motion is not unique: the gradient of a constraint vanishes",
     "end the run before this time, or make the motion unique: use a constraint whose gradient neither vanishes nor "
     "jumps (a smooth curve instead of `abs`, `min`, `max` or `if`), or the clause `branch` if accelerations enter "
     "nonlinearly"},
    {FailureKind::kInconsistent, "inconsistent", "constraints contradict each other",
     "remove or relax one of the named constraints"},
    {FailureKind::kUndetermined, "undetermined", "an acceleration is determined neither by mass nor by a constraint",
     "give the named coordinates a mass or a constraint"},
    {FailureKind::kAssembly, "assembly", "no start satisfies the constraints together with the values stated by `=`",
     "let one of the named values vary (`~` instead of `=`), or correct the statement that contradicts it"},
    {FailureKind::kStepTooSmall, "step-too-small", "the step size fell below the resolution of time",
     "look for a force or constraint that becomes singular at this time, or loosen the tolerance"},
    {FailureKind::kSingularKinematics, "singular-kinematics",
     "the definitions of the speeds cannot be solved for the time derivatives of the coordinates",
     "choose speeds or coordinates that stay independent along the motion"},
    {FailureKind::kRankDrop, "rank-drop", "the constraints lose rank and the motion cannot continue",
     "start away from the singular configuration, or with a speed along the branch that is meant"},
    {FailureKind::kSingularByMultipliers, "vakonomic-singular",
     "with the multipliers of the vakonomic law the equations of motion do not determine the accelerations",
     "end the run before this time, or start the multipliers at other values"},
    {FailureKind::kNonFinite, "non-finite", "an expression of the model is not finite",
     "check the named expression at the state where it was evaluated"},
    {FailureKind::kFrictionNoSolution, "friction-no-solution", "no reaction agrees with the friction that it causes",
     "end the run before this time, lower the coefficient of friction, or state friction with `ideal_force` if that "
     "law is meant"},
    {FailureKind::kFrictionManySolutions, "friction-many-solutions",
     "several reactions agree with the friction that they cause",
     "lower the coefficient of friction, or state friction with `ideal_force` if that law is meant"},
    {FailureKind::kNotConserved, "not-conserved", "a quantity of `conserve` is not an invariant of the motion",
     "leave it out; `vinculum explain` lists the invariants of the motion"},
    {FailureKind::kRegionContradiction, "region-contradiction",
     "a step was taken with a condition or a state of friction that is not true at its end",
     "let the condition change more slowly, state `max step` of `run` a tenth of the time between two changes, or run "
     "at a finer tolerance"},
    {FailureKind::kNegativeFriction, "negative-friction", "a coefficient or a bound of friction is negative",
     "friction acts against the motion: keep the coefficient or the bound at 0 or above for the whole run, for example "
     "by `max(EXPR, 0)`; state a force that drives the motion as a separate load"},
    {FailureKind::kEvent, "event", "an event with the action `stop` ended the run, as the model states",
     "nothing: the run ended where the model says"},
    {FailureKind::kTerminated, "terminated", "the condition of `terminate when` became true, as the model states",
     "nothing: the run ended where the model says"},
    {FailureKind::kEventLoop, "event-loop", "events at one instant cause each other without end",
     "let an event set its variable so that no other event at the same instant undoes it, or end the run before events "
     "follow each other without end: `terminate when`"},
};

}  // namespace

std::span<const FailureInfo> failure_table() { return kTable; }

const FailureInfo& failure_info(FailureKind kind) {
  for (const FailureInfo& info : kTable) {
    if (info.kind == kind) return info;
  }
  VINCULUM_EXPECTS(false && "every failure kind has a row");
}

std::string_view advice_of(const Failure& failure) {
  return failure.advice.empty() ? failure_info(failure.kind).advice : std::string_view(failure.advice);
}

}  // namespace vinculum

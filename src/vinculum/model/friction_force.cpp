#include "vinculum/model/friction_force.hpp"

namespace vinculum::model {

Nonideal coulomb_friction(ForceOn sliding, Term normal, const FrictionCoefficients& coefficients, SourceRange range) {
  sliding.force = -(coefficients.mu * normal * normal.pool().unit(sliding.force));
  Nonideal result{sliding, range};
  if (coefficients.at_rest.is_valid()) result.static_ratio = coefficients.at_rest / coefficients.mu;
  result.coefficient = coefficients.mu;
  return result;
}

Nonideal friction_of_joint(const JointSpec& joint, Term bound, Term at_rest, Term viscous, SourceRange range) {
  TermPool& pool = bound.pool();
  const FrameId A = joint.first_body, B = joint.second_body, N = Model::newtonian();
  const bool turns = joint.kind == JointKind::kRevolute || joint.kind == JointKind::kScrew;
  const Term along = pool.unit(joint.axis);
  const Term rate = pool.dot(turns ? pool.angular_velocity(B, A) : pool.velocity(joint.second_point, A), along);
  Term value = bound * pool.function(expr::Op::kSign, rate);
  if (viscous.is_valid()) value = value + viscous * rate;
  const Term on_first = value * along;
  Nonideal result{ForceOn{}, range};
  // The newtonian frame N is the ground, on which no force is stated.
  if (turns && B != N)
    result.what = TorqueOn{B, -on_first, A == N ? std::nullopt : std::optional(A)};
  else if (turns)
    result.what = TorqueOn{A, on_first, std::nullopt};
  else if (B != N)
    result.what = ForceOn{joint.second_point, -on_first, A == N ? std::nullopt : std::optional(joint.first_point)};
  else
    result.what = ForceOn{joint.first_point, on_first, std::nullopt};
  if (at_rest.is_valid()) result.static_ratio = at_rest / bound;
  result.coefficient = bound;
  return result;
}

Load friction_on_coordinate(TermPool& pool, CoordinateId coordinate, Term bound, Term at_rest, Term viscous,
                            SourceRange range) {
  const Term rate = pool.coordinate(coordinate, 1);
  Term value = -(bound * pool.function(expr::Op::kSign, rate));
  if (viscous.is_valid()) value = value - viscous * rate;
  Load load{GeneralizedForceOn{coordinate, value}, range};
  if (at_rest.is_valid()) load.static_ratio = at_rest / bound;
  load.coefficient = bound;
  load.is_friction = true;
  return load;
}

}  // namespace vinculum::model

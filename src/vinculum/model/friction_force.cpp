#include "vinculum/model/friction_force.hpp"

namespace vinculum::model {

Nonideal coulomb_friction(ForceOn sliding, Term normal, const FrictionCoefficients& coefficients, SourceRange range) {
  sliding.force = -(coefficients.mu * normal * normal.pool().unit(sliding.force));
  Nonideal result{sliding, range};
  if (coefficients.at_rest.is_valid()) result.static_ratio = coefficients.at_rest / coefficients.mu;
  result.coefficient = coefficients.mu;
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

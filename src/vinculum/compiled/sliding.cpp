#include "vinculum/compiled/sliding.hpp"

#include <algorithm>
#include <variant>

#include "vinculum/equations/derive.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::sim {
namespace {

using model::Term;

Term force_of(const model::Nonideal& nonideal) {
  if (const auto* force = std::get_if<model::ForceOn>(&nonideal.what)) return force->force;
  if (const auto* torque = std::get_if<model::TorqueOn>(&nonideal.what)) return torque->torque;
  return std::get<model::GeneralizedForceOn>(nonideal.what).force;
}

}  // namespace

SlidingVelocities sliding_velocities(const equations::System& system) {
  const model::Model& model = *system.model;
  SlidingVelocities result;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    std::vector<Term> seen;
    for (const model::Nonideal& nonideal : model.constraints[c].nonideal) {
      for (const Term node : model::in_order(force_of(nonideal))) {
        const Term v = model::direction_taken(node);
        if (!v.is_valid() || std::ranges::find(seen, v) != seen.end() || !model::is_sliding_velocity(model, v))
          continue;
        seen.push_back(v);
        const std::vector<expr::Expr> values = equations::lower(system, v);
        result.sliding.push_back(
            {model::ConstraintId(c), static_cast<int>(result.values.size()), static_cast<int>(values.size())});
        result.values.insert(result.values.end(), values.begin(), values.end());
      }
    }
  }
  return result;
}

}  // namespace vinculum::sim

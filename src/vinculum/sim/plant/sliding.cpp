#include "vinculum/sim/plant/sliding.hpp"

#include <algorithm>
#include <variant>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/mechanics/sliding.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::sim {
namespace {

using mechanics::Term;

Term force_of(const mechanics::Nonideal& nonideal) {
  if (const auto* force = std::get_if<mechanics::ForceOn>(&nonideal.what)) return force->force;
  if (const auto* torque = std::get_if<mechanics::TorqueOn>(&nonideal.what)) return torque->torque;
  return std::get<mechanics::GeneralizedForceOn>(nonideal.what).force;
}

}  // namespace

SlidingVelocities sliding_velocities(const dynamics::System& system) {
  const mechanics::Model& model = *system.model;
  SlidingVelocities result;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    std::vector<Term> seen;
    for (const mechanics::Nonideal& nonideal : model.constraints[c].nonideal) {
      for (const Term node : mechanics::in_order(force_of(nonideal))) {
        const Term v = mechanics::direction_taken(node);
        if (!v.is_valid() || std::ranges::find(seen, v) != seen.end() || !mechanics::is_sliding_velocity(model, v))
          continue;
        seen.push_back(v);
        const std::vector<expr::Expr> values = dynamics::lower(system, v);
        result.sliding.push_back(
            {mechanics::ConstraintId(c), static_cast<int>(result.values.size()), static_cast<int>(values.size())});
        result.values.insert(result.values.end(), values.begin(), values.end());
      }
    }
  }
  return result;
}

}  // namespace vinculum::sim

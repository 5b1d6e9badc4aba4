#include "vinculum/compiled/lifted_equations.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "vinculum/base/index.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/inspect/load_power.hpp"

namespace vinculum::sim {
namespace {

using equations::HeldForce;
using expr::Expr;
using model::Term;

/// The forces that may become unknowns: tensions of springs, and forces of penalty realizations of constraint rows.
std::vector<HeldForce> forces_of(const model::Model& model) {
  std::vector<HeldForce> all;
  const auto add = [&](Term force) {
    if (force.is_valid() &&
        std::ranges::find(all, force.id(), [](const HeldForce& one) { return one.force.id(); }) == all.end())
      all.push_back({force, {}, {}});
  };
  for (const model::Load& load : model.loads) {
    if (const auto* spring = std::get_if<model::SpringBetween>(&load.what)) add(tension(model, *spring));
  }
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const model::Constraint& constraint = model.constraints[c];
    if (!model::is_realised(constraint)) continue;
    const model::ConstraintId id(c);
    for (std::size_t row = 0; row < constraint.rows.size(); ++row) add(constraint.law->multiplier(model, id, row));
  }
  return all;
}

}  // namespace

std::optional<LiftedEquations> lifted_equations(const std::shared_ptr<const model::Model>& model,
                                                std::span<const Embedding> embedding) {
  std::vector<HeldForce> held = forces_of(*model);
  if (held.empty()) return std::nullopt;
  auto motion = motion_equations(model, embedding, held);
  if (!motion || motion->system->higher) return std::nullopt;
  // A force is dropped if no equation contains its symbol, because then it is no unknown of the equations. If a force
  // depends on multipliers, it is not a function of the state, and this function returns nothing.
  std::erase_if(held, [&](const HeldForce& one) {
    const auto holds = [&](Expr e) { return expr::depends_on(e, {&one.symbol, 1}); };
    return std::ranges::none_of(motion->E, holds) && std::ranges::none_of(motion->S, holds);
  });
  const auto is_of_unknowns = [&](const HeldForce& one) { return expr::depends_on(one.value, motion->unknowns); };
  if (held.empty() || std::ranges::any_of(held, is_of_unknowns)) return std::nullopt;
  LiftedEquations lifted;
  lifted.motion = *std::move(motion);
  for (const HeldForce& one : held) {
    lifted.motion.state.push_back(one.symbol);
    lifted.motion.S.push_back(one.value - one.symbol);
    lifted.force.push_back(one.value);
  }
  return lifted;
}

}  // namespace vinculum::sim

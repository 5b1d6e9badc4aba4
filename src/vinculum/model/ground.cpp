#include "vinculum/model/ground.hpp"

#include <algorithm>
#include <unordered_map>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/forward_rules.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

/// ∂height/∂place[k], with the other two held fixed.
Term slope_of(Term height, const std::array<Term, 3>& place, std::size_t k) {
  TermPool& pool = height.pool();
  std::unordered_map<TermId, Term> slopes;
  const auto slope = [&](Term term) { return slopes.at(term.id()); };
  const auto is_place = [&](Term term) { return std::ranges::find(place, term) != place.end(); };
  for (const Term one : place) slopes[one.id()] = pool.number(one == place[k] ? 1.0 : 0.0);
  for (const Term node : in_order(height, is_place)) {
    if (is_place(node)) continue;
    const bool is_leaf = node.operand_count() == 0;
    slopes[node.id()] = !is_leaf           ? derivative_by_operands(node, slope)
                        : node.is_vector() ? pool.zero_vector()
                                           : pool.number(0.0);
  }
  return slopes.at(height.id());
}

}  // namespace

std::array<Term, 3> place_on_ground(TermPool& pool, PointId other, PointId ground, FrameId frame) {
  const Term arm = pool.position(other, ground);
  return {pool.dot(arm, pool.basis_vector(frame, 0)), pool.dot(arm, pool.basis_vector(frame, 1)),
          pool.dot(arm, pool.basis_vector(frame, 2))};
}

Term height_at(Term height, const std::array<Term, 3>& place, const std::array<Term, 3>& at) {
  std::unordered_map<TermId, Term> rewritten;
  for (std::size_t k = 0; k < 3; ++k) rewritten[place[k].id()] = at[k];
  const auto is_place = [&](Term term) { return std::ranges::find(place, term) != place.end(); };
  for (const Term node : in_order(height, is_place)) {
    if (is_place(node)) continue;
    std::vector<Term> operands;
    for (int i = 0; i < node.operand_count(); ++i) operands.push_back(rewritten.at(node.operand(i).id()));
    rewritten[node.id()] = operands.empty() ? node : with_operands(node, operands);
  }
  return rewritten.at(height.id());
}

OverGround over_ground(TermPool& pool, const PlacedSurface& ground, PointId other, Term offset) {
  VINCULUM_EXPECTS(ground.kind == SurfaceKind::kGround && ground.lengths.size() == 1);
  const Term arm = pool.position(other, ground.center) + offset, height = ground.lengths.front();
  std::array<Term, 3> place, at;
  for (std::size_t k = 0; k < 3; ++k) {
    place[k] = pool.dot(pool.position(other, ground.center), ground.basis[k]);
    at[k] = pool.dot(arm, ground.basis[k]);
  }
  Term gradient = ground.axis;
  for (std::size_t k = 0; k < 3; ++k)
    gradient = gradient - height_at(slope_of(height, place, k), place, at) * ground.basis[k];
  const Term above = pool.dot(arm, ground.axis) - height_at(height, place, at);
  return {above / pool.norm(gradient), pool.unit(gradient)};
}

}  // namespace vinculum::model

// Computes the forces and torques of the reaction of a relation of order p: the path is varied, and the result is
// integrated by parts in vectors.
#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/expansion.hpp"
#include "vinculum/model/inspect/adjoints.hpp"
#include "vinculum/model/inspect/inspection_memory.hpp"
#include "vinculum/model/inspect/variation.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

/// A factor Σ_k μ^(k) c_k of a variation, with μ^(k) the derivative of order k of the multiplier; stored as the
/// coefficients c_k.
using Factor = std::vector<Term>;

/// Integrates δ∫μF dt by parts until only displacements of points and rotations of bodies are varied.
class PathVariation {
 public:
  explicit PathVariation(const Model& model) : model_(model), pool_(*model.terms), tree_(model) {}

  std::vector<RowInspection> of(Term row, int order) {
    by_rate_.resize(static_cast<std::size_t>(order) + 1);
    vary(row, {pool_.number(1.0)});
    for (RowInspection& part : by_rate_) {
      if (!has_rates_) part = {};
      part.has_bare_part = is_bare_ || !has_rates_;
      std::erase_if(part.forces, [](const PointReaction& force) { return force.W.is_zero(); });
      std::erase_if(part.torques, [](const BodyReaction& torque) { return torque.tau.is_zero(); });
    }
    return std::move(by_rate_);
  }

 private:
  void vary(Term scalar, const Factor& factor) {
    const Term expanded = in_places_of_matter(model_, scalar);
    const Adjoints adjoints(expanded);
    for (const Term leaf : leaves_as_read(expanded)) {
      const Term adjoint = adjoints.of(leaf);
      if (!adjoint.is_zero()) vary_leaf(leaf, times(factor, adjoint));
    }
    for (const Term node : in_order(expanded)) {
      const Term adjoint = adjoints.of(node);
      if (node.kind() == TermKind::kPartial && !adjoint.is_zero()) is_bare_ = true;
      if (node.kind() != TermKind::kRate || adjoint.is_zero()) continue;
      Factor of_operand = times(factor, adjoint);
      for (int k = 0; k < node.order(); ++k) of_operand = negative(rate(of_operand, kNewtonian));
      vary(node.operand(0), of_operand);
    }
  }

  void vary_leaf(Term leaf, const Factor& c) {
    switch (leaf.kind()) {
      case TermKind::kPosition:
        act_on(point_of(leaf), c);
        act_on(PointId(std::size_t{leaf.second()}), negative(c));
        return;
      case TermKind::kVelocity: act_on(point_of(leaf), negative(rate(c, kNewtonian))); return;
      case TermKind::kAcceleration:
        // the second derivative of a contact point's position is not the acceleration of a material point
        is_bare_ = is_bare_ || tree_.wanders(point_of(leaf));
        act_on(point_of(leaf), rate(rate(c, kNewtonian), kNewtonian));
        return;
      case TermKind::kBasisVector: turn_with(tree_.carrying_frame(frame_of(leaf)), frame_of(leaf), leaf, c); return;
      case TermKind::kAngularVelocity:
        if (!is_of_solid(leaf)) return turn_with(tree_.carrying_frame(seen_in(leaf)), frame_of(leaf), leaf, c);
        return turn(frame_of(leaf), negative(rate(c, frame_of(leaf))));
      case TermKind::kAngularAcceleration:
        // δα = d(δω)/dt in the newtonian frame, and δω = d(δθ)/dt as seen in the body.
        if (!is_of_solid(leaf)) return turn_with(tree_.carrying_frame(seen_in(leaf)), frame_of(leaf), leaf, c);
        return turn(frame_of(leaf), rate(rate(c, kNewtonian), frame_of(leaf)));
      case TermKind::kCoordinate:
      case TermKind::kSpeed: is_bare_ = true; return;
      default: return;
    }
  }

  [[nodiscard]] bool is_solid(FrameId frame) const { return frame == kNewtonian || model_.frame(frame).body; }
  [[nodiscard]] bool is_of_solid(Term leaf) const { return is_solid(frame_of(leaf)) && seen_in(leaf) == kNewtonian; }

  /// Adds the torque of a vector that turns with the carrier. If its frame turns relative to the carrier, a generalized
  /// force acts on the coordinates of that rotation too.
  void turn_with(FrameId carrier, FrameId frame, Term vector, const Factor& c) {
    Factor torque;
    for (const Term one : c) torque.push_back(pool_.cross(vector, one));
    turn(carrier, torque);
    if (tree_.of_rotation(frame, carrier).on_coordinates) is_bare_ = true;
  }

  void act_on(PointId point, const Factor& force) {
    if (!model_.point(point).particle && !tree_.solid_of(point)) return;
    for (std::size_t k = 0; k < force.size(); ++k) {
      if (!force[k].is_zero()) by_rate_.at(k).add_force(point, force[k]);
    }
  }

  void turn(FrameId solid, const Factor& torque) {
    if (!is_solid(solid)) return;
    for (std::size_t k = 0; k < torque.size(); ++k) {
      if (!torque[k].is_zero()) by_rate_.at(k).add_torque(solid, torque[k]);
    }
  }

  Factor times(const Factor& factor, Term adjoint) {
    Factor product;
    for (const Term one : factor) product.push_back(one * adjoint);
    return product;
  }

  static Factor negative(Factor factor) {
    for (Term& one : factor) one = -one;
    return factor;
  }

  /// d/dt of a factor: (Σ μ^(k) c_k)' = Σ μ^(k) (c_k' + c_(k−1)).
  Factor rate(const Factor& factor, FrameId frame) {
    Factor rates(factor.size() + 1, factor[0].is_scalar() ? pool_.number(0.0) : pool_.zero_vector());
    for (std::size_t k = 0; k < factor.size(); ++k) {
      const Term change = time_derivative(model_, factor[k], frame);
      has_rates_ = has_rates_ && change.is_valid();
      if (change.is_valid()) rates[k] = rates[k] + change;
      rates[k + 1] = rates[k + 1] + factor[k];
    }
    return rates;
  }

  const Model& model_;
  TermPool& pool_;
  KinematicTree tree_;
  bool is_bare_ = false, has_rates_ = true;
  std::vector<RowInspection> by_rate_;
};

}  // namespace

std::vector<RowInspection> vary_path(const Model& model, ConstraintId id, std::size_t row) {
  const Constraint& constraint = model.constraint(id);
  VINCULUM_EXPECTS(is_higher_order(constraint));
  const Term relation = constraint.rows[row];
  return memory_of(model).paths.of(
      relation.id(), [&] { return PathVariation(model).of(relation, static_cast<int>(constraint.level)); });
}

Term rate_of_mu(const Model& model, ConstraintId id, std::size_t row, std::size_t k) {
  const auto mu = model.constraint(id).law->mu();
  if (k < mu.size()) return model.terms->state(mu[k][row]);
  const Term highest = model.terms->ideal_multiplier(id, static_cast<int>(row));
  return k % 2 == 0 ? highest : -highest;  // for a holonomic constraint differentiated p times, λ = (−1)^p μ^(p)
}

}  // namespace vinculum::model

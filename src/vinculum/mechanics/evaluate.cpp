#include "vinculum/mechanics/evaluate.hpp"

#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::mechanics {
namespace {

Jet unknown_rate(double value) { return {value, std::nan(""), std::nan("")}; }
JetVector as_scalar(Jet jet) { return {jet, Jet{}, Jet{}}; }
JetVector difference(const JetVector& a, const JetVector& b) { return add(a, scale({-1.0, 0.0, 0.0}, b)); }

}  // namespace

std::vector<double> declared_values(const Model& model) {
  std::vector<double> values;
  for (const Parameter& parameter : model.parameters) values.push_back(parameter.declared);
  return values;
}

Jet TermValues::scalar(Term term) {
  VINCULUM_EXPECTS(term.is_scalar());
  return node_value(term)[0];
}

JetVector TermValues::vector(Term term, FrameId frame) {
  VINCULUM_EXPECTS(term.is_vector());
  const JetVector in_newtonian = node_value(term);
  return frame == Model::newtonian() ? in_newtonian : rotate(transpose(rotation(frame)), in_newtonian);
}

JetVector TermValues::node_value(Term root) {
  if (const auto found = values_.find(root.id()); found != values_.end()) return found->second;
  for (const Term node : in_order(root)) {
    if (values_.contains(node.id())) continue;
    const auto operand = [&](int i) -> const JetVector& { return values_.at(node.operand(i).id()); };
    const auto scalar_operand = [&](int i) { return i < node.operand_count() ? operand(i)[0] : Jet{}; };
    const Jet minus_one{-1.0, 0.0, 0.0};
    JetVector value;
    switch (node.kind()) {
      case TermKind::kFunction:
        value = as_scalar(evaluate_jet(node.op(), scalar_operand(0), scalar_operand(1), scalar_operand(2)));
        break;
      case TermKind::kTable:
        value = as_scalar(evaluate_jet(*node.pool().spline(node.index()), node.order(), scalar_operand(0)));
        break;
      case TermKind::kPartial: value = as_scalar(partial(node.operand(0), node.operand(1))); break;
      case TermKind::kRate: {
        Jet rate = scalar_operand(0);
        int known = 0;  // derivatives that the jet has
        for (Jet next = rate; known < node.order() && !std::isnan(next.rate); next = rate_of(next)) ++known;
        for (int i = 0; i < node.order(); ++i) rate = rate_of(rate);
        const auto level = static_cast<std::size_t>(level_of(model_, node));
        if (std::isnan(rate.value) && level > 2 && level <= at_.order_known()) {
          const Term inner = known == 0 ? node.operand(0) : node.pool().rate(node.operand(0), known);
          rate = unknown_rate(rate_along(inner, node.order() - known));
        }
        value = as_scalar(rate);
        break;
      }
      case TermKind::kDot: value = as_scalar(dot(operand(0), operand(1))); break;
      case TermKind::kNorm: value = as_scalar(square_root(dot(operand(0), operand(0)))); break;
      case TermKind::kVectorAdd: value = add(operand(0), operand(1)); break;
      case TermKind::kVectorSubtract: value = add(operand(0), mechanics::scale(minus_one, operand(1))); break;
      case TermKind::kVectorNegate: value = mechanics::scale(minus_one, operand(0)); break;
      case TermKind::kScale: value = mechanics::scale(scalar_operand(0), operand(1)); break;
      case TermKind::kCross: value = cross(operand(0), operand(1)); break;
      case TermKind::kUnit: {
        const Jet length = square_root(dot(operand(0), operand(0)));
        value = mechanics::scale(Jet{1.0, 0.0, 0.0} / length, operand(0));
        break;
      }
      case TermKind::kVectorSelect: value = scalar_operand(0).value != 0.0 ? operand(1) : operand(2); break;
      default: value = leaf_value(node); break;
    }
    values_[node.id()] = value;
  }
  return values_.at(root.id());
}

JetVector TermValues::leaf_value(Term leaf) {
  const auto point = PointId(std::size_t{leaf.index()});
  const auto frame = FrameId(std::size_t{leaf.index()});
  const auto second_frame = FrameId(std::size_t{leaf.second()});
  switch (leaf.kind()) {
    case TermKind::kNumber: return as_scalar({leaf.value(), 0.0, 0.0});
    case TermKind::kTime: return as_scalar({at_.t, 1.0, 0.0});
    case TermKind::kParameter:
      return as_scalar(
          {at_.parameters.empty() ? model_.parameters[leaf.index()].value : at_.parameters[leaf.index()], 0.0, 0.0});
    case TermKind::kCoordinate: {
      const auto q = [&](int order) {
        const auto k = static_cast<std::size_t>(order);
        return k <= at_.order_known() ? at_.derivative(leaf.index(), k) : std::nan("");
      };
      return as_scalar({q(leaf.order()), q(leaf.order() + 1), q(leaf.order() + 2)});
    }
    case TermKind::kSpeed: {
      const Term definition = model_.speeds[leaf.index()].definition;
      if (leaf.order() > 2) return as_scalar(scalar(leaf.pool().rate(definition, leaf.order())));
      const Jet u = scalar(definition);
      return as_scalar(leaf.order() == 0 ? u : leaf.order() == 1 ? rate_of(u) : rate_of(rate_of(u)));
    }
    case TermKind::kMultiplier: return as_scalar(unknown_rate(at_.lambda.at(leaf.index()).at(leaf.second())));
    case TermKind::kIdealMultiplier:
      return as_scalar(unknown_rate(at_.lambda_ideal.at(leaf.index()).at(leaf.second())));
    case TermKind::kGeneralizedForce:
      return as_scalar(unknown_rate(at_.generalized_force.at(leaf.index()).at(leaf.second())));
    case TermKind::kLawEnergy: return as_scalar(unknown_rate(std::nan("")));  // of derivatives beyond an instant
    case TermKind::kEffort: return as_scalar(unknown_rate(at_.effort.at(leaf.index()).at(leaf.second())));
    case TermKind::kSlideDirection: return as_scalar(unknown_rate(at_.slide.at(leaf.index()).at(leaf.second())));
    case TermKind::kState: {
      const Term rate = model_.states[leaf.index()].rate;
      const double z = at_.z.at(leaf.index());
      // The rate may hold states again: each derivative of z wants one less of theirs.
      if (!rate.is_valid() || state_depth_ == 2) return as_scalar(unknown_rate(z));
      TermValues inner(model_, at_);
      inner.state_depth_ = state_depth_ + 1;
      const bool is_known = level_of(model_, rate) < Level::kAcceleration;  // multipliers stand for one instant only
      const Jet z_dot = is_known ? inner.scalar(rate) : unknown_rate(inner.scalar(rate).value);
      return as_scalar({z, z_dot.value, z_dot.rate});
    }
    case TermKind::kZeroVector: return {};
    case TermKind::kBasisVector: {
      const JetRotation columns = transpose(rotation(frame));
      return columns[leaf.second()];
    }
    case TermKind::kPosition: {
      const JetVector to = position(point), from = position(PointId(std::size_t{leaf.second()}));
      return difference(to, from);
    }
    case TermKind::kVelocity: return rotate(rotation(second_frame), velocity(point, second_frame));
    case TermKind::kAcceleration: return rotate(rotation(second_frame), acceleration(point, second_frame));
    case TermKind::kAngularVelocity: return rotate(rotation(second_frame), angular_velocity(frame, second_frame));
    case TermKind::kAngularAcceleration:
      return rotate(rotation(second_frame), rate_of(angular_velocity(frame, second_frame)));
    default: break;
  }
  contract_broken("a leaf has a value", __FILE__, __LINE__);
}

// The matter of B at the place r from C: v = v_C + ω × r, as the place moves r moves along. Components in `seen_in`.
JetVector TermValues::velocity(PointId point, FrameId seen_in) {
  const JetRotation to_frame = transpose(rotation(seen_in));
  const JetVector origin = anchor(seen_in);
  const FrameId on = model_.point(point).on;
  if (!on.is_valid()) return rate_of(rotate(to_frame, difference(position(point), origin)));
  const JetVector center = anchor(on), r = rotate(to_frame, difference(position(point), center));
  return add(rate_of(rotate(to_frame, difference(center, origin))), cross(angular_velocity(on, seen_in), r));
}

JetVector TermValues::acceleration(PointId point, FrameId seen_in) {
  const FrameId on = model_.point(point).on;
  if (!on.is_valid()) return rate_of(velocity(point, seen_in));
  const JetRotation to_frame = transpose(rotation(seen_in));
  const JetVector center = anchor(on), r = rotate(to_frame, difference(position(point), center));
  const JetVector omega = angular_velocity(on, seen_in);
  const JetVector of_center = rate_of(rate_of(rotate(to_frame, difference(center, anchor(seen_in)))));
  return add(of_center, add(cross(rate_of(omega), r), cross(omega, cross(omega, r))));
}

JetVector TermValues::anchor(FrameId frame) {
  const std::optional<BodyId> body = model_.frame(frame).body;
  return body ? position(model_.body(*body).center) : JetVector{};
}

const JetVector& TermValues::position(PointId point) {
  if (const auto found = positions_.find(point); found != positions_.end()) return found->second;
  JetVector place{};
  const Point& p = model_.point(point);
  if (p.base.is_valid()) place = add(position(p.base), vector(p.offset));
  return positions_[point] = place;
}

const JetRotation& TermValues::rotation(FrameId frame) {
  if (const auto found = rotations_.find(frame); found != rotations_.end()) return found->second;
  JetRotation R = identity_rotation();
  const Frame& f = model_.frame(frame);
  if (f.parent.is_valid()) {
    R = rotation(f.parent);
    for (const SimpleRotation& simple : f.rotations) {
      JetVector axis{};
      if (simple.axis >= 0) {
        axis[static_cast<std::size_t>(simple.axis)].value = 1.0;
      } else {
        axis = vector(simple.direction, f.parent);
      }
      R = multiply(R, rotation_about(axis, scalar(simple.angle)));
    }
    if (f.quaternion) {
      std::array<Jet, 4> e;
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t q = f.quaternion->e[i].index();
        e[i] = {at_.q[q], at_.q_dot[q], at_.q_ddot[q]};
      }
      R = multiply(R, rotation_by(e));
    }
  }
  return rotations_[frame] = R;
}

/// Components in `seen_in`.
JetVector TermValues::angular_velocity(FrameId frame, FrameId seen_in) {
  const JetRotation R = multiply(transpose(rotation(seen_in)), rotation(frame));
  JetRotation R_rate;
  for (std::size_t i = 0; i < 3; ++i) R_rate[i] = rate_of(R[i]);
  const JetRotation skew = multiply(R_rate, transpose(R));
  return {skew[2][1], skew[0][2], skew[1][0]};
}

}  // namespace vinculum::mechanics

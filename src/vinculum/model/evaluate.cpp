#include "vinculum/model/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

Series unknown_rate(Rounded value) { return Series::along({&value, 1}); }
SeriesVector as_scalar(Series x) { return {std::move(x), Series{}, Series{}}; }
SeriesVector difference(const SeriesVector& a, const SeriesVector& b) { return add(a, scale(-1.0, b)); }

/// Entry of a list of lists; 0 beyond its end.
double entry_of(const std::vector<std::vector<double>>& all, std::size_t i, std::size_t k) {
  return i < all.size() && k < all[i].size() ? all[i][k] : 0.0;
}

}  // namespace

std::vector<double> declared_values(const Model& model) {
  std::vector<double> values;
  for (const Parameter& parameter : model.parameters) values.push_back(parameter.declared);
  return values;
}

Series TermValues::series(Term term) {
  VINCULUM_EXPECTS(term.is_scalar());
  return node_value(term)[0];
}

SeriesVector TermValues::series_vector(Term term, FrameId frame) {
  VINCULUM_EXPECTS(term.is_vector());
  const SeriesVector in_newtonian = node_value(term);
  return frame == Model::newtonian() ? in_newtonian : rotate(transpose(rotation(frame)), in_newtonian);
}

JetVector TermValues::vector(Term term, FrameId frame) {
  const SeriesVector v = series_vector(term, frame);
  return {jet_of(v[0]), jet_of(v[1]), jet_of(v[2])};
}

const SeriesVector& TermValues::node_value(Term root) {
  if (const auto found = values_.find(root.id()); found != values_.end()) return found->second;
  for (const Term node : in_order(root, [this](Term one) { return values_.contains(one.id()); })) {
    if (values_.contains(node.id())) continue;  // computed before, in the evaluation of another node
    SeriesVector value = operation_value(node);
    values_[node.id()] = std::move(value);
  }
  return values_.at(root.id());
}

SeriesVector TermValues::operation_value(Term node) {
  const auto operand = [&](int i) -> const SeriesVector& { return values_.at(node.operand(i).id()); };
  const Series none;
  const auto scalar_operand = [&](int i) -> const Series& { return i < node.operand_count() ? operand(i)[0] : none; };
  switch (node.kind()) {
    case TermKind::kFunction:
      return as_scalar(expr::evaluate_series(node.op(), scalar_operand(0), scalar_operand(1), scalar_operand(2)));
    case TermKind::kTable:
      return as_scalar(expr::evaluate_series(*node.pool().spline(node.index()), node.order(), scalar_operand(0)));
    case TermKind::kPartial: return as_scalar(partial(node.operand(0), node.operand(1)));
    case TermKind::kRate: {
      Series rate = scalar_operand(0);
      for (int i = 0; i < node.order(); ++i) rate = rate.rate();
      return as_scalar(rate);
    }
    case TermKind::kDot: return as_scalar(dot(operand(0), operand(1)));
    case TermKind::kNorm: return as_scalar(expr::square_root(dot(operand(0), operand(0))));
    case TermKind::kVectorAdd: return add(operand(0), operand(1));
    case TermKind::kVectorSubtract: return difference(operand(0), operand(1));
    case TermKind::kVectorNegate: return model::scale(-1.0, operand(0));
    case TermKind::kScale: return model::scale(scalar_operand(0), operand(1));
    case TermKind::kCross: return cross(operand(0), operand(1));
    case TermKind::kUnit: return model::scale(Series(1.0) / expr::square_root(dot(operand(0), operand(0))), operand(0));
    case TermKind::kVectorSelect: return scalar_operand(0).value().value != 0.0 ? operand(1) : operand(2);
    default: return leaf_value(node);
  }
}

Series TermValues::number(const Rounded& known) const {
  return Series(at_.numbers_are_stated ? known : Rounded(known.value));
}

int TermValues::known() const { return static_cast<int>(at_.order_known()) + 1; }

Series TermValues::coordinate(std::size_t i) const {
  std::vector<Rounded> path;
  const auto add = [&path](const std::vector<double>& all, const std::vector<double>& errors, std::size_t k) {
    if (k < all.size()) path.emplace_back(all[k], k < errors.size() ? errors[k] : 0.0);
  };
  add(at_.q, {}, i), add(at_.q_dot, at_.q_dot_error, i), add(at_.q_ddot, at_.q_ddot_error, i);
  for (std::size_t k = i; k < at_.q_higher.size(); k += at_.q.size()) add(at_.q_higher, at_.q_higher_error, k);
  Series q = Series::along(path);
  for (std::size_t k = 0; k < changes_.size(); ++k) {
    if (changes_[k].kind() == TermKind::kCoordinate && changes_[k].index() == i)
      q = q.changed(static_cast<int>(k), Series::power_of_time(changes_[k].order(), q.known()));
  }
  return q;
}

/// The state z_i. It is perturbed by ε if it is the variable of the partial derivative; its rates are not perturbed.
Series TermValues::changed_state(Series z, std::size_t i) const {
  for (std::size_t k = 0; k < changes_.size(); ++k) {
    if (changes_[k].kind() == TermKind::kState && changes_[k].index() == i)
      z = z.changed(static_cast<int>(k), Series::power_of_time(0, z.known()));
  }
  return z;
}

/// Series of a state, up to the derivative that the series of its rate determines. The depth of nested rates is limited
/// to 2.
Series TermValues::state(std::size_t i) const {
  const Term rate = model_.states[i].rate;
  const Rounded z(at_.z.at(i));
  if (!rate.is_valid() || state_depth_ == 2) return changed_state(unknown_rate(z), i);
  // The rate is evaluated without perturbation, even for a partial derivative, because a state is an independent
  // variable.
  TermValues along(model_, at_);
  along.state_depth_ = state_depth_ + 1;
  const Series z_dot = along.series(rate);
  std::vector<Rounded> path{z};
  for (int k = 0; k < std::min(z_dot.known(), known() - 1); ++k) path.push_back(z_dot.derivative(k));
  return changed_state(Series::along(path), i);
}

SeriesVector TermValues::leaf_value(Term leaf) {
  const auto point = PointId(std::size_t{leaf.index()});
  const auto frame = FrameId(std::size_t{leaf.index()});
  const auto second_frame = FrameId(std::size_t{leaf.second()});
  const std::size_t i = leaf.index(), k = leaf.second();
  const auto rated = [&leaf](Series x) {
    for (int order = 0; order < leaf.order(); ++order) x = x.rate();
    return as_scalar(std::move(x));
  };
  switch (leaf.kind()) {
    case TermKind::kNumber: return as_scalar(number(leaf.rounded()));
    case TermKind::kTime: {
      Series t = at_.is_time_held ? Series(at_.t) : Series::time(at_.t, known());
      for (std::size_t change = 0; change < changes_.size(); ++change) {
        if (changes_[change].kind() == TermKind::kTime) t = t.changed(static_cast<int>(change), 1.0);
      }
      return as_scalar(t);
    }
    case TermKind::kParameter:
      return as_scalar(number(as_stated(at_.parameters.empty() ? model_.parameters[i].value : at_.parameters[i])));
    case TermKind::kCoordinate: return rated(coordinate(i));
    case TermKind::kSpeed: return rated(series(model_.speeds[i].definition));
    case TermKind::kMultiplier:
      return as_scalar(unknown_rate({at_.lambda.at(i).at(k), entry_of(at_.lambda_error, i, k)}));
    case TermKind::kIdealMultiplier: return as_scalar(unknown_rate(at_.lambda_ideal.at(i).at(k)));
    case TermKind::kGeneralizedForce: return as_scalar(unknown_rate(at_.generalized_force.at(i).at(k)));
    // unknown: an instant does not contain the derivatives that this energy depends on
    case TermKind::kLawEnergy: return as_scalar(unknown_rate(std::nan("")));
    case TermKind::kEffort: return as_scalar(unknown_rate({at_.effort.at(i).at(k), entry_of(at_.effort_error, i, k)}));
    case TermKind::kSlideDirection: return as_scalar(unknown_rate(at_.slide.at(i).at(k)));
    case TermKind::kState: return as_scalar(state(i));
    case TermKind::kZeroVector: return {};
    case TermKind::kBasisVector: {
      const SeriesRotation columns = transpose(rotation(frame));
      return columns[leaf.second()];
    }
    case TermKind::kPosition: {
      const SeriesVector to = position(point), from = position(PointId(std::size_t{leaf.second()}));
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

// Velocity of the material point of a body B at the position r relative to the anchor C of B: v = v_C + ω × r, in
// components along `seen_in`. If the point moves over B, r changes with it.
SeriesVector TermValues::velocity(PointId point, FrameId seen_in) {
  const SeriesRotation to_frame = transpose(rotation(seen_in));
  const SeriesVector origin = anchor(seen_in);
  const FrameId on = model_.point(point).on;
  if (!on.is_valid()) return rate_of(rotate(to_frame, difference(position(point), origin)));
  const SeriesVector center = anchor(on), r = rotate(to_frame, difference(position(point), center));
  return add(rate_of(rotate(to_frame, difference(center, origin))), cross(angular_velocity(on, seen_in), r));
}

SeriesVector TermValues::acceleration(PointId point, FrameId seen_in) {
  const FrameId on = model_.point(point).on;
  if (!on.is_valid()) return rate_of(velocity(point, seen_in));
  const SeriesRotation to_frame = transpose(rotation(seen_in));
  const SeriesVector center = anchor(on), r = rotate(to_frame, difference(position(point), center));
  const SeriesVector omega = angular_velocity(on, seen_in);
  const SeriesVector of_center = rate_of(rate_of(rotate(to_frame, difference(center, anchor(seen_in)))));
  return add(of_center, add(cross(rate_of(omega), r), cross(omega, cross(omega, r))));
}

SeriesVector TermValues::anchor(FrameId frame) {
  const std::optional<BodyId> body = model_.frame(frame).body;
  return body ? position(model_.body(*body).center) : SeriesVector{};
}

const SeriesVector& TermValues::position(PointId point) {
  if (const auto found = positions_.find(point); found != positions_.end()) return found->second;
  SeriesVector place{};
  const Point& p = model_.point(point);
  if (p.base.is_valid()) place = add(position(p.base), series_vector(p.offset));
  return positions_[point] = place;
}

const SeriesRotation& TermValues::rotation(FrameId frame) {
  if (const auto found = rotations_.find(frame); found != rotations_.end()) return found->second;
  SeriesRotation R = identity_rotation();
  const Frame& f = model_.frame(frame);
  if (f.parent.is_valid()) {
    R = rotation(f.parent);
    for (const SimpleRotation& simple : f.rotations) {
      SeriesVector axis{};
      if (simple.axis >= 0) {
        axis[static_cast<std::size_t>(simple.axis)] = 1.0;
      } else {
        axis = series_vector(simple.direction, f.parent);
      }
      R = multiply(R, rotation_about(axis, series(simple.angle)));
    }
    if (f.quaternion) {
      std::array<Series, 4> e;
      for (std::size_t i = 0; i < 4; ++i) e[i] = coordinate(f.quaternion->e[i].index());
      R = multiply(R, rotation_by(e));
    }
  }
  return rotations_[frame] = R;
}

/// ω of `frame` relative to `seen_in`, in components along `seen_in`.
SeriesVector TermValues::angular_velocity(FrameId frame, FrameId seen_in) {
  const SeriesRotation R = multiply(transpose(rotation(seen_in)), rotation(frame));
  SeriesRotation R_rate;
  for (std::size_t i = 0; i < 3; ++i) R_rate[i] = rate_of(R[i]);
  const SeriesRotation skew = multiply(R_rate, transpose(R));
  return {skew[2][1], skew[0][2], skew[1][0]};
}

}  // namespace vinculum::model

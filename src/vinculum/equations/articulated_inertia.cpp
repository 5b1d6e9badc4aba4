#include "vinculum/equations/articulated_inertia.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vinculum::equations {

using expr::Expr;
using model::FrameId;

Expr dot(const SpatialVector& a, const SpatialVector& b) { return dot(a.angular, b.angular) + dot(a.linear, b.linear); }

SpatialVector ArticulatedInertia::times(const SpatialVector& a) const {
  return {add(equations::times(J, a.angular), rotate(H, a.linear)),
          add(rotate(transpose(H), a.angular), equations::times(M, a.linear))};
}

ArticulatedInertia& ArticulatedInertia::operator+=(const ArticulatedInertia& other) {
  J = {add(J.diagonal, other.J.diagonal), add(J.off, other.J.off)};
  M = {add(M.diagonal, other.M.diagonal), add(M.off, other.M.off)};
  for (std::size_t i = 0; i < 3; ++i) H[i] = add(H[i], other.H[i]);
  return *this;
}

ArticulatedInertia articulated(const Inertia& inertia) {
  const ExprVector& h = inertia.h;
  const Expr zero = inertia.mass.graph().constant(0.0);
  return {inertia.I,
          {{{zero, -h[2], h[1]}, {h[2], zero, -h[0]}, {-h[1], h[0], zero}}},
          {{inertia.mass, inertia.mass, inertia.mass}, {zero, zero, zero}}};
}

namespace {

/// R A Rᵀ for a rotation R; `turn` applies R to a vector.
template <typename Turn>
ExprRotation turned_both(const ExprRotation& A, const Turn& turn) {
  ExprRotation rows;
  for (std::size_t i = 0; i < 3; ++i) rows[i] = turn(A[i]);  // rows of A Rᵀ
  rows = transpose(rows);
  for (std::size_t i = 0; i < 3; ++i) rows[i] = turn(rows[i]);
  return transpose(rows);
}

}  // namespace

ArticulatedInertia turned_to(Lowering& lowering, FrameId frame, FrameId ancestor, ArticulatedInertia inertia) {
  for (FrameId f = frame; f != ancestor; f = lowering.model().frame(f).parent) {
    const model::Frame& joint = lowering.model().frame(f);
    const bool is_simple = std::ranges::all_of(joint.rotations, [](const auto& simple) { return simple.axis >= 0; });
    if (joint.quaternion || !is_simple) {
      const ExprRotation R = lowering.rotation(joint.parent, f);
      inertia.J = turned(R, inertia.J);
      inertia.M = turned(R, inertia.M);
      inertia.H = turned_both(inertia.H, [&R](const ExprVector& v) { return rotate(R, v); });
      continue;
    }
    for (auto it = joint.rotations.rbegin(); it != joint.rotations.rend(); ++it) {
      const SineCosine by = sine_cosine(lowering.scalar(it->angle));
      inertia.J = turned(it->axis, by, inertia.J);
      inertia.M = turned(it->axis, by, inertia.M);
      inertia.H = turned_both(inertia.H, [&](const ExprVector& v) { return turned(it->axis, by, v); });
    }
  }
  return inertia;
}

ArticulatedInertia shifted(const ArticulatedInertia& old, const ExprVector& r) {
  // H' = H + r̃ M,  J' = J − H r̃ + r̃ H'ᵀ, with r̃ = [r]×. With the rows h_i of H and h'_i of H', the entry (i, j) of
  // the term added to J is (r × h_i)_j + (r × h'_j)_i.
  ArticulatedInertia result = old;
  const ExprRotation M{{{old.M.diagonal[0], old.M.off[2], old.M.off[1]},
                        {old.M.off[2], old.M.diagonal[1], old.M.off[0]},
                        {old.M.off[1], old.M.off[0], old.M.diagonal[2]}}};
  ExprRotation of_M;  // transpose of r̃ M
  for (std::size_t k = 0; k < 3; ++k) of_M[k] = cross(r, M[k]);
  of_M = transpose(of_M);
  for (std::size_t i = 0; i < 3; ++i) result.H[i] = add(old.H[i], of_M[i]);
  const auto moment = [&](const ExprRotation& H, std::size_t row, std::size_t axis) { return cross(r, H[row])[axis]; };
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    ExprVector both = add(old.H[i], result.H[i]);
    result.J.diagonal[i] += cross(r, both)[i];
    result.J.off[i] += moment(old.H, j, k) + moment(result.H, k, j);
  }
  return result;
}

ExprVector torque_of_turning(const Tensor& I, const ExprVector& w) {
  ExprVector result;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    result[i] = (I.diagonal[k] - I.diagonal[j]) * (w[j] * w[k]) + I.off[i] * (w[j] * w[j] - w[k] * w[k]) +
                I.off[j] * (w[i] * w[j]) - I.off[k] * (w[i] * w[k]);
  }
  return result;
}

namespace {

/// Axis of s if it has exactly one nonzero component, which is constant: 0–2 rotation, 3–5 translation; else nothing.
std::optional<std::size_t> axis_of(const SpatialVector& s) {
  std::optional<std::size_t> axis;
  for (std::size_t i = 0; i < 6; ++i) {
    const Expr entry = i < 3 ? s.angular[i] : s.linear[i - 3];
    if (entry.is_zero()) continue;
    if (axis || !entry.is_constant()) return std::nullopt;
    axis = i;
  }
  return axis;
}

void subtract_square(Tensor& I, const ExprVector& U, const ExprVector& response) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    I.diagonal[i] -= U[i] * response[i];
    I.off[i] -= U[j] * response[k];
  }
}

/// Multiplies the row and column of I that belong to an axis by a factor. Sets them to 0 if the factor is invalid.
void scale_axis(ArticulatedInertia& I, std::size_t axis, Expr factor) {
  const Expr zero = I.J.diagonal[0].graph().constant(0.0);
  const auto scaled = [&](Expr entry) { return factor.is_valid() ? factor * entry : zero; };
  const std::size_t i = axis % 3, j = (i + 1) % 3, k = (i + 2) % 3;
  Tensor& own = axis < 3 ? I.J : I.M;
  for (Expr* entry : {&own.diagonal[i], &own.off[j], &own.off[k]}) *entry = scaled(*entry);
  for (std::size_t other = 0; other < 3; ++other) {
    Expr& entry = axis < 3 ? I.H[i][other] : I.H[other][i];
    entry = scaled(entry);
  }
}

}  // namespace

EliminatedSpeed eliminate(const SpatialVector& s, Expr tau, ArticulatedInertia& I, SpatialVector& p, Expr free) {
  const SpatialVector U = I.times(s);
  const Expr pivot = dot(s, U);
  if (pivot.is_zero()) return {};
  const bool may_be_locked = free.is_valid();
  const auto if_free = [&](Expr value) { return may_be_locked ? free * value : value; };
  const Expr w = tau - dot(s, p), inverse = if_free(1.0 / pivot), e = w * inverse;
  EliminatedSpeed speed{pivot, e, {scale(inverse, U.angular), scale(inverse, U.linear)}, inverse, U, axis_of(s), w};
  const auto axis = speed.axis;
  // If s has only one nonzero component, the same component of U/D is 1 divided by it.
  if (axis) {
    Expr& along = *axis < 3 ? speed.response.angular[*axis] : speed.response.linear[*axis - 3];
    along = if_free(1.0 / (*axis < 3 ? s.angular[*axis] : s.linear[*axis - 3]));
  }
  subtract_square(I.J, U.angular, speed.response.angular);
  subtract_square(I.M, U.linear, speed.response.linear);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) I.H[i][k] -= U.angular[i] * speed.response.linear[k];
  }
  if (axis) scale_axis(I, *axis, may_be_locked ? 1.0 - free : Expr());
  const SpatialVector before = p;
  add_response(s, tau, speed, e, p);
  if (axis && may_be_locked) {
    Expr& along = *axis < 3 ? p.angular[*axis] : p.linear[*axis - 3];
    along = free * along + (1.0 - free) * (*axis < 3 ? before.angular[*axis] : before.linear[*axis - 3]);
  }
  return speed;
}

void add_response(const SpatialVector& s, Expr tau, const EliminatedSpeed& speed, Expr e, SpatialVector& p) {
  p.angular = add(p.angular, scale(e, speed.U.angular));
  p.linear = add(p.linear, scale(e, speed.U.linear));
  if (!speed.axis) return;
  const std::size_t axis = *speed.axis;
  Expr& along = axis < 3 ? p.angular[axis] : p.linear[axis - 3];
  along = tau / (axis < 3 ? s.angular[axis] : s.linear[axis - 3]);
}

}  // namespace vinculum::equations

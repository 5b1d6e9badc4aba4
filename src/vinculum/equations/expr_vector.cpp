#include "vinculum/equations/expr_vector.hpp"

#include <cmath>
#include <numbers>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::equations {

using expr::Expr;

ExprVector zero_vector(expr::Graph& graph) {
  const Expr zero = graph.constant(0.0);
  return {zero, zero, zero};
}
bool is_zero(const ExprVector& a) { return a[0].is_zero() && a[1].is_zero() && a[2].is_zero(); }
ExprVector add(const ExprVector& a, const ExprVector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
ExprVector subtract(const ExprVector& a, const ExprVector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
ExprVector negate(const ExprVector& a) { return {-a[0], -a[1], -a[2]}; }
ExprVector scale(Expr factor, const ExprVector& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }
Expr dot(const ExprVector& a, const ExprVector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
ExprVector cross(const ExprVector& a, const ExprVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

ExprRotation identity_rotation(expr::Graph& graph) {
  const Expr zero = graph.constant(0.0), one = graph.constant(1.0);
  return {{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
}
ExprVector rotate(const ExprRotation& R, const ExprVector& a) { return {dot(R[0], a), dot(R[1], a), dot(R[2], a)}; }
ExprRotation transpose(const ExprRotation& R) {
  ExprRotation result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) result[i][k] = R[k][i];
  }
  return result;
}
ExprRotation multiply(const ExprRotation& A, const ExprRotation& B) {
  const ExprRotation columns = transpose(B);
  ExprRotation result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = {dot(A[i], columns[0]), dot(A[i], columns[1]), dot(A[i], columns[2])};
  return result;
}

SineCosine sine_cosine(Expr angle) {
  if (angle.is_constant()) {
    const double quarters = angle.value() / (0.5 * std::numbers::pi), whole = std::round(quarters);
    if (std::fabs(whole) < 1e6 && std::fabs(quarters - whole) <= tolerance::kEqual * (1.0 + std::fabs(whole))) {
      constexpr double kSine[] = {0.0, 1.0, 0.0, -1.0};
      const auto quarter = static_cast<std::size_t>(static_cast<long>(whole) & 3);
      return {angle.graph().constant(kSine[quarter]), angle.graph().constant(kSine[(quarter + 1) % 4])};
    }
  }
  return {expr::sine(angle), expr::cosine(angle)};
}

ExprVector turned(int axis, const SineCosine& by, const ExprVector& a) {
  const auto j = static_cast<std::size_t>((axis + 1) % 3), k = static_cast<std::size_t>((axis + 2) % 3);
  ExprVector result = a;
  result[j] = by.c * a[j] - by.s * a[k];
  result[k] = by.s * a[j] + by.c * a[k];
  return result;
}

ExprVector turned_back(int axis, const SineCosine& by, const ExprVector& a) { return turned(axis, {-by.s, by.c}, a); }

ExprRotation simple_rotation(int axis, Expr angle) {
  const auto i = static_cast<std::size_t>(axis), j = (i + 1) % 3, k = (i + 2) % 3;
  const auto [s, c] = sine_cosine(angle);
  ExprRotation R = identity_rotation(angle.graph());
  R[j][j] = c;
  R[k][k] = c;
  R[j][k] = -s;
  R[k][j] = s;
  return R;
}

ExprRotation rotation_about(const ExprVector& axis, Expr angle) {
  const auto [s, c] = sine_cosine(angle);
  const Expr versine = 1.0 - c;
  ExprRotation R;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) R[i][k] = versine * (axis[i] * axis[k]);
    R[i][i] += c;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    R[j][i] += s * axis[k];
    R[i][j] -= s * axis[k];
  }
  return R;
}

ExprRotation quaternion_rotation(const std::array<Expr, 4>& e) {
  const Expr two_per_norm = 2.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
  ExprRotation R;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    R[i][i] = 1.0 - two_per_norm * (e[j + 1] * e[j + 1] + e[k + 1] * e[k + 1]);
    R[i][j] = two_per_norm * (e[i + 1] * e[j + 1] - e[0] * e[k + 1]);
    R[j][i] = two_per_norm * (e[i + 1] * e[j + 1] + e[0] * e[k + 1]);
  }
  return R;
}

std::array<std::array<Expr, 3>, 4> quaternion_rates(const std::array<Expr, 4>& e) {
  // e' = ½ E w: e0' = −½ e·w, e' = ½ (e0 w + e × w)
  const std::array<Expr, 4> h{0.5 * e[0], 0.5 * e[1], 0.5 * e[2], 0.5 * e[3]};
  return {{{-h[1], -h[2], -h[3]}, {h[0], -h[3], h[2]}, {h[3], h[0], -h[1]}, {-h[2], h[1], h[0]}}};
}

}  // namespace vinculum::equations

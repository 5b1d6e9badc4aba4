#include "vinculum/dynamics/expr_vector.hpp"

namespace vinculum::dynamics {

using expr::Expr;

ExprVector zero_vector(expr::Graph& graph) {
  const Expr zero = graph.constant(0.0);
  return {zero, zero, zero};
}
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

ExprRotation simple_rotation(int axis, Expr angle) {
  const auto i = static_cast<std::size_t>(axis), j = (i + 1) % 3, k = (i + 2) % 3;
  const Expr s = expr::sine(angle), c = expr::cosine(angle);
  ExprRotation R = identity_rotation(angle.graph());
  R[j][j] = c;
  R[k][k] = c;
  R[j][k] = -s;
  R[k][j] = s;
  return R;
}

ExprRotation rotation_about(const ExprVector& axis, Expr angle) {
  const Expr s = expr::sine(angle), c = expr::cosine(angle), versine = 1.0 - c;
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

}  // namespace vinculum::dynamics

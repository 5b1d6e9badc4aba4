#include "vinculum/equations/rigid_inertia.hpp"

namespace vinculum::equations {

using expr::Expr;

ExprVector times(const Tensor& I, const ExprVector& a) {
  return {I.diagonal[0] * a[0] + I.off[2] * a[1] + I.off[1] * a[2],
          I.off[2] * a[0] + I.diagonal[1] * a[1] + I.off[0] * a[2],
          I.off[1] * a[0] + I.off[0] * a[1] + I.diagonal[2] * a[2]};
}

Tensor turned(int axis, const SineCosine& by, const Tensor& I) {
  const auto i = static_cast<std::size_t>(axis), j = (i + 1) % 3, k = (i + 2) % 3;
  const auto [s, c] = by;
  Tensor result = I;
  if (!I.off[i].is_zero() || I.diagonal[j] != I.diagonal[k]) {
    const Expr a = c * I.diagonal[j] - s * I.off[i], b = c * I.off[i] - s * I.diagonal[k];
    result.diagonal[j] = c * a - s * b;
    result.off[i] = s * a + c * b;
    result.diagonal[k] = (I.diagonal[j] + I.diagonal[k]) - result.diagonal[j];
  }
  // off[k] is the entry (i, j), and off[j] is the entry (i, k)
  result.off[k] = c * I.off[k] - s * I.off[j];
  result.off[j] = s * I.off[k] + c * I.off[j];
  return result;
}

Tensor turned(const ExprRotation& R, const Tensor& I) {
  const ExprRotation columns{
      {{I.diagonal[0], I.off[2], I.off[1]}, {I.off[2], I.diagonal[1], I.off[0]}, {I.off[1], I.off[0], I.diagonal[2]}}};
  const ExprRotation all = multiply(multiply(R, columns), transpose(R));
  return {{all[0][0], all[1][1], all[2][2]}, {all[1][2], all[0][2], all[0][1]}};
}

Inertia shifted(const Inertia& old, const ExprVector& r) {
  Inertia result = old;
  const ExprVector k = add(old.h, scale(0.5 * old.mass, r));
  const ExprVector p{2.0 * r[0] * k[0], 2.0 * r[1] * k[1], 2.0 * r[2] * k[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
    result.I.diagonal[i] += p[j] + p[l];
    result.I.off[i] -= r[j] * k[l] + r[l] * k[j];
  }
  result.h = add(old.h, scale(old.mass, r));
  return result;
}

}  // namespace vinculum::equations

#include "vinculum/model/jet.hpp"

#include <cmath>

namespace vinculum::model {

using expr::Op;

Jet jet_of(const Series& x) { return {x.derivative(0).value, x.derivative(1).value, x.derivative(2).value}; }
Jet rate_of(Jet x) { return {x.rate, x.second, std::nan("")}; }
JetVector rate_of(const JetVector& v) { return {rate_of(v[0]), rate_of(v[1]), rate_of(v[2])}; }

Series dot(const SeriesVector& a, const SeriesVector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
SeriesVector cross(const SeriesVector& a, const SeriesVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
SeriesVector scale(const Series& factor, const SeriesVector& v) {
  return {factor * v[0], factor * v[1], factor * v[2]};
}
SeriesVector add(const SeriesVector& a, const SeriesVector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
SeriesVector rate_of(const SeriesVector& v) { return {v[0].rate(), v[1].rate(), v[2].rate()}; }
SeriesVector rotate(const SeriesRotation& R, const SeriesVector& v) {
  return {dot(R[0], v), dot(R[1], v), dot(R[2], v)};
}
SeriesRotation transpose(const SeriesRotation& R) {
  SeriesRotation result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) result[i][k] = R[k][i];
  }
  return result;
}
SeriesRotation multiply(const SeriesRotation& A, const SeriesRotation& B) {
  const SeriesRotation columns = transpose(B);
  SeriesRotation result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) result[i][k] = dot(A[i], columns[k]);
  }
  return result;
}
SeriesRotation identity_rotation() {
  SeriesRotation result;
  for (std::size_t i = 0; i < 3; ++i) result[i][i] = 1.0;
  return result;
}
SeriesRotation rotation_about(const SeriesVector& axis, const Series& angle) {
  const Series s = expr::evaluate_series(Op::kSine, angle), c = expr::evaluate_series(Op::kCosine, angle);
  SeriesRotation R;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      R[i][k] = (Series(1.0) - c) * axis[i] * axis[k];
      if (i == k) R[i][k] = R[i][k] + c;
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    R[j][i] = R[j][i] + s * axis[k];
    R[i][j] = R[i][j] - s * axis[k];
  }
  return R;
}

SeriesRotation rotation_by(const std::array<Series, 4>& e) {
  const Series norm2 = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
  const SeriesVector v{e[1], e[2], e[3]};
  // Column k is the image of unit vector k: w + 2 (e0 v × w + v × (v × w))/|e|².
  SeriesRotation columns = identity_rotation();
  for (SeriesVector& w : columns) {
    const SeriesVector vw = cross(v, w);
    w = add(w, scale(Series(2.0) / norm2, add(scale(e[0], vw), cross(v, vw))));
  }
  return transpose(columns);
}

}  // namespace vinculum::model

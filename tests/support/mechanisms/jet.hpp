#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>

/// Numbers with two time derivatives and one perturbation: the arithmetic of the tests' independent kinematics.
namespace vinculum::mechanisms {

/// Dual number v + ε·e with ε² = 0.
struct Dual {
  double v = 0.0, e = 0.0;
  constexpr Dual() = default;
  constexpr Dual(double value, double change = 0.0) : v(value), e(change) {}
};
constexpr Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.e + b.e}; }
constexpr Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.e - b.e}; }
constexpr Dual operator-(Dual a) { return {-a.v, -a.e}; }
constexpr Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.v * b.e + a.e * b.v}; }
constexpr Dual operator/(Dual a, Dual b) { return {a.v / b.v, (a.e - a.v / b.v * b.e) / b.v}; }

/// A function of time: its value and its first and second derivatives at one instant.
struct Jet {
  std::array<Dual, 3> c{};
  constexpr Jet() = default;
  constexpr Jet(double constant) : c{Dual(constant), Dual(), Dual()} {}
  constexpr Jet(Dual value, Dual rate, Dual second) : c{value, rate, second} {}
  [[nodiscard]] double value() const { return c[0].v; }
  /// Derivative of the value with respect to ε.
  [[nodiscard]] double change() const { return c[0].e; }
};
inline Jet operator+(const Jet& a, const Jet& b) { return {a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2]}; }
inline Jet operator-(const Jet& a, const Jet& b) { return {a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}; }
inline Jet operator-(const Jet& a) { return {-a.c[0], -a.c[1], -a.c[2]}; }
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.c[0] * b.c[0], a.c[1] * b.c[0] + a.c[0] * b.c[1],
          a.c[2] * b.c[0] + 2.0 * a.c[1] * b.c[1] + a.c[0] * b.c[2]};
}
/// f(a), from f, f' and f'' at the value of a, with their derivatives with respect to ε.
inline Jet composed(const Jet& a, Dual f, Dual df, Dual ddf) {
  return {f, df * a.c[1], ddf * a.c[1] * a.c[1] + df * a.c[2]};
}
inline Jet reciprocal(const Jet& a) {
  const Dual r = Dual(1.0) / a.c[0];
  return composed(a, r, -r * r, 2.0 * r * r * r);
}
inline Jet operator/(const Jet& a, const Jet& b) { return a * reciprocal(b); }
inline Dual sqrt(Dual a) {
  const double root = std::sqrt(a.v);
  return {root, a.e / (2.0 * root)};
}
inline Jet sqrt(const Jet& a) {
  const Dual s = sqrt(a.c[0]);
  return composed(a, s, Dual(0.5) / s, Dual(-0.25) / (s * s * s));
}
inline Dual sin(Dual a) { return {std::sin(a.v), std::cos(a.v) * a.e}; }
inline Dual cos(Dual a) { return {std::cos(a.v), -std::sin(a.v) * a.e}; }
inline Jet sin(const Jet& a) { return composed(a, sin(a.c[0]), cos(a.c[0]), -sin(a.c[0])); }
inline Jet cos(const Jet& a) { return composed(a, cos(a.c[0]), -sin(a.c[0]), -cos(a.c[0])); }
/// The time derivative. Its own second derivative is not known and set to 0.
inline Jet rate(const Jet& a) { return {a.c[1], a.c[2], Dual()}; }
/// t^level/level!: factor of a perturbation of this level.
inline Jet ramp(int level) {
  Jet result;
  result.c[static_cast<std::size_t>(level)] = Dual(1.0);
  return result;
}
/// a + ε·b.
inline Jet perturbed(Jet a, const Jet& b) {
  for (std::size_t k = 0; k < 3; ++k) a.c[k].e += b.c[k].v;
  return a;
}
inline Jet without_change(Jet a) {
  for (Dual& c : a.c) c.e = 0.0;
  return a;
}

/// A spatial vector, by its measure numbers in the newtonian frame.
struct V3 {
  std::array<Jet, 3> x{};
  Jet& operator[](int k) { return x[static_cast<std::size_t>(k)]; }
  const Jet& operator[](int k) const { return x[static_cast<std::size_t>(k)]; }
};
inline V3 v3(double a, double b, double c) { return {{Jet(a), Jet(b), Jet(c)}}; }
inline Eigen::Vector3d values(const V3& a) { return {a[0].value(), a[1].value(), a[2].value()}; }
template <class F>
V3 each(F&& f) {
  return {{f(0), f(1), f(2)}};
}
inline V3 operator+(const V3& a, const V3& b) {
  return each([&](int k) { return a[k] + b[k]; });
}
inline V3 operator-(const V3& a, const V3& b) {
  return each([&](int k) { return a[k] - b[k]; });
}
inline V3 operator-(const V3& a) {
  return each([&](int k) { return -a[k]; });
}
inline V3 operator*(const Jet& s, const V3& a) {
  return each([&](int k) { return s * a[k]; });
}
inline Jet dot(const V3& a, const V3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline V3 cross(const V3& a, const V3& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
inline Jet norm(const V3& a) { return sqrt(dot(a, a)); }
inline V3 unit(const V3& a) { return reciprocal(norm(a)) * a; }
inline V3 rate(const V3& a) {
  return each([&](int k) { return rate(a[k]); });
}
inline V3 perturbed(const V3& a, const V3& b) {
  return each([&](int k) { return perturbed(a[k], b[k]); });
}
inline V3 without_change(const V3& a) {
  return each([&](int k) { return without_change(a[k]); });
}
inline V3 basis(int k) {
  V3 e;
  e[k] = Jet(1.0);
  return e;
}

/// A rotation matrix. Its columns are the axes of a frame in the newtonian frame.
struct M3 {
  std::array<V3, 3> column{basis(0), basis(1), basis(2)};
  const V3& operator[](int k) const { return column[static_cast<std::size_t>(k)]; }
  V3& operator[](int k) { return column[static_cast<std::size_t>(k)]; }
};
inline V3 operator*(const M3& R, const V3& a) { return a[0] * R[0] + a[1] * R[1] + a[2] * R[2]; }
inline M3 operator*(const M3& A, const M3& B) { return {{A * B[0], A * B[1], A * B[2]}}; }
/// Rᵀa: measure numbers in the frame.
inline V3 in_frame(const M3& R, const V3& a) { return {{dot(R[0], a), dot(R[1], a), dot(R[2], a)}}; }
inline M3 perturbed(const M3& A, const M3& B) {
  return {{perturbed(A[0], B[0]), perturbed(A[1], B[1]), perturbed(A[2], B[2])}};
}
/// The rotation about a unit vector by an angle (Rodrigues).
inline M3 turn_about(const V3& axis, const Jet& angle) {
  const Jet c = cos(angle), s = sin(angle);
  M3 R;
  for (int k = 0; k < 3; ++k) {
    const V3 e = basis(k);
    R[k] = c * e + s * cross(axis, e) + ((Jet(1.0) - c) * dot(axis, e)) * axis;
  }
  return R;
}
/// Angular velocity: ½ Σ e_k × e_k'.
inline V3 omega_of(const M3& R) {
  return Jet(0.5) * (cross(R[0], rate(R[0])) + cross(R[1], rate(R[1])) + cross(R[2], rate(R[2])));
}
/// The small rotation of the frame by the perturbation: ½ Σ e_k × δe_k.
inline std::array<double, 3> turn_of_change(const M3& R) {
  std::array<double, 3> turn{};
  for (int k = 0; k < 3; ++k) {
    const auto at = [&](int i) { return R[k][i].value(); };
    const auto by = [&](int i) { return R[k][i].change(); };
    turn[0] += 0.5 * (at(1) * by(2) - at(2) * by(1));
    turn[1] += 0.5 * (at(2) * by(0) - at(0) * by(2));
    turn[2] += 0.5 * (at(0) * by(1) - at(1) * by(0));
  }
  return turn;
}

}  // namespace vinculum::mechanisms

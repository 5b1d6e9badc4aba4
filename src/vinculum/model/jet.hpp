#pragma once

#include <array>

#include "vinculum/expr/series.hpp"

namespace vinculum::model {

using expr::Series;

/// A number with its first and second time derivatives; NaN if a derivative is not known.
struct Jet {
  double value = 0.0;
  double rate = 0.0;
  double second = 0.0;
};
[[nodiscard]] Jet jet_of(const Series& x);

/// The time derivative as a jet. Its member `second` is NaN, because it would need the third derivative of x.
[[nodiscard]] Jet rate_of(Jet x);

using JetVector = std::array<Jet, 3>;
[[nodiscard]] JetVector rate_of(const JetVector& v);

using SeriesVector = std::array<Series, 3>;
using SeriesRotation = std::array<SeriesVector, 3>;  ///< rows of R_AB: components in A of the basis vectors of B

[[nodiscard]] Series dot(const SeriesVector& a, const SeriesVector& b);
[[nodiscard]] SeriesVector cross(const SeriesVector& a, const SeriesVector& b);
[[nodiscard]] SeriesVector scale(const Series& factor, const SeriesVector& v);
[[nodiscard]] SeriesVector add(const SeriesVector& a, const SeriesVector& b);
[[nodiscard]] SeriesVector rate_of(const SeriesVector& v);
[[nodiscard]] SeriesVector rotate(const SeriesRotation& R, const SeriesVector& v);
[[nodiscard]] SeriesRotation multiply(const SeriesRotation& A, const SeriesRotation& B);
[[nodiscard]] SeriesRotation transpose(const SeriesRotation& R);
[[nodiscard]] SeriesRotation identity_rotation();
/// Rotation by `angle` about the unit vector `axis`: R = c 1 + s [axis]× + (1 − c) axis axisᵀ (Rodrigues).
[[nodiscard]] SeriesRotation rotation_about(const SeriesVector& axis, const Series& angle);
/// Rotation by a nonzero quaternion of any length: R = 1 + 2 (e0 [e]× + [e]×²)/|(e0, e)|².
[[nodiscard]] SeriesRotation rotation_by(const std::array<Series, 4>& e);

}  // namespace vinculum::model

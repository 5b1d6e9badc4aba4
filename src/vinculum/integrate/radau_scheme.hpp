#pragma once

#include <array>
#include <cmath>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::integrate {

/// Coefficients of the Radau IIA method with three stages, order 5. In the basis T, the inverse of the method's matrix
/// A is block diagonal with one real number and one 2×2 block: T⁻¹ A⁻¹ T = γ ⊕ [α −β; β α].   Source: Hairer & Wanner
/// II, IV.5 (5.6), IV.8.
struct RadauScheme {
  Eigen::Vector3d c;  ///< instants of the stages as fractions of the step; the last one is 1
  Eigen::Matrix3d A;  ///< [3 × 3] coefficients a_ij of the method
  Eigen::Matrix3d T, T_inverse;
  double gamma, alpha, beta;
  Eigen::Vector3d e;  ///< weights of the error estimate (γE/h − J)⁻¹ (F(t, x) + E Σ e_i Z_i / h)

  RadauScheme() {
    const double w = std::sqrt(6.0), cube3 = std::cbrt(3.0);
    c << (4.0 - w) / 10.0, (4.0 + w) / 10.0, 1.0;
    A << (88.0 - 7.0 * w) / 360.0, (296.0 - 169.0 * w) / 1800.0, (-2.0 + 3.0 * w) / 225.0, (296.0 + 169.0 * w) / 1800.0,
        (88.0 + 7.0 * w) / 360.0, (-2.0 - 3.0 * w) / 225.0, (16.0 - w) / 36.0, (16.0 + w) / 36.0, 1.0 / 9.0;
    gamma = 3.0 + cube3 * cube3 - cube3;
    alpha = 3.0 + 0.5 * (cube3 - cube3 * cube3);
    beta = 0.5 * std::sqrt(3.0) * (cube3 * cube3 + cube3);
    // Columns of T: the real eigenvector of A⁻¹, then the real and the imaginary part of the eigenvector for α + iβ.
    // Each eigenvector has the last component 1.
    T << 9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02, 0.24171793270710701896,
        0.20412935229379993199, 0.38294211275726193779, 0.96604818261509293619, 1.0, 0.0;
    T_inverse << 4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119, -4.1787185915519047273,
        -0.32768282076106238708, 0.47662355450055045196, -0.50287263494578687595, 2.5719269498556054292,
        -0.59603920482822492497;
    e << -(13.0 + 7.0 * w) / 3.0, (-13.0 + 7.0 * w) / 3.0, -1.0 / 3.0;
  }
};

/// Constants of the program RADAU5 for step control and for the stopping test of Newton's iteration.   Source: Hairer &
/// Wanner II, IV.8; their program of 1996.
struct RadauControl {
  double least_eta = 1e-3;  ///< lower limit of θ/(1 − θ), which predicts the remaining error; θ: rate of convergence
  /// If the error predicted for the last permitted iteration is too large, the step is shortened. These are the limits
  /// of that predicted error (in units of the permitted error) and the safety factor of the shortening.
  double least_at_last = 1e-4, most_at_last = 20.0, shrink = 0.8;
  double diverging = 0.99;    ///< rate of convergence (ratio of successive changes) that counts as divergence
  double demand = 1e-3;       ///< iteration error that is accepted, in tolerances
  double least_error = 1e-2;  ///< lower limit of the errors that Gustafsson's predictor of step sizes uses
  double vanishing = 1e-10;   ///< errors below this value are raised to it, which permits the longest next step
  double kept_rate = 1e-2;    ///< rate of convergence below which the Jacobian is kept for the next step
  double kept_step = 1.2;     ///< a step is not lengthened by less than this factor, to keep its factored matrix
  double share_of_growth = 0.9, most_growth = 8.0, most_shrink = 5.0, shrink_at_start = 0.1;
};
inline constexpr RadauControl kRadauControl{};

inline const RadauScheme& radau_scheme() {
  static const RadauScheme scheme;
  return scheme;
}

/// Polynomial of degree 3 that is 0 at the start of a step and interpolates the increments of y at the three stages.
class CollocationPolynomial {
 public:
  /// \param Z  [size × 3] increments at the stages; the last one may be projected.
  void fit(const Matrix& Z) {
    const Eigen::Vector3d& c = radau_scheme().c;
    const auto first = Z.col(0) / c[0];
    const auto second = (Z.col(1) - Z.col(0)) / (c[1] - c[0]);
    const auto third = (Z.col(2) - Z.col(1)) / (1.0 - c[1]);
    a_.resize(Z.rows(), 3);
    a_.col(0) = first;
    a_.col(1) = (second - first) / c[1];
    a_.col(2) = (third - second) / (1.0 - c[0]) - a_.col(1);
  }
  /// Evaluates the increment at the fraction s of the step; s > 1 extrapolates.
  template <class Column>
  void evaluate(double s, Column&& gain) const {
    const Eigen::Vector3d& c = radau_scheme().c;
    gain = s * (a_.col(0) + (s - c[0]) * (a_.col(1) + (s - c[1]) * a_.col(2)));
  }
  [[nodiscard]] Eigen::Index size() const { return a_.rows(); }

 private:
  Matrix a_;  ///< [size × 3] divided differences
};

}  // namespace vinculum::integrate

#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::property {

/// The formulas of Udwadia & Kalaba 2002 as printed, with a symmetric square root of M and a pseudo-inverse by singular
/// values. They are slow, and independent of the library.
struct LiteralUdwadiaKalaba {
  Matrix M, root, inverse_root, B, B_plus;

  LiteralUdwadiaKalaba(const Matrix& mass, const Matrix& A) : M(mass) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(mass);
    const Matrix V = eigen.eigenvectors();
    root = V * eigen.eigenvalues().cwiseSqrt().asDiagonal() * V.transpose();
    inverse_root = V * eigen.eigenvalues().cwiseSqrt().cwiseInverse().asDiagonal() * V.transpose();
    B = A * inverse_root;
    B_plus = Matrix::Zero(B.cols(), B.rows());
    if (B.size() == 0) return;
    const Eigen::JacobiSVD<Matrix> svd(B, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Vector sigma = svd.singularValues();
    Vector inverse = Vector::Zero(sigma.size());
    for (Eigen::Index k = 0; k < sigma.size(); ++k) {
      if (sigma[k] > 1e-12 * sigma[0]) inverse[k] = 1.0 / sigma[k];
    }
    B_plus = svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose();
  }

  /// Eq. 24: Qi = M^(1/2) B⁺ (b − A a).
  [[nodiscard]] Vector Q_ideal(const Vector& a, const Matrix& A, const Vector& b) const {
    return root * (B_plus * (b - A * a));
  }
  /// Eq. 39: Qni = M^(1/2) (I − B⁺B) M^(-1/2) C.
  [[nodiscard]] Vector Q_nonideal(const Vector& C) const {
    return root * (inverse_root * C - B_plus * (B * (inverse_root * C)));
  }
};

}  // namespace vinculum::property

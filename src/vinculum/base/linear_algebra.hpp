#pragma once

#ifndef EIGEN_MPL2_ONLY
#define EIGEN_MPL2_ONLY
#endif
#include <Eigen/Core>

namespace vinculum {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
/// Read-only views: any contiguous column or matrix, also one mapped onto a kernel's output.
using ConstVector = Eigen::Ref<const Vector>;
using ConstMatrix = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using VectorRef = Eigen::Ref<Vector>;
using MatrixRef = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;

}  // namespace vinculum

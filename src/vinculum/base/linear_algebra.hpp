#pragma once

#ifndef EIGEN_MPL2_ONLY
#define EIGEN_MPL2_ONLY
#endif
#include <Eigen/Core>

namespace vinculum {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
/// Read-only views of any contiguous column or matrix, including one that is mapped onto the output of a kernel.
using ConstVector = Eigen::Ref<const Vector>;
using ConstMatrix = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using VectorRef = Eigen::Ref<Vector>;
using MatrixRef = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;

}  // namespace vinculum

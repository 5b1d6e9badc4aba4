#pragma once

#include <Eigen/SparseCore>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

using SparseMatrix = Eigen::SparseMatrix<double>;  ///< stored by columns
using SparseEntry = Eigen::Triplet<double>;

}  // namespace vinculum::numeric

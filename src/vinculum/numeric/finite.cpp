#include "vinculum/numeric/finite.hpp"

#include <cmath>

namespace vinculum::numeric {

bool is_finite(ConstMatrix values) {
  bool is_all = true;
  for (Eigen::Index j = 0; j < values.cols(); ++j)
    is_all &= is_finite(values.data() + j * values.outerStride(), values.rows());
  return is_all;
}

bool is_lower_triangle_finite(ConstMatrix values) {
  bool is_all = true;
  for (Eigen::Index j = 0; j < values.cols(); ++j)
    is_all &= is_finite(values.data() + j * values.outerStride() + j, values.rows() - j);
  return is_all;
}

std::vector<int> non_finite_rows(ConstMatrix values) {
  std::vector<int> rows;
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    if (!values.row(i).array().isFinite().all()) rows.push_back(static_cast<int>(i));
  }
  return rows;
}

}  // namespace vinculum::numeric

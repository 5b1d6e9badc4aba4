#include "vinculum/numeric/rank.hpp"

#include <algorithm>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::numeric {

double rank_threshold(double tol_rank, int nu, int nc) {
  return std::max(tol_rank, 2.0 * std::max(nu, nc) * tolerance::kPerStep);
}

void equilibrate_rows(ConstVector lengths, VectorRef scales) {
  for (Eigen::Index i = 0; i < lengths.size(); ++i) scales[i] = lengths[i] > 0.0 ? 1.0 / lengths[i] : 1.0;
}

}  // namespace vinculum::numeric

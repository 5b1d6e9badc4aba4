#include "vinculum/numeric/rank.hpp"

#include <algorithm>
#include <limits>

namespace vinculum::numeric {

double rank_threshold(double tol_rank, int nu, int nc) {
  return std::max(tol_rank, 20.0 * std::max(nu, nc) * std::numeric_limits<double>::epsilon());
}

void equilibrate_rows(VectorRef lengths, VectorRef scales) {
  double longest = 0.0;
  for (Eigen::Index i = 0; i < lengths.size(); ++i) longest = std::max(longest, lengths[i]);
  for (Eigen::Index i = 0; i < lengths.size(); ++i) {
    if (lengths[i] > kTolZeroRow * longest) {
      scales[i] = 1.0 / lengths[i];
    } else {
      lengths[i] = 0.0;
      scales[i] = 1.0;
    }
  }
}

}  // namespace vinculum::numeric

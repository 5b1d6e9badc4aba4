#include "vinculum/integrate/by_differences.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {

ByDifferences::ByDifferences(const Problem& problem)
    : problem_(problem), moved_(Vector::Zero(problem.size)), F_(Vector::Zero(problem.size)) {
  VINCULUM_EXPECTS(problem.derivative != nullptr);
}

Outcome<void> ByDifferences::evaluate(double t, const double* x, double* F, Use use) {
  return use == Use::kLooks && problem_.look ? problem_.look(t, x, F) : problem_.derivative(t, x, F);
}

bool ByDifferences::linearize(double t, const double* x, const double* F, Matrix& F_x) {
  std::copy_n(x, problem_.size, moved_.data());
  for (int i = 0; i < problem_.size; ++i) {
    const double beside = problem_.beside.size() > 0 ? problem_.beside[i] : 1.0;
    moved_[i] = x[i] + tolerance::kDifference * std::max({std::abs(x[i]), beside, tolerance::kLeast});
    const double change = moved_[i] - x[i];
    if (!evaluate(t, moved_.data(), F_.data(), Use::kLooks)) return false;
    for (int k = 0; k < problem_.size; ++k) F_x(k, i) = (F_[k] - F[k]) / change;
    moved_[i] = x[i];
  }
  return F_x.allFinite();
}

}  // namespace vinculum::integrate

#include "vinculum/sensitivity/start_gradient.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sensitivity {
namespace {

// First change, as a fraction of the typical size. The error of the extrapolated value is of the sixth order in it:
// 2e-13 for functions whose derivatives are of order 1.
constexpr double kFirstChange = 1.0 / 128.0;

Outcome<Vector> central(const Quantity& quantity, double change, const StartOf& start_of) {
  const auto above = start_of(quantity, change);
  if (!above) return fail(above.error());
  const auto below = start_of(quantity, -change);
  if (!below) return fail(below.error());
  return Vector((*above - *below) / (2.0 * change));
}

}  // namespace

Outcome<Matrix> start_gradient(std::span<const Quantity> quantities, std::span<const double> sizes, const Vector& scale,
                               const StartOf& start_of) {
  Matrix gradient(scale.size(), static_cast<Eigen::Index>(quantities.size()));
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    double change = kFirstChange * sizes[k];
    std::array<Vector, 3> by;
    for (Vector& one : by) {
      auto found = central(quantities[k], change, start_of);
      if (!found) return fail(std::move(found.error()));
      one = *std::move(found);
      change *= 0.5;
    }
    const Vector first = (4.0 * by[1] - by[0]) / 3.0, second = (4.0 * by[2] - by[1]) / 3.0;
    const Vector best = (16.0 * second - first) / 15.0;
    const double miss = (best - first).cwiseQuotient(scale).cwiseAbs().maxCoeff() * sizes[k];
    const double most = best.cwiseQuotient(scale).cwiseAbs().maxCoeff() * sizes[k];
    if (!(miss <= tolerance::kNearSingular * std::max(1.0, most))) {
      Failure failure;
      failure.kind = FailureKind::kNotUnique;
      failure.message =
          fmt::format("the start does not change smoothly with `{}`: a neighbouring start is on another branch",
                      quantities[k].name);
      failure.advice = "fix the start with `=` in the `start` statements";
      return fail(std::move(failure));
    }
    gradient.col(static_cast<Eigen::Index>(k)) = best;
  }
  return gradient;
}

}  // namespace vinculum::sensitivity

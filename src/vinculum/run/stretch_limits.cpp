#include "vinculum/run/stretch_limits.hpp"

#include <cmath>

namespace vinculum::sim {

void StretchLimits::set(const Stretch& stretch, Vector& limit) {
  if (!norm_ || tolerance_ != stretch.tolerance) {
    norm_.emplace(stretch.problem, stretch.tolerance, stretch.problem.size);
    tolerance_ = stretch.tolerance;
  }
  norm_->reach(stretch.step.y_begin().data());
  norm_->reach(stretch.y_end.data());
  norm_->set_scale(stretch.step.y_begin().data(), stretch.y_end.data(), nullptr,
                   stretch.step.t_end() - stretch.step.t_begin());
  const double share = std::sqrt(static_cast<double>(limit.size()));
  for (int i = 0; i < limit.size(); ++i) {
    const double inverse = norm_->per_tolerance(i);
    limit[i] = inverse > 0.0 ? share / inverse : 0.0;
  }
}

}  // namespace vinculum::sim

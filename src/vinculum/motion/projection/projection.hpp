#pragma once

#include "vinculum/motion/projection/constraint_projection.hpp"
#include "vinculum/motion/projection/kept_levels.hpp"

namespace vinculum::sim {

/// Projects a state along a motion: restores norms of quaternions, constraints, and invariants.
class Projection {
 public:
  Projection(const StateKernels& at, ConstraintProjection& constraints, KeptLevels* levels)
      : at_(at), constraints_(constraints), levels_(levels) {}

  /// \returns the result of `Dynamics::project`.
  [[nodiscard]] Outcome<double> project(double t, double* y);

 private:
  void normalize_quaternions(double* y) const;

  const StateKernels& at_;
  ConstraintProjection& constraints_;
  KeptLevels* const levels_;  ///< null if the model has no invariants to restore
};

}  // namespace vinculum::sim

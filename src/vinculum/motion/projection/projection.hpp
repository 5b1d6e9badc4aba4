#pragma once

#include "vinculum/motion/projection/constraint_projection.hpp"
#include "vinculum/motion/projection/kept_levels.hpp"

namespace vinculum::sim {

/// Everything that is restored along a motion: norms of quaternions, constraints, invariants.
class Projection {
 public:
  Projection(const StateKernels& at, ConstraintProjection& constraints, KeptLevels* levels)
      : at_(at), constraints_(constraints), levels_(levels) {}

  /// \returns as `Dynamics::project`.
  [[nodiscard]] Outcome<double> project(double t, double* y);

 private:
  void normalize_quaternions(double* y) const;

  const StateKernels& at_;
  ConstraintProjection& constraints_;
  KeptLevels* const levels_;  ///< null if the model has none
};

}  // namespace vinculum::sim

#pragma once

#include <optional>

#include "vinculum/integrate/error_norm.hpp"
#include "vinculum/run/sink.hpp"

namespace vinculum::sim {

/// Computes limits of the error of each component in a step, from the error norm that controlled the step sizes.
class StretchLimits {
 public:
  /// Computes, for each component, the largest error over the stretch that the norm accepts if the other components
  /// have no error. The norm is a root mean square over n components, so this error is √n times the tolerance of the
  /// component. It is 0 if the norm assigns no tolerance to the component.
  /// \param limit  [q, u, z]  receives the errors
  void set(const Stretch& stretch, Vector& limit);

 private:
  std::optional<integrate::ErrorNorm> norm_;
  double tolerance_ = 0.0;  ///< tolerance with which `norm_` was made
};

}  // namespace vinculum::sim

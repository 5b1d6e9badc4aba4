#pragma once

#include <optional>

#include "vinculum/integrate/error_norm.hpp"
#include "vinculum/run/sink.hpp"

namespace vinculum::sim {

/// Error limits of steps, component by component, by the error norm that chose the steps.
class StretchLimits {
 public:
  /// The largest error of each component over the stretch that the norm accepts, if the other components have none. The
  /// norm is a root mean square, so this is √n times the tolerance of the component. 0 if the norm gives it no
  /// tolerance.
  /// \param limit  [q, u, z]  receives the limits
  void set(const Stretch& stretch, Vector& limit);

 private:
  std::optional<integrate::ErrorNorm> norm_;
  double tolerance_ = 0.0;  ///< with which `norm_` was made
};

}  // namespace vinculum::sim

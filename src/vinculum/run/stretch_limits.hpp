#pragma once

#include <optional>

#include "vinculum/integrate/error_norm.hpp"
#include "vinculum/run/sink.hpp"

namespace vinculum::sim {

/// What steps may miss, component by component, as the error norm that chose them measures it along the motion so far.
class StretchLimits {
 public:
  /// By how much each component may miss by one step from one end of the stretch to the other, where all miss alike in
  /// the mean of their squares; 0 where the norm asks for nothing.   \param limit  [q, u, z], set
  void set(const Stretch& stretch, Vector& limit);

 private:
  std::optional<integrate::ErrorNorm> norm_;
  double tolerance_ = 0.0;  ///< of the norm
};

}  // namespace vinculum::sim

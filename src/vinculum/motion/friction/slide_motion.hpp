#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// Evaluates the sliding velocities of friction contacts at a state, and the friction directions (theory.md §4.6).
/// Allocates nothing after construction.
class SlideMotion {
 public:
  explicit SlideMotion(const Binding& bound);

  /// Evaluates all members at a state.
  /// \param input  input (t, q, u, z, …) of a kernel
  /// \param scale [ny] typical sizes
  void read(const Binding& bound, const Mode& mode, const double* input, const Vector& scale);
  /// Writes the friction directions to `to` [ns]: 0 for contacts that stick. For a velocity of one component the
  /// direction is that stored in the mode. For a velocity in a plane it is the direction of the velocity at this state.
  void fill_directions(const Binding& bound, const Mode& mode, const double* input, const Vector& scale, double* to);

  Vector v, beta;        ///< [ns] sliding velocities, and v' − J u'
  Matrix J;              ///< [ns × nu] ∂v/∂u of the sliding velocities
  Vector s;              ///< [ns] friction directions, 0 for contacts that stick
  bool has_any = false;  ///< whether any contact sticks

 private:
  std::vector<double> result_, workspace_;
};

}  // namespace vinculum::sim

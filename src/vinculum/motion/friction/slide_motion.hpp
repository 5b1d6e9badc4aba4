#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// Velocities of friction contacts at a state, and the directions of friction there (theory.md §4.6). Allocates nothing
/// after construction.
class SlideMotion {
 public:
  explicit SlideMotion(const Binding& bound);

  /// \param input  (t, q, u, z, …) of a kernel
  /// \param scale [ny] typical sizes
  void read(const Binding& bound, const Mode& mode, const double* input, const Vector& scale);
  /// Writes the directions of friction: 0 for contacts that stick. In one dimension the direction is stored in the
  /// mode; in a plane it is the direction of the velocity, which is then evaluated.
  /// \param to [ns]
  void fill_directions(const Binding& bound, const Mode& mode, const double* input, const Vector& scale, double* to);

  Vector v, beta;        ///< [ns] velocities, and v' − J u'
  Matrix J;              ///< [ns × nu] ∂v/∂u
  Vector s;              ///< [ns] directions in force, 0 for contacts that stick
  bool has_any = false;  ///< whether any contact sticks

 private:
  std::vector<double> result_, workspace_;
};

}  // namespace vinculum::sim

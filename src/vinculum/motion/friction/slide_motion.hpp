#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// Velocities of friction contacts at a state, and the directions that friction takes there (theory.md §4.6).
/// Allocates nothing after construction.
class SlideMotion {
 public:
  explicit SlideMotion(const Binding& bound);

  /// \param input  (t, q, u, z, …) of a kernel   \param scale [ny] typical sizes
  void read(const Binding& bound, const Mode& mode, const double* input, const Vector& scale);
  /// Directions of friction in the motion: 0 of contacts that stick. In a line the direction is known; in a plane it is
  /// that of the velocity, which is read then.   \param to [ns]
  void fill_directions(const Binding& bound, const Mode& mode, const double* input, const Vector& scale, double* to);

  Vector v, beta;        ///< [ns] velocities, v' − J u'
  Matrix J;              ///< [ns × nu]
  Vector s;              ///< [ns] directions in force, 0 of contacts that stick
  bool has_any = false;  ///< whether any contact sticks

 private:
  std::vector<double> result_, workspace_;
};

}  // namespace vinculum::sim

#pragma once

#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// What changes of equations do to the state, by size: |M⁻¹| of one instant takes forces to accelerations, and a row
/// of A u' = b its own miss to the speeds that it holds.
class Influence {
 public:
  Influence(Dynamics& dynamics, const Mode& mode) : dynamics_(dynamics), mode_(mode), lu_(dynamics.binding()->nu()) {}

  /// Matrices of an instant. Allocates.
  void read(double t, const Vector& y);
  /// Nothing changes so far.
  void begin();
  /// An equation changes by this much.   \param accelerations  [nu] sizes of u'
  void add(const Watches::Equation& place, double by, const Vector& accelerations);
  /// [q, u, z] rates of change of the state. Once after all `add`.
  [[nodiscard]] const Vector& rates();

 private:
  Dynamics& dynamics_;
  const Mode& mode_;
  numeric::FullPivotLu lu_;
  Matrices matrices_;
  Matrix influence_;  ///< [nu × nu] |M⁻¹|; infinite where M is not regular
  Vector force_, change_;
};

}  // namespace vinculum::sim

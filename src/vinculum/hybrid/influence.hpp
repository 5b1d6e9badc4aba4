#pragma once

#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Bounds of the effect that changes of the equations have on the state. |M⁻¹| at one instant converts changes of
/// forces to changes of accelerations. A change in a row of A u' = b changes the speeds of the row as much as it is
/// violated.
class Influence {
 public:
  Influence(Dynamics& dynamics, const Mode& mode) : dynamics_(dynamics), mode_(mode), lu_(dynamics.binding()->nu()) {}

  /// Reads the matrices at an instant. Allocates.
  void read(double t, const Vector& y);
  /// Starts a new sum.
  void begin();
  /// Adds the effect of an equation that changes by this much.
  /// \param accelerations  [nu] sizes of u'
  void add(const Watches::Equation& place, double by, const Vector& accelerations);
  /// Sum of the rates of change of the state [q, u, z]. Call once, after all `add`.
  [[nodiscard]] const Vector& rates();

 private:
  Dynamics& dynamics_;
  const Mode& mode_;
  numeric::FullPivotLu lu_;
  Matrices matrices_;
  Matrix influence_;  ///< [nu × nu] |M⁻¹|; infinite if M is singular
  Vector force_, change_;
};

}  // namespace vinculum::sim

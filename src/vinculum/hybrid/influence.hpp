#pragma once

#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Bounds the rates of the state that changes of the equations cause. |M⁻¹|, read at one instant, converts changes of
/// forces to changes of accelerations. A change of a row of the constraints A u' = b changes the speeds in that row by
/// as much as the row is then violated.
class Influence {
 public:
  Influence(Dynamics& dynamics, const Mode& mode) : dynamics_(dynamics), mode_(mode), lu_(dynamics.binding()->nu()) {}

  /// Reads the matrices at an instant. Allocates.
  void read(double t, const Vector& y);
  /// Sets the sum to 0.
  void begin();
  /// Adds the effect of a change of an equation.
  /// \param by  magnitude of the change, in the unit of the equation
  /// \param accelerations  [nu] magnitudes of u'
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

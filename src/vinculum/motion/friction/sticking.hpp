#pragma once

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/friction/reaction_forces.hpp"
#include "vinculum/motion/friction/sticking_response.hpp"
#include "vinculum/motion/friction_reading.hpp"
#include "vinculum/solve/pivoted/friction.hpp"

namespace vinculum::sim {

/// Friction contacts at rest and in motion, by solves with pivots: velocities that are held at zero, and the directions
/// of the others (theory.md §4.6).
class Sticking {
 public:
  /// \param friction  of all forces that depend on reactions
  Sticking(StateKernels& at, EquationPieces& pieces, Routes& routes, ReactionForces& forces, FreeResponse& free,
           solve::FrictionSolve& friction);
  Sticking(const Sticking&) = delete;
  Sticking& operator=(const Sticking&) = delete;

  /// C of the pieces where friction slides or sticks.   \pre the factor of the explicit route, the state in
  /// `StateKernels::input`
  [[nodiscard]] Outcome<void> settle();
  /// Accelerations that are rounding of the forces that make them are 0: what is held stays where it is, and does not
  /// creep from one rounding to the next.   \param lambda [nc]   \param u [nu] u'   \pre `settle`; a contact sticks
  void drop_rounding(const Vector& lambda, Vector& u);
  /// Forces and bounds of what sticks at the answer last settled. Allocates.
  [[nodiscard]] Outcome<void> read_bounds(FrictionReading& reading);
  /// s of all slides at the answer last settled, −force/bound of those that stick.
  [[nodiscard]] Outcome<void> fill_directions(Vector& s);
  /// v = 0 of what sticks, by least change of u in the metric of M. \returns the largest correction relative to
  /// `set_scale`.
  [[nodiscard]] Outcome<double> project(double t, double* y);

  [[nodiscard]] const StickingResponse& response() const { return response_; }

 private:
  [[nodiscard]] double largest_mass() const { return pieces_.matrices.metric.diagonal().cwiseAbs().maxCoeff(); }
  [[nodiscard]] Outcome<void> respond(ConstVector r_f, ConstVector r_b, Vector& multipliers);

  StateKernels& at_;
  EquationPieces& pieces_;
  Routes& routes_;
  ReactionForces& forces_;
  FreeResponse& free_;
  solve::FrictionSolve& friction_;
  StickingResponse response_;
  solve::FrictionSolve::Respond respond_;
  solve::FrictionSolve::Evaluate evaluate_;
  Vector right_;   ///< [nc + ns] b and −beta
  Vector wanted_;  ///< [ns] changes of velocities
  Vector total_, lambda_;
};

}  // namespace vinculum::sim

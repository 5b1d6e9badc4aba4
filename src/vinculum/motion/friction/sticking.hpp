#pragma once

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/friction/reaction_forces.hpp"
#include "vinculum/motion/friction/sticking_response.hpp"
#include "vinculum/motion/friction_reading.hpp"
#include "vinculum/solve/pivoted/friction.hpp"

namespace vinculum::sim {

/// Computes the forces of friction contacts by the pivoted solver (theory.md §4.6). The forces of sticking contacts
/// keep their velocities at 0. Contacts that slip have forces opposed to their directions.
class Sticking {
 public:
  /// \param friction  solver of all forces that depend on reactions
  Sticking(StateKernels& at, EquationPieces& pieces, Routes& routes, ReactionForces& forces, FreeResponse& free,
           solve::FrictionSolve& friction);
  Sticking(const Sticking&) = delete;
  Sticking& operator=(const Sticking&) = delete;

  /// Finds C with the forces of slipping and sticking contacts, and stores it in `EquationPieces::matrices`.
  /// \pre `Routes::explicit_route` has factored these matrices, and their state is in `StateKernels::input`
  [[nodiscard]] Outcome<void> settle();
  /// Sets accelerations to 0 if they are rounding errors of the forces that cause them. Otherwise a sticking body would
  /// creep.
  /// \param lambda [nc]
  /// \param u [nu] u'
  /// \pre `settle` was called; a contact sticks
  void drop_rounding(const Vector& lambda, Vector& u);
  /// Computes forces and bounds of the sticking contacts, for the last solution of `settle`. Allocates.
  [[nodiscard]] Outcome<void> read_bounds(FrictionReading& reading);
  /// Computes the friction directions s of all contacts for the last solution of `settle`; for sticking contacts
  /// −force/bound.
  [[nodiscard]] Outcome<void> fill_directions(Vector& s);
  /// Restores v = 0 of sticking contacts by the least change of u in the metric of M.
  /// \returns the largest correction in units of tolerance × typical size (`Dynamics::set_scale`).
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
  Vector right_;   ///< [nc + ns] right-hand sides: b of the rows and −β of the sliding velocities
  Vector wanted_;  ///< [ns] changes of sliding velocities that the forces are to cause
  Vector total_, lambda_;
};

}  // namespace vinculum::sim

#pragma once

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/friction/reaction_forces.hpp"
#include "vinculum/motion/friction/sticking_response.hpp"
#include "vinculum/motion/friction_reading.hpp"
#include "vinculum/solve/pivoted/friction.hpp"

namespace vinculum::sim {

/// Friction contacts by the pivoted solver: velocities of sticking contacts are kept at 0, sliding contacts have forces
/// along their directions (theory.md §4.6).
class Sticking {
 public:
  /// \param friction  solver of all forces that depend on reactions
  Sticking(StateKernels& at, EquationPieces& pieces, Routes& routes, ReactionForces& forces, FreeResponse& free,
           solve::FrictionSolve& friction);
  Sticking(const Sticking&) = delete;
  Sticking& operator=(const Sticking&) = delete;

  /// Finds C of the pieces, with forces of sliding and sticking contacts.
  /// \pre the factor of the explicit route, and the state in `StateKernels::input`
  [[nodiscard]] Outcome<void> settle();
  /// Sets accelerations to 0 that are only rounding errors of the forces that cause them. Otherwise a sticking body
  /// would creep.
  /// \param lambda [nc]
  /// \param u [nu] u'
  /// \pre `settle`; a contact sticks
  void drop_rounding(const Vector& lambda, Vector& u);
  /// Forces and bounds of the sticking contacts, for the last solution of `settle`. Allocates.
  [[nodiscard]] Outcome<void> read_bounds(FrictionReading& reading);
  /// Directions s of all contacts for the last solution of `settle`: −force/bound for sticking contacts.
  [[nodiscard]] Outcome<void> fill_directions(Vector& s);
  /// Restores v = 0 of sticking contacts by the least change of u in the metric of M.
  /// \returns the largest correction relative to `set_scale`.
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
  Vector right_;   ///< [nc + ns] b and −β
  Vector wanted_;  ///< [ns] changes of velocities
  Vector total_, lambda_;
};

}  // namespace vinculum::sim

#pragma once

#include <optional>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

struct AssemblyOptions {
  double t0 = 0.0;
  unsigned seed = 1;  ///< of the perturbed second attempts
  int attempts = 9;   ///< the start as stated, then random perturbations of what is free
};

/// A start that satisfies the constraints and every condition held by `=`.
struct Start {
  double t0 = 0.0;
  Vector q, u;
  Vector z = {};       ///< [nz] as `start` states them, 0 where it does not
  int iterations = 0;  ///< Gauss–Newton steps on q of the attempt that succeeded
  int attempt = 0;     ///< 0: the start as stated
  /// Sentences on choices made by chance, if other values satisfy everything as well and no statement decides; and on
  /// stated guesses far from the start that was found.
  std::vector<std::string> by_chance = {};
  /// What a motion that goes on from here had here: where several accelerations satisfy the constraints it follows
  /// these.
  std::optional<Sample> followed = {};
};

/// Consistent start of a model from its `start` conditions: positions by Gauss–Newton with minimum-norm steps on what
/// is free, then speeds by least change in the metric of M, nonlinear velocity constraints by Newton in the fibre.
/// Conditions held by `=` hold exactly; `~` and what is not mentioned (guess 0) may change; what need not change stays.
/// Coordinates that a row determines by itself are met first. Then coordinates that no statement mentions change before
/// those with a stated guess. Redundant constraints are allowed.
/// \returns kAssembly: names the constraints that cannot be met with their residuals, the held values in conflict.
/// Source: docs/numerics.md (consistent initial conditions).
[[nodiscard]] Outcome<Start> assemble(Dynamics& dynamics, const AssemblyOptions& options = {});

}  // namespace vinculum::sim

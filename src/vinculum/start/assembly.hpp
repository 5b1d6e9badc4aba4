#pragma once

#include <optional>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

struct AssemblyOptions {
  double t0 = 0.0;
  unsigned seed = 1;  ///< seed of the random perturbations after the first attempt
  int attempts = 9;   ///< number of attempts: the start as stated, then random perturbations of the free values
};

/// A start that satisfies the constraints and every condition stated with `=`.
struct Start {
  double t0 = 0.0;
  Vector q, u;
  Vector z = {};       ///< [nz] as `start` states them; 0 if not stated
  int iterations = 0;  ///< Gauss–Newton steps for q in the successful attempt
  int attempt = 0;     ///< 0: the start as stated
  /// Sentences for the user on arbitrary choices, if other values satisfy everything as well and no statement decides,
  /// and on stated guesses that are far from the start found.
  std::vector<std::string> by_chance = {};
  /// For a continued motion, the sample at this start. If several accelerations satisfy the constraints, the motion
  /// continues with the accelerations of the sample.
  std::optional<Sample> followed = {};
  bool is_resumed = false;  ///< a motion continues here: events at t0 have happened
};

/// Finds a consistent start of a model from its `start` conditions. First positions by Gauss–Newton with minimum-norm
/// steps in the free coordinates, then speeds with the least change in the metric of M; velocity constraints that are
/// nonlinear by Newton's iteration at fixed positions.
///
/// Conditions stated with `=` hold exactly. Values stated with `~`, and values not mentioned (guess 0), may change, but
/// only as far as necessary. Coordinates that a single row determines are solved for first. Then coordinates that no
/// statement mentions change in preference to coordinates with a stated guess. Redundant constraints are allowed.
/// \returns kAssembly with the constraints that cannot be satisfied, their residuals, and the conflicting `=` values.
/// Source: docs/numerics.md (consistent initial conditions).
[[nodiscard]] Outcome<Start> assemble(Dynamics& dynamics, const AssemblyOptions& options = {});

}  // namespace vinculum::sim

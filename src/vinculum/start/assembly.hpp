#pragma once

#include <optional>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

struct AssemblyOptions {
  double t0 = 0.0;
  unsigned seed = 1;  ///< seed of the random perturbations after the first attempt
  int attempts = 9;   ///< number of attempts: the start as stated, then random perturbations of the free values
};

/// A start that satisfies the constraints and all conditions stated with `=`.
struct Start {
  double t0 = 0.0;
  Vector q, u;
  Vector z = {};       ///< [nz] as the `start` statements give them; 0 if not stated
  int iterations = 0;  ///< Gauss–Newton steps for q in the successful attempt
  int attempt = 0;     ///< number of the successful attempt; 0: from the start as stated
  /// Sentences for the user about arbitrary choices. There is one if other values satisfy all conditions as well and no
  /// statement decides between them, and one for each stated guess that is far from the start found.
  std::vector<std::string> by_chance = {};
  /// Only for a motion that is continued: the sample at this start. If several accelerations satisfy the constraints,
  /// the motion continues with the accelerations of this sample.
  std::optional<Sample> followed = {};
  bool is_resumed = false;  ///< true: a motion is continued from here, so events at t0 have already happened
};

/// Finds a consistent start of a model from its `start` conditions. Positions are found first, by Gauss–Newton with
/// minimum-norm steps in the free coordinates. Then speeds are found with the least change in the metric of M. Velocity
/// constraints that are not linear in the speeds are solved by Newton's iteration at fixed positions.
///
/// Conditions stated with `=` hold exactly. Values stated with `~`, and values that no statement mentions (guess 0),
/// change only as far as necessary. Coordinates that a single row determines are solved for first. After that,
/// coordinates that no statement mentions change in preference to coordinates with a stated guess. Redundant
/// constraints are allowed.
/// \returns kAssembly with the constraints that cannot be satisfied, their residuals, and the conflicting `=` values.
/// Source: docs/numerics.md (consistent initial conditions).
[[nodiscard]] Outcome<Start> assemble(Dynamics& dynamics, const AssemblyOptions& options = {});

/// A change of one value that the model states for its start.
struct StartChange {
  int start = -1;  ///< index into Model::starts; −1: the value of a state
  int state = -1;  ///< index into System::z
  double change = 0.0;
};
/// The start whose statement gives this changed value.
[[nodiscard]] Outcome<Start> assemble_changed(Dynamics& dynamics, const StartChange& change);

}  // namespace vinculum::sim

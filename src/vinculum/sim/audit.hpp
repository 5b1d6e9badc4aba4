#pragma once

#include <string>
#include <vector>

#include "vinculum/sim/simulate.hpp"

namespace vinculum::sim {

/// One identity of theory.md §8 along a run.
struct AuditLine {
  std::string identity;        ///< "constraint residuals", "Newton and Euler for every body", …
  std::string section;         ///< "8.1"
  enum class Verdict { kHolds, kBroken, kDoesNotApply } verdict{};
  double worst = 0.0;          ///< largest residual, relative to the size of its terms
  double allowed = 0.0;
  double t = 0.0;              ///< where the worst is [s]
  std::string where;           ///< which constraint, body, coordinate
  std::string reason;          ///< why it does not apply
};

struct Audit {
  std::vector<AuditLine> lines;
  [[nodiscard]] bool holds() const;   ///< no line is broken
};

/// All identities of theory.md §8 on the samples of a trajectory of this model, each by a route of its own: bodies by Newton–Euler
/// from definitions (mechanics/evaluate.hpp), virtual work and Gauss' function by random admissible displacements, energy by its
/// balance along the run, formulations against each other.
///
/// It takes the compiled model whose System it judges and nothing else from the engine's hot path, so a test breaks a copy of the
/// System one thing at a time.
/// \param seed  of the random displacements.
[[nodiscard]] Audit audit(const CompiledModel& compiled, const Trajectory& trajectory, unsigned seed = 1);

}  // namespace vinculum::sim

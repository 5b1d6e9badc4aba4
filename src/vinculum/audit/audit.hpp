#pragma once

#include <string>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/sim/run/simulate.hpp"

/// Whether a motion and its forces satisfy the identities of mechanics.
namespace vinculum::audit {

using sim::CompiledModel;
using sim::Trajectory;

/// One identity of theory.md §8 along a run.
struct AuditLine {
  std::string identity;  ///< "constraint residuals", "Newton and Euler for every body", …
  std::string section;   ///< "8.1"
  enum class Verdict { kHolds, kBroken, kDoesNotApply } verdict{};
  double worst = 0.0;  ///< largest residual, relative to the size of its terms
  double allowed = 0.0;
  double t = 0.0;      ///< where the worst is [s]
  std::string where;   ///< which constraint, body, coordinate
  std::string reason;  ///< why it does not apply; of a line that holds: what of it does not
};

struct Audit {
  std::vector<AuditLine> lines;
  int samples = 0;                   ///< instants that were judged
  [[nodiscard]] bool holds() const;  ///< no line is broken
};

struct AuditOptions {
  unsigned seed = 1;              ///< of the random displacements
  int samples = 40;               ///< instants judged, spread over the samples of the run, its start and end included
  tolerance::Factor factor = {};  ///< of all limits: at 0 every line shows its true residual
};

/// All identities of theory.md §8 on the samples of a trajectory of this model, each by a route of its own: bodies by
/// Newton–Euler from definitions (mechanics/evaluate.hpp), virtual work and Gauss' function by random admissible
/// displacements, energy by its balance at every instant, formulations against each other. Residuals are relative to
/// the largest terms they are made of, which the run has; a trajectory that stopped is judged up to the sample before
/// its last.
///
/// It takes the compiled model whose System it judges, evaluates that System node by node, and uses nothing else of the
/// engine's hot path but where formulations are compared, so a test breaks a copy of the System one thing at a time.
[[nodiscard]] Audit audit(const CompiledModel& compiled, const Trajectory& trajectory,
                          const AuditOptions& options = {});

}  // namespace vinculum::audit

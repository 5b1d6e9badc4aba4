#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/run/simulate.hpp"

/// Whether a motion and its forces satisfy the identities of mechanics.
namespace vinculum::audit {

using sim::Binding;

using sim::Trajectory;

/// One identity of theory.md §8 along a run.
struct AuditLine {
  std::string identity;  ///< "constraint residuals", "Newton and Euler for every body", …
  std::string section;   ///< "8.1"
  enum class Verdict { kHolds, kBroken, kDoesNotApply } verdict{};
  double worst = 0.0;        ///< residual that comes closest to its limit, relative to the size of its terms
  double allowed = 0.0;      ///< the limit there
  std::string allowed_from;  ///< what makes the limits: "rounding, conditioning of the solve"
  double t = 0.0;            ///< where the worst is [s]
  std::string where;         ///< which constraint, body, coordinate
  std::string reason;        ///< why it does not apply; of a line that holds: what of it does not
};

struct Audit {
  std::vector<AuditLine> lines;
  int samples = 0;                        ///< instants that were judged
  std::optional<Failure> stopped;         ///< why the run ended before its time, where the model does not expect it
  [[nodiscard]] bool holds() const;       ///< no line is broken
  [[nodiscard]] bool is_success() const;  ///< and some line holds, of a run to its end or to a stop that is expected
};

struct AuditOptions {
  unsigned seed = 1;              ///< of the random displacements
  int samples = 40;               ///< instants judged, spread over the samples of the run, its start and end included
  tolerance::Factor factor = {};  ///< of all limits: at 0 every line shows its true residual
};

/// All identities of theory.md §8 on the samples of a trajectory of this model, each by a route of its own: bodies by
/// Newton–Euler from definitions (model/evaluate.hpp), virtual work and Gauss' function by random admissible
/// displacements, energy by its balance at every instant, formulations against each other. Each residual is judged
/// against what rounding of its own terms, the conditioning of the solve behind it and the run's tolerance leave, and
/// is shown relative to these terms; so no verdict depends on units. A trajectory that stopped is judged up to the
/// sample before its last.
///
/// It takes the compiled model whose System it judges, evaluates that System node by node, and uses nothing else of the
/// engine's hot path but where formulations are compared, so a test breaks a copy of the System one thing at a time.
[[nodiscard]] Audit audit(const Binding& bound, const Trajectory& trajectory, const AuditOptions& options = {});

}  // namespace vinculum::audit

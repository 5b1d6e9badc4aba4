#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/run/simulate.hpp"

/// The audit: checks that a motion and its forces satisfy the identities of mechanics.
namespace vinculum::audit {

using sim::Binding;

using sim::Trajectory;

/// One identity of theory.md §8 along a run.
struct AuditLine {
  std::string identity;  ///< "constraint residuals", "Newton and Euler for every body", …
  std::string section;   ///< section of theory.md: "8.1"
  enum class Verdict { kHolds, kBroken, kDoesNotApply } verdict{};
  double worst = 0.0;    ///< the residual with the largest ratio to its limit, divided by the magnitude of its terms
  double allowed = 0.0;  ///< the limit of that residual, relative to the same magnitude
  std::string allowed_from;  ///< origin of the limits: "rounding, conditioning of the solve"
  double t = 0.0;            ///< [s] time of `worst`
  std::string where;         ///< constraint, body or coordinate of `worst`
  std::string reason;        ///< reason why the line does not apply; if the line passes: cases that it does not cover
};

struct Audit {
  std::vector<AuditLine> lines;
  int samples = 0;                   ///< number of audited instants
  std::optional<Failure> stopped;    ///< reason why the run ended early, unless the model expects this stop
  [[nodiscard]] bool holds() const;  ///< true if no line is broken
  /// True if `holds()`, at least one line passes, and the run reached its end or an expected stop.
  [[nodiscard]] bool is_success() const;
};

struct AuditOptions {
  unsigned seed = 1;  ///< seed of the random displacements
  int samples = 40;   ///< number of audited instants, spread evenly over the samples; start and end included
  tolerance::Factor factor = {};  ///< factor on all limits; with 0 every line shows its true residual
};

/// Audits the samples of a trajectory: all identities of theory.md §8, each by an independent computation. Bodies are
/// checked by Newton's and Euler's equations from the definitions (model/evaluate.hpp), virtual work and Gauss'
/// function by random admissible displacements, and energy by its balance at every instant. Formulations are compared
/// with each other.
/// The limit of each residual is a sum of three terms: the rounding error of the residual's own terms, the error due to
/// the conditioning of the solve, and the tolerance of the run. Residuals are shown relative to the magnitude of their
/// terms, so no verdict depends on units. If the run stopped early, the audit ends at the sample before the last.
///
/// The System to be judged is the one in the compiled model `bound`; it is evaluated node by node. Except in the
/// comparison of formulations, the audit uses none of the code that computes motions. So a test can introduce one error
/// at a time into a copy of the System, and the audit must find it.
/// \param bound  the model of `trajectory`
[[nodiscard]] Audit audit(const Binding& bound, const Trajectory& trajectory, const AuditOptions& options = {});

}  // namespace vinculum::audit

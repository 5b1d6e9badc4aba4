#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/dynamics/describe.hpp"
#include "vinculum/out/report/explain_findings.hpp"
#include "vinculum/sim/invariants/invariants.hpp"
#include "vinculum/sim/plant/dynamics.hpp"

namespace vinculum::out {

/// What a constraint exerts at the start, measure numbers in the newtonian frame.
struct LoadAtStart {
  enum class Kind {
    kForce,
    kTorque,
    kResultantForce,
    kResultantMoment
  } kind{};  ///< moment: about the body's mass centre
  mechanics::ConstraintId constraint;
  std::string on;                 ///< point or body
  std::array<double, 3> value{};  ///< [N], [N m]
  bool is_unique = true;
};

/// Power of all that a constraint exerts; not valid where its reaction has no place (theory.md §5.6) in a moving frame.
struct PowerOfConstraint {
  bool is_known = false;
  double at_start = 0.0;   ///< [W]
  bool does_work = false;  ///< at the start or a random consistent state
};

/// Multipliers of a row at the start, as results name them.
struct RowAtStart {
  double multiplier = 0.0;
  std::optional<double> ideal_multiplier;  ///< where the law has a multiplier of its own beside
  bool is_unique = true;
};

struct RevealedAtStart {
  std::string name, what;          ///< "force on P"
  std::vector<std::string> along;  ///< vector formulas
  std::vector<double> value;       ///< [along]
};

/// The analysis of a model: what moves, how freely, and which force each constraint puts on what.
struct Explanation {
  std::shared_ptr<const sim::CompiledModel> compiled;
  std::vector<dynamics::ConstraintDescription> constraints;
  int mass_rank = 0;                     ///< of M at the start (at a random state where there is no start)
  int rank = 0;                          ///< of A there
  std::vector<int> constraint_rank;      ///< [constraints] of each constraint's own rows there; empty without a start
  std::optional<sim::Sample> at_start;   ///< everything about the assembled start
  std::optional<Failure> no_start;       ///< why there is none
  std::vector<LoadAtStart> loads;        ///< by constraint; empty without a start
  std::vector<PowerOfConstraint> power;  ///< [constraints] empty without a start
  std::vector<std::vector<RowAtStart>> rows_at_start;  ///< [constraints][rows] empty without a start
  std::vector<RowFindings> findings;                   ///< [rows of System]
  std::vector<RevealedAtStart> revealed;               ///< [reveals] values empty without a start
  sim::Invariants invariants;
};

/// Derives, assembles the start and inspects. Never fails: without a start the ranks are those at a random state.
[[nodiscard]] Explanation explain(const std::shared_ptr<const sim::CompiledModel>& compiled);

[[nodiscard]] std::string explain_text(const Explanation& explanation);
/// docs/json.md has the shape.
[[nodiscard]] std::string explain_json(const Explanation& explanation);

}  // namespace vinculum::out

#pragma once

#include <memory>
#include <random>
#include <vector>

#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/verify/audit/evidence.hpp"
#include "vinculum/verify/audit/judge.hpp"

/// The identities of theory.md §8 in groups, one file a group. Each takes the same evidence and gives its lines.
namespace vinculum::audit {

/// Where limits of lines come from that hold u', λ or efforts.
inline constexpr const char* kOfTheSolve = "conditioning of the solve";

/// Typical sizes over the run, as the engine measures violations and errors by them (compiled/scales).
struct RunScales {
  Vector q, u, z;
};

/// Everything the lines look at.
struct Case {
  const Binding& bound;
  std::vector<std::unique_ptr<Evidence>> evidence;  ///< one a sample judged
  RunScales scales;
  const Trajectory& trajectory;
  unsigned seed = 1;

  /// What may be missed of typical sizes by the time t: by each step its tolerance, and so by what is read inside one;
  /// a change of the state stays.
  [[nodiscard]] double missed_by_steps(double t) const;
};

/// The samples to be judged: start, end and others evenly between.
[[nodiscard]] Case case_of(const Binding& bound, const Trajectory& trajectory, const AuditOptions& options);

/// What reads forces off a row: a test hands in one that errs.
using Inspect = model::RowInspection (*)(const model::Model&, model::ConstraintId, std::size_t);

/// Which laws of reaction the model holds.
struct Laws {
  bool has_directed = false;
  bool has_other = false;  ///< neither ideal, nonideal nor directed: f and M hold forces of the law
};
[[nodiscard]] Laws laws_of(const model::Model& model);

/// Speeds against their definitions; 8.1 constraints as written at all levels, by jets.   motion.cpp
[[nodiscard]] AuditLine audit_speeds(const Case& of);
[[nodiscard]] AuditLine audit_residuals(const Case& of);
/// 8.2 A u' = b; 8.3 M u' = f + Qi + Qni with Q rebuilt from multipliers and efforts.   motion.cpp
[[nodiscard]] AuditLine audit_rows(const Case& of);
[[nodiscard]] AuditLine audit_motion(const Case& of);
/// 8.4 vᵀQi = 0, 8.5 vᵀQc = vᵀC, 8.6 Gauss.   virtual_work.cpp
[[nodiscard]] AuditLine audit_ideal_work(const Case& of);
[[nodiscard]] AuditLine audit_nonideal_work(const Case& of);
[[nodiscard]] AuditLine audit_gauss(const Case& of);
/// 8.7 forces and torques of inspection give back A, C and Γ; 8.8 those of relative motion have no resultant and act on
/// the sides of their joint.
/// inspection.cpp
[[nodiscard]] AuditLine audit_inspection(const Case& of, Inspect inspect = model::inspect_row);
[[nodiscard]] AuditLine audit_reciprocity(const Case& of, Inspect inspect = model::inspect_row);
/// 3.5 which outputs redundant constraints leave open.   uniqueness.cpp
[[nodiscard]] AuditLine audit_uniqueness(const Case& of);
/// 8.9 power balance from definitions.   energy.cpp
[[nodiscard]] AuditLine audit_energy(const Case& of);
/// What the laws of constraints store, against the power of their reactions.   invariants.cpp
[[nodiscard]] AuditLine audit_effective_energy(const Case& of);
/// Invariants found, and those kept by projection, along the run.   invariants.cpp
[[nodiscard]] std::vector<AuditLine> audit_invariants(const Case& of);
/// 8.1 and 8.9 of constraints of higher order; nothing to see where there is none.   higher.cpp
[[nodiscard]] AuditLine audit_higher_residuals(const Case& of);
[[nodiscard]] AuditLine audit_higher_energy(const Case& of);
/// 8.10 explicit = augmented = minimal.   formulations.cpp
[[nodiscard]] AuditLine audit_formulations(const Case& of);
/// 4.6 directions of friction against velocities from definitions, and its bound where it sticks: a line of models with
/// friction. friction.cpp
[[nodiscard]] AuditLine audit_friction(const Case& of);
/// 8.11 Kane's identity for every speed, and Newton and Euler for every body.   balance.cpp
[[nodiscard]] std::vector<AuditLine> audit_balance(const Case& of);

/// What `reveal` states, against the balance of all that hangs from it.   revealed.cpp
[[nodiscard]] AuditLine audit_revealed(const Case& of);
/// 10.5 the state as the integral of its rates.   integrals.cpp
[[nodiscard]] AuditLine audit_integrals(const Case& of);
/// 10.5 no switch between the ends of a step.   sides.cpp
[[nodiscard]] AuditLine audit_sides(const Case& of);

}  // namespace vinculum::audit

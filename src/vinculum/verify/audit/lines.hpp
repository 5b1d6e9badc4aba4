#pragma once

#include <memory>
#include <random>
#include <vector>

#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/verify/audit/evidence.hpp"
#include "vinculum/verify/audit/judge.hpp"

/// Declares the functions that check the identities of theory.md §8, in groups, one file per group. Each function gets
/// the same Case and returns its lines.
namespace vinculum::audit {

/// Origin of the limits of lines that contain u', λ or efforts.
inline constexpr const char* kOfTheSolve = "conditioning of the solve";

/// Typical magnitudes of q, u and z over the run, by the same rules as in compiled/scales.
struct RunScales {
  Vector q, u, z;
};

/// Input of all audit lines.
struct Case {
  const Binding& bound;
  std::vector<std::unique_ptr<Evidence>> evidence;  ///< one per audited sample
  RunScales scales;
  const Trajectory& trajectory;
  unsigned seed = 1;

  /// Estimates the integration error that may have accumulated up to time t, relative to the typical magnitudes: the
  /// tolerance times the number of steps so far (plus 1). Errors of single steps persist in the state, so they add up.
  [[nodiscard]] double missed_by_steps(double t) const;
};

/// Selects the audited samples: start, end and others evenly spaced between them.
[[nodiscard]] Case case_of(const Binding& bound, const Trajectory& trajectory, const AuditOptions& options);

/// Function that derives forces from a row. An argument, so that a test can pass a faulty function.
using Inspect = model::RowInspection (*)(const model::Model&, model::ConstraintId, std::size_t);

/// Kinds of reaction laws that the model contains.
struct Laws {
  bool has_directed = false;
  bool has_other = false;  ///< laws other than ideal, nonideal and servo: they add terms to f and M
};
[[nodiscard]] Laws laws_of(const model::Model& model);

/// Speeds compared with their definitions; 8.1 residuals of the constraints as written, at all levels, by Taylor
/// series.   motion.cpp
[[nodiscard]] AuditLine audit_speeds(const Case& of);
[[nodiscard]] AuditLine audit_residuals(const Case& of);
/// 8.2 A u' = b; 8.3 M u' = f + Qi + Qni, with the forces Q recomputed from multipliers and efforts.   motion.cpp
[[nodiscard]] AuditLine audit_rows(const Case& of);
[[nodiscard]] AuditLine audit_motion(const Case& of);
/// 8.4 vᵀQi = 0, 8.5 vᵀQc = vᵀC, 8.6 Gauss' principle.   virtual_work.cpp
[[nodiscard]] AuditLine audit_ideal_work(const Case& of);
[[nodiscard]] AuditLine audit_nonideal_work(const Case& of);
[[nodiscard]] AuditLine audit_gauss(const Case& of);
/// 8.7 forces and torques from inspection are compared with A, C and Γ; 8.8 reactions between two bodies have no
/// resultant, and act only on the two bodies of their joint.   inspection.cpp
[[nodiscard]] AuditLine audit_inspection(const Case& of, Inspect inspect = model::inspect_row);
[[nodiscard]] AuditLine audit_reciprocity(const Case& of, Inspect inspect = model::inspect_row);
/// 3.5 Marks of outputs as not unique because redundant constraints leave them undetermined.   uniqueness.cpp
[[nodiscard]] AuditLine audit_uniqueness(const Case& of);
/// 8.9 Rate of the energy = power of the forces, both computed from definitions.   energy.cpp
[[nodiscard]] AuditLine audit_energy(const Case& of);
/// 8.9 energy stored by the laws of constraints, compared with the power of their reactions.   invariants.cpp
[[nodiscard]] AuditLine audit_effective_energy(const Case& of);
/// 9 Constancy along the run of the invariants that were found, and of those enforced by projection.   invariants.cpp
[[nodiscard]] std::vector<AuditLine> audit_invariants(const Case& of);
/// 8.1 and 8.9 for constraints of higher order; only for models that have some.   higher.cpp
[[nodiscard]] AuditLine audit_higher_residuals(const Case& of);
[[nodiscard]] AuditLine audit_higher_energy(const Case& of);
/// 8.10 the explicit, augmented and minimal formulations agree.   formulations.cpp
[[nodiscard]] AuditLine audit_formulations(const Case& of);
/// 4.6 directions of friction are compared with velocities from definitions, and friction forces of sticking contacts
/// with their bounds. For models with friction.   friction.cpp
[[nodiscard]] AuditLine audit_friction(const Case& of);
/// Sizes of the terms of a gap and of its rate, at the typical coordinates and speeds of the run.   contacts.cpp
struct GapSize {
  double gap = 0.0, rate = 0.0;
};
[[nodiscard]] GapSize size_of_gap(const Case& of, Evidence& evidence, model::Term gap);
/// 10.3 gaps and forces of unilateral constraints. For models with unilateral constraints.   contacts.cpp
[[nodiscard]] AuditLine audit_gaps(const Case& of);
[[nodiscard]] AuditLine audit_contact_forces(const Case& of);
/// 10.3 recorded impulses of unilateral constraints, compared with the states before and after them, and their works,
/// compared with the change of the kinetic energy. For models with unilateral constraints.   impacts.cpp
[[nodiscard]] std::vector<AuditLine> audit_impacts(const Case& of);
/// 8.11 Kane's identity for every speed, and Newton's and Euler's equations for every body.   balance.cpp
[[nodiscard]] std::vector<AuditLine> audit_balance(const Case& of);

/// 5.5 forces from `reveal`, compared with the balance of forces on all bodies beyond the joint.   revealed.cpp
[[nodiscard]] AuditLine audit_revealed(const Case& of);
/// 10.5 change of the state, compared with the integral of its rates.   integrals.cpp
[[nodiscard]] AuditLine audit_integrals(const Case& of);
/// 10.5 switching functions have the sign of the region in force, also within steps.   sides.cpp
[[nodiscard]] AuditLine audit_sides(const Case& of);

}  // namespace vinculum::audit

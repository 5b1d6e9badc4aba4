#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::solve {

using model::RestitutionLaw;

/// A unilateral contact in an impact.
struct ImpactContact {
  int normal = 0;  ///< index of the row whose velocity γ is the rate of the gap
  /// First index and number of the rows whose velocities are the components of the slip velocity, along orthonormal
  /// directions. The number is 0 for a contact without friction.
  int first = 0, count = 0;
  double restitution = 0.0;  ///< e, 0 ≤ e ≤ 1
  double compliance = 0.0;   ///< as in `Contact`
  RestitutionLaw law = RestitutionLaw::kEnergetic;
  double mu = 0.0;             ///< coefficient of friction
  bool is_sequential = false;  ///< the contact acts alone, before or after the other contacts
};

/// The impact of a system with closed unilateral contacts. The impulses p of the contacts change their velocities γ by
/// G p, where G = W M⁻¹ Wᵀ in the space that the bilateral rows leave.
struct ImpactProblem {
  Matrix G;              ///< [n×n] symmetric, positive semidefinite; singular if rows of contacts depend on each other
  Vector G_size;         ///< [n] > 0, size of the terms of G_ii; if G_ii < 1e-12 × this, no impulse changes row i
  Vector velocity;       ///< [n] velocities before the impact, with the parts that are prescribed functions of time
  Vector velocity_size;  ///< [n] > 0, size of the terms that are summed in `velocity`
  std::vector<ImpactContact> contacts;
};

/// How an impact ended. If several of these apply, the last one is reported.
enum class ImpactEnding : char {
  kRegular,
  kOneByOne,   ///< contacts had no common solution, so one of them acted alone, that with the most energy of approach
  kInelastic,  ///< contacts still approached after `kMostRounds` rounds; the velocities of approach became 0
  kManySolutions,  ///< the velocities after the impact are not unique
  kNoSolution,     ///< a contact still approaches; for example, it is pressed between bodies with prescribed motions
};

/// Work of the contact forces on one contact during an impact.
struct ImpactWork {
  double compression = 0.0;  ///< of the normal force while the contact approaches, ≤ 0
  double restitution = 0.0;  ///< of the normal force while the contact separates, ≥ 0
  double tangential = 0.0;   ///< of friction
  [[nodiscard]] double total() const { return compression + restitution + tangential; }
};

struct ImpactResult {
  Vector impulse;                ///< [n]
  Vector velocity;               ///< [n] velocities after the impact
  std::vector<ImpactWork> work;  ///< [contacts]
  int rounds = 0;                ///< number of impacts that followed each other in the instant
  int pieces = 0;  ///< number of intervals with constant rates of the impulses, or of steps in which slips turn
  std::vector<char> shared;  ///< [n] 1 if the impulse is not unique, because contacts share it
  ImpactEnding ending = ImpactEnding::kRegular;

  [[nodiscard]] bool are_impulses_unique() const;
  /// Change of the kinetic energy. It is positive only if the law of restitution creates energy, which Newton's and
  /// Poisson's law with friction can do, or if contacts have prescribed velocities.
  [[nodiscard]] double energy_change() const;
};

inline constexpr int kMostRounds = 60;

/// Computes the impact of several unilateral contacts as a process in impulse space. It contains friction along one
/// tangential direction per contact, or along two for contacts in space.
///
/// In each round the contacts that approach (γ < 0) and those at rest (γ = 0) act together; contacts that separate wait
/// for the next round. The rates ṗ of impulses satisfy, with γ̇ = G ṗ,
///
///   approached:  γ̇ + γ⁻ ≥ 0, ṗ ≥ 0, ṗ (γ̇ + γ⁻) = 0        at rest:  γ̇ ≥ 0, ṗ ≥ 0, ṗ γ̇ = 0
///
/// and Coulomb's law for the present slip. Each contact that approached ends its compression when γ = 0, and its
/// restitution by its law. A round ends when no contact is in compression or restitution. Rounds follow until no
/// contact approaches. Without friction and with one e for all contacts, a round is the complementarity problem γ⁺ + e
/// min(γ⁻, 0) ≥ 0, p ≥ 0.
///
/// A sequential contact acts alone in a round. Contacts with Moreau's law act together in a round of their own. If
/// several of these approach, the round belongs to the contact with the most energy of approach γ²/(2 G_ii) and, if two
/// are equal within 1e-6, to the first. For bodies of equal mass it is the fastest contact.
///
/// A velocity counts as 0 below 1e-11 × its size. After the first round, rounds follow until no contact approaches with
/// more than 1e-9 × its size.
/// If impulses are not unique, Σ G_size_i p_i² is least for the rates of each piece; if contacts have compliances, Σ
/// compliance_i p_i² is.
/// With one tangential direction per contact the process is exact. With two, the slip turns, and its equation is
/// integrated with a relative error of 1e-13 per step. If the contacts have more than 64 combinations of modes, one
/// solution for the rates is found, and other solutions are not sought.
/// \cost O(n³) per piece without friction. With friction the cost of `solve_contacts` or of Lemke's method.
/// Source: docs/theory.md §10.3. Test: impact_process_test.cpp, impact_friction_test.cpp, impact_space_test.cpp.
[[nodiscard]] ImpactResult solve_impact(const ImpactProblem& problem);

}  // namespace vinculum::solve

#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/solve/contacts/impact_process.hpp"

namespace vinculum::solve {

/// An impact problem in dimensionless form: rows are divided by √G_size, and impulses are multiplied by it.
struct ScaledImpact {
  Matrix G;
  Vector velocity, velocity_size;
  Vector row_size;                      ///< [n] √G_size; the same for all tangential rows of a contact
  std::vector<ImpactContact> contacts;  ///< with mu for scaled impulses
  Vector share;  ///< [n] of all impulses that are not unique, those with the least Σ p_i²/share_i are used

  explicit ScaledImpact(const ImpactProblem& problem);
  [[nodiscard]] bool is_movable(const ImpactContact& contact) const;
};

/// A contact of `solve_rates`.
struct RateContact {
  std::size_t index = 0;  ///< in `ScaledImpact::contacts`
  Vector slip = {};       ///< unit direction of the slip velocity; empty: the contact is at rest
};

struct ImpactRates {
  Vector x, w;               ///< [n] rates of impulses and of velocities
  std::vector<char> shared;  ///< [n] 1 if the component of x is not unique, because contacts share it; or empty
  bool are_velocities_unique = true;
};

/// Rates of impulses of contacts in an impact: w = G x + b with w_n ≥ 0, x_n ≥ 0, x_n w_n = 0 for each contact, and
/// Coulomb's law. The same problem with b = γ⁻ gives the impulses x of an inelastic impact.
/// \param b  [n] minus the required rates of normal velocities; tangential components are 0 for rates.
/// \param noise  rounding error of b.
/// \returns nothing if no rates satisfy the conditions; w in the result is G x.
/// Source: docs/theory.md §10.3. Test: impact_process_test.cpp, impact_friction_test.cpp.
[[nodiscard]] std::optional<ImpactRates> solve_rates(const ScaledImpact& impact,
                                                     const std::vector<RateContact>& contacts, const Vector& b,
                                                     double noise);

}  // namespace vinculum::solve

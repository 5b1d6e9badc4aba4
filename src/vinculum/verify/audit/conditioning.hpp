#pragma once

#include "vinculum/base/rounded.hpp"

namespace vinculum::audit {

/// A linear system K x = r, square or rectangular, with the rounding errors of its entries, and its computed solution
/// x.
struct LinearSystem {
  RoundedMatrix K;
  RoundedVector r;
  Vector x;
  /// number of leading rows and columns that belong to a mass matrix; its diagonal determines their units
  Eigen::Index inertial = 0;
  Vector size = {};  ///< [columns] typical magnitudes of the unknowns, if there is no mass matrix; empty: 1
};

/// Error bound of x for a backward stable solve in double precision: |K⁺|(|ΔK||x| + |Δr| + γ w). K⁺ is the
/// pseudoinverse of the equilibrated K; ΔK and Δr are the errors of K and r. γ is the rounding error of an elimination
/// of n steps. w is the largest entry of |K||x| + |r| among the equations that the solve combines. With constraints
/// these are all equations, because Householder reflections combine all speeds. Without constraints they are the
/// equations that are coupled to each other.
struct Miss {
  Vector of_x;             ///< [columns] error bound of x
  Vector of_terms;         ///< [rows] γ w: residual that an equation may have because of the rounding of the solve
  Vector of_entries;       ///< [columns] |K⁺|(|ΔK||x| + |Δr|): the contribution to `of_x` of rounding errors of K and r
  double condition = 1.0;  ///< ‖|K⁺||K|‖∞ of the equilibrated K
};
/// \param mixes     true: the solve combines all equations, as with constraints
/// \param iterated  relative error that an iteration leaves if it solves this system repeatedly
/// Source: Higham, Accuracy and stability of numerical algorithms (2002), §7.2, 19.3.
[[nodiscard]] Miss miss_of_solve(const LinearSystem& system, bool mixes, double iterated = 0.0);

/// Solves K x = r for a square K, by elimination after equilibration; `system.x` is not read.
[[nodiscard]] Vector solution_of(const LinearSystem& system);

}  // namespace vinculum::audit

#pragma once

#include "vinculum/base/rounded.hpp"

namespace vinculum::audit {

/// A square or oblong linear system K x = r with the rounding of its entries, and what was found for x.
struct LinearSystem {
  RoundedMatrix K;
  RoundedVector r;
  Vector x;
  Eigen::Index inertial = 0;  ///< its first rows and columns are those of a mass matrix, which gives their units
  Vector size = {};           ///< [columns] typical sizes of unknowns, where there is no mass matrix; empty: 1
};

/// By how much x may miss, solved backward stably in double precision: |K⁺|(|ΔK||x| + |Δr| + γ w), K in units in which
/// its rows and columns are of one size, γ what n steps round, and w the largest of |K||x| + |r| among the equations
/// that the solve mixes: all where there are constraints, as reflections reach into every speed, else those that hang
/// together.
struct Miss {
  Vector of_x;             ///< [columns]
  Vector of_terms;         ///< [rows] γ w: what an equation may be missed by
  Vector of_entries;       ///< [columns] |K⁺|(|ΔK||x| + |Δr|): the share of `of_x` that rounding of K and r brings
  double condition = 1.0;  ///< ‖|K⁺||K|‖∞ in those units
};
/// \param mixes     whether all equations.   \param iterated  relative, that an iteration about this system leaves.
/// Source: Higham, Accuracy and stability of numerical algorithms (2002), §7.2, 19.3.
[[nodiscard]] Miss miss_of_solve(const LinearSystem& system, bool mixes, double iterated = 0.0);

/// K⁻¹ r by elimination in those units, of a square system; its x is not read.
[[nodiscard]] Vector solution_of(const LinearSystem& system);

}  // namespace vinculum::audit

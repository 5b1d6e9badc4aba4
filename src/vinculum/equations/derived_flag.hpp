#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// A combination Σ c_a θ_a of velocity-level rows (and position-level rows). It is integrable together with the other
/// combinations of the same result.
struct IntegrableCombination {
  /// How ω = Σ c_a θ_a can be integrated without the other combinations. In each case the norms of quaternions count as
  /// constant.
  enum class Kind {
    kTotalDerivative,  ///< dω = 0: ω is a total derivative
    kByItself,         ///< ω ∧ dω = 0: integrable after multiplication by a factor
    /// total derivative or integrable by itself, but only on the states that satisfy the position-level rows
    kOnPositions,
    kTogether  ///< integrable only with other combinations: dω = 0 on the kernel of I^∞, that is, of all combinations
  };
  struct Part {
    int row = 0;             ///< index into System::rows
    expr::Expr coefficient;  ///< expression of q and t
  };
  std::vector<Part> parts;  ///< the summands c_a θ_a; one velocity-level row has the coefficient 1
  Kind kind = Kind::kTogether;
  std::vector<int> beside;  ///< for kTogether: rows of all other combinations of the set, without the rows in `parts`
};

/// Derived flag of a set of rows. It shows how many combinations of the rows can be integrated.
///
///   I⁰ = span{θ_a},   I^(k+1) = {Σ c_a θ_a ∈ I^k : Σ c_a Zᵀ dθ_a Z = 0, Z a basis of ker I^k},   until I^(k+1) = I^k
///
/// dim I^∞ combinations are integrable; dim I⁰ − dim I^∞ nonholonomic degrees remain. One step is not enough: dy − z
/// dx, dz − w dx have the dimensions 2, 1, 0. The set contains the rows that are linear or affine in the velocities,
/// all position-level rows, and the norms of quaternions; forms of the last two are closed.
///
/// Combinations are found as expressions, by elimination. An entry counts as zero if it is structurally 0, or if its
/// values at all probes (sample states) are rounding errors. Sets of rows that share no variable are treated
/// separately. If the combinations of one set grow too large, the whole search stops without a result.
/// Source: [S] 3.5; Bryant et al., Exterior Differential Systems, II §4; theory.md §2.
struct DerivedFlag {
  std::vector<int> dimensions;  ///< dimensions of I⁰, I¹, … I^∞; empty if the set contains no velocity-level row
  /// Integrable combinations other than the position-level rows and norms themselves.
  std::vector<IntegrableCombination> combinations;
  /// true: every zero that was used is structural; false: some were decided by values at the probes
  bool is_by_form = true;
  int probes = 0;
  std::string not_sought;  ///< the reason why the search was not made or stopped early; empty if it is complete

  [[nodiscard]] int nonholonomic() const { return dimensions.empty() ? 0 : dimensions.front() - dimensions.back(); }
};

/// Computes the derived flag; adds expressions to the graph of the System.
/// \param parameters  values of the model's parameters
/// \param probes  [states][nq + 1] values of q and t that satisfy the constraints and have the magnitudes of the motion
/// \param sizes  [nq + 1] typical magnitudes > 0 of q and t; pivots, ranks and tolerances are relative to them
[[nodiscard]] DerivedFlag derived_flag(const System& system, std::span<const double> parameters,
                                       const std::vector<std::vector<double>>& probes, std::span<const double> sizes);

}  // namespace vinculum::equations

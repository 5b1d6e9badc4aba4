#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// Σ c_a θ_a of rows of velocity level (and of position level) that is integrable together with the others found.
struct IntegrableCombination {
  /// Integrability of ω = Σ c_a θ_a without the other combinations. Norms of quaternions hold in all cases.
  enum class Kind {
    kTotalDerivative,  ///< dω = 0: the rate of a function as it stands
    kByItself,         ///< ω ∧ dω = 0: with a factor
    kOnPositions,      ///< the same where the rows of position level hold
    kTogether          ///< not without other combinations: dω = 0 on the kernel of all of I^∞ alone
  };
  struct Part {
    int row = 0;             ///< in System::rows
    expr::Expr coefficient;  ///< of q and t
  };
  std::vector<Part> parts;  ///< the coefficient of one of velocity level is 1
  Kind kind = Kind::kTogether;
  std::vector<int> beside;  ///< of kTogether: rows of the other combinations that are not integrable by themselves
};

/// How much of a set of rows can be integrated: its derived flag.
///
///   I⁰ = span{θ_a},   I^(k+1) = {Σ c_a θ_a ∈ I^k : Σ c_a Zᵀ dθ_a Z = 0, Z a basis of ker I^k},   until it stands still
///
/// dim I^∞ combinations are integrable, the other dim I⁰ − dim I^∞ are nonholonomic. One step is not enough: dy − z dx,
/// dz − w dx have the flag 2, 1, 0. Rows linear or affine in the velocities take part, with all rows of position level
/// and norms of quaternions, which are closed.
/// Combinations are found as expressions, by elimination; what vanishes is an expression that is 0 by its form, or else
/// one whose numbers at the probes are rounding. Rows that share no variable with others are searched apart. A set
/// whose combinations grow too large is given up, and the whole with it. Source: [S] 3.5; Bryant et al., Exterior
/// Differential Systems, II §4; theory.md §2.
struct DerivedFlag {
  std::vector<int> dimensions;  ///< of I⁰, I¹, … I^∞; empty where no row of velocity level takes part
  std::vector<IntegrableCombination> combinations;  ///< of I^∞ beyond rows of position level and norms
  bool is_by_form = true;  ///< everything that vanishes does so by its form; else at the probes
  int probes = 0;
  std::string not_sought;  ///< why nothing was looked for, or the search was given up; empty where it was done

  [[nodiscard]] int nonholonomic() const { return dimensions.empty() ? 0 : dimensions.front() - dimensions.back(); }
};

/// \param parameters  their values.  \param probes  [states][nq + 1] q and t, on the constraints, of the motion's own
/// size.  \param sizes  [nq + 1] typical sizes > 0 of q and t: what is chosen, ranked or compared is so over these.
/// Grows the System's graph.
[[nodiscard]] DerivedFlag derived_flag(const System& system, std::span<const double> parameters,
                                       const std::vector<std::vector<double>>& probes, std::span<const double> sizes);

}  // namespace vinculum::equations

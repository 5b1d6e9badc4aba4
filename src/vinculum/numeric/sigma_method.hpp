#pragma once

#include <limits>
#include <vector>

namespace vinculum::numeric {

/// Structural analysis of n equations f_i = 0 in n unknowns x_j(t) by Pryce's Σ-method.
///
/// σ_ij is the order of the highest derivative of x_j in f_i. Equation i must be differentiated c_i times. If J_ij =
/// ∂f_i^(c_i)/∂x_j^(d_j) is regular, it determines the derivatives of order d_j of the unknowns. The state is then x_j,
/// …, x_j^(d_j − 1), and satisfies f_i, …, f_i^(c_i − 1) = 0.
///
/// A transversal matches each equation to one unknown. The one with the greatest sum of σ is found first. The offsets c
/// and d are then the smallest integers with c ≥ 0, d_j − c_i ≥ σ_ij, and equality on the transversal.
///
/// Degrees of freedom: Σ d_j − Σ c_i. Pendulum x'' + λx = 0, y'' + λy = g, x² + y² = l²: c = (0, 0, 2), d = (2, 2, 0).
/// Source: Pryce, A simple structural analysis method for DAEs, BIT 41 (2001) 364–394, alg. 3.1; theory.md §6.5.
struct SigmaAnalysis {
  std::vector<int> transversal;  ///< [n] the unknown matched to each equation; empty if there is no transversal
  std::vector<int> c, d;         ///< [n] offsets of equations and of unknowns; empty if there is no transversal
  /// If no transversal exists: a set of equations that contain fewer unknowns than there are equations, and these
  /// unknowns.
  std::vector<int> equations, unknowns;

  [[nodiscard]] bool is_regular() const { return equations.empty(); }
};

/// σ_ij for an unknown that does not occur in the equation.
inline constexpr int kNotThere = std::numeric_limits<int>::min();

/// \param sigma  [n×n] row by row, kNotThere or ≥ 0.   \cost O(n³)
[[nodiscard]] SigmaAnalysis sigma_method(const std::vector<int>& sigma, int n);

}  // namespace vinculum::numeric

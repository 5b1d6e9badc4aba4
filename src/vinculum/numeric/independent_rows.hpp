#pragma once

#include <memory>

#include "vinculum/numeric/sparse_matrix.hpp"

namespace vinculum::numeric {

/// Rows A in the metric of M where they are far from depending on each other, at a price that goes with their entries:
///
///   M = L D Lᵀ in the order of the coordinates,   B = D^(−1/2) L⁻¹ Aᵀ,   P BᵀB Pᵀ = L' D' L'ᵀ in one of little fill
///
/// A pivot of BᵀB is the square of what is left of a row behind those before it, and has lost as many digits more: so
/// rows are told independent where each keeps `kWeakRow` of its square, M regular where each coordinate keeps
/// `kWeakMass` of its inertia. Where that is not so nothing is said, and the pivoted solver decides
/// (`solve::ConstrainedSolve`).   Source: Golub & Van Loan §5.3.2 (normal equations); Davis, Direct Methods, §4 and §7.
class IndependentRows {
 public:
  IndependentRows();
  ~IndependentRows();
  /// \param M [nu×nu] symmetric, its lower triangle is read.   \param At [nu×nc], a column for each row.
  /// \returns whether M is regular and the rows are independent, both beyond doubt; false for what is not finite.
  [[nodiscard]] bool factor(const SparseMatrix& M, const SparseMatrix& At);
  /// The smallest u, by uᵀ M u, with A u = d.   \pre factored, and true.   \param d [nc].   \returns [nu]
  [[nodiscard]] Vector least(ConstVector d) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// Whether each coordinate keeps this share of its diagonal entry in the elimination of a symmetric M in their order.
[[nodiscard]] bool is_regular(const SparseMatrix& M, double tol_pivot);

}  // namespace vinculum::numeric

#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/dimension.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::elaborate {

/// A matrix of scalar terms, row by row; a list is a matrix with one column. All functions below use the arithmetic of
/// terms, so derivatives of their results are exact. Structural zeros stay zero.
struct TermMatrix {
  int rows = 0, columns = 0;
  std::vector<model::Term> entries = {};

  [[nodiscard]] model::Term at(int row, int column) const {
    return entries[static_cast<std::size_t>(row * columns + column)];
  }
  [[nodiscard]] model::Term& at(int row, int column) {
    return entries[static_cast<std::size_t>(row * columns + column)];
  }
};

[[nodiscard]] TermMatrix transpose(const TermMatrix& a);
/// \pre a.columns == b.rows > 0
[[nodiscard]] TermMatrix product(const TermMatrix& a, const TermMatrix& b);

/// The largest rank that the matrix can have for any values of its entries that are not structural zeros.
[[nodiscard]] int structural_rank(const TermMatrix& a);

/// Rank of a matrix of numbers, given row by row: elimination with full pivoting after scaling rows and columns to size
/// one; pivots below 1e-12 count as zero.
[[nodiscard]] int numerical_rank(int rows, int columns, std::vector<double> entries);

/// A = QR, with Q [m × n] with orthonormal columns and R [n × n] upper triangular. Gram–Schmidt column by column with
/// double orthogonalization, so that Q is orthogonal up to rounding if A has full column rank. Source: Björck,
/// Numerical Methods for Least Squares Problems, §2.4.5. There is no pivoting: where A loses rank, a diagonal entry of
/// R passes through zero and quotients become infinite.
struct OrthogonalFactors {
  TermMatrix q, r;
};
/// \pre rows ≥ columns.   \returns nothing if a column structurally depends on the earlier ones.
[[nodiscard]] std::optional<OrthogonalFactors> orthogonal_factors(const TermMatrix& a);

/// Moore–Penrose inverse of a matrix of full row or column rank: R⁻¹Qᵀ with A = QR, or Q R⁻ᵀ with Aᵀ = QR.
/// \returns nothing if the structural rank is not full.
[[nodiscard]] std::optional<TermMatrix> pseudo_inverse(const TermMatrix& a);
/// The X with A X = B, A square.  \returns nothing if A is structurally singular.
[[nodiscard]] std::optional<TermMatrix> solve(const TermMatrix& a, const TermMatrix& b);

/// Dimensions of the rows and columns of a matrix: entry (i, j) of a matrix that maps unknowns of dimensions `columns`
/// to results of dimensions `rows` has the dimension rows[i]/columns[j], as in a Jacobian with translations and
/// rotations.
struct Scaling {
  std::vector<Dimension> rows, columns;
};
/// \param fits_any  for each entry, row by row: whether it is zero and so fits any dimension.
/// \returns nothing if the dimensions are not of this form. Parts of the matrix that share no entry are scaled
///          separately; the first row of each part is taken as dimensionless.
[[nodiscard]] std::optional<Scaling> find_scaling(int rows, int columns, const std::vector<Dimension>& entries,
                                                  const std::vector<bool>& fits_any);

}  // namespace vinculum::elaborate

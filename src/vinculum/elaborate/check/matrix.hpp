#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/dimension.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::elaborate {

/// A matrix of scalar terms, row by row; a list is a matrix with one column. All functions below compute with terms, so
/// derivatives of their results are exact. Entries that are 0 by form stay 0.
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

/// The largest rank that the matrix can have for any values of those entries that are not 0 by form.
[[nodiscard]] int structural_rank(const TermMatrix& a);

/// Rank of a matrix of numbers, given row by row. Rows and columns are scaled to size 1 and eliminated with full
/// pivoting; pivots below 1e-12 count as zero.
[[nodiscard]] int numerical_rank(int rows, int columns, std::vector<double> entries);

/// Factors A = QR of a matrix A [m × n]: Q [m × n] has orthonormal columns, and R [n × n] is upper triangular.
/// Gram–Schmidt, column by column and with double orthogonalization, so Q is orthogonal up to rounding errors if A has
/// full column rank. Without pivoting: where A loses rank, a diagonal entry of R passes through zero and quotients
/// become infinite.
///
/// Source: Björck, Numerical Methods for Least Squares Problems, §2.4.5.
struct OrthogonalFactors {
  TermMatrix q, r;
};
/// \pre A has at least as many rows as columns.   \returns nothing if a column depends on earlier columns by its form.
[[nodiscard]] std::optional<OrthogonalFactors> orthogonal_factors(const TermMatrix& a);

/// Moore–Penrose inverse of a matrix of full row or column rank: R⁻¹Qᵀ with A = QR, or Q R⁻ᵀ with Aᵀ = QR.
/// \returns nothing if the structural rank is not full.
[[nodiscard]] std::optional<TermMatrix> pseudo_inverse(const TermMatrix& a);
/// The solution X of A X = B, A square.  \returns nothing if A is structurally singular.
[[nodiscard]] std::optional<TermMatrix> solve(const TermMatrix& a, const TermMatrix& b);

/// Dimensions of the rows and columns of a matrix that maps unknowns to results. Entry (i, j) has the dimension of
/// result i, rows[i], divided by that of unknown j, columns[j]. Example: a Jacobian with translations and rotations.
struct Scaling {
  std::vector<Dimension> rows, columns;
};
/// \param fits_any  for each entry, row by row: whether it is zero and so fits any dimension.
/// \returns nothing if the dimension of some entry (i, j) is not rows[i] / columns[j]. Blocks of the matrix that share
/// no row and no column are scaled separately; the first row of each block is taken as dimensionless.
[[nodiscard]] std::optional<Scaling> find_scaling(int rows, int columns, const std::vector<Dimension>& entries,
                                                  const std::vector<bool>& fits_any);

}  // namespace vinculum::elaborate

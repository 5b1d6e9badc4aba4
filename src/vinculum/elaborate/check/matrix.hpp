#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/dimension.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::elaborate {

/// A matrix of scalar terms, row by row; a list is one of a single column. Everything below is made of the terms' own
/// arithmetic, so that derivatives of the results are exact. Entries that are zero by structure stay zero.
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

/// The largest rank that any values of the entries that are not zero by structure can give.
[[nodiscard]] int structural_rank(const TermMatrix& a);

/// Rank of a matrix of numbers, given row by row: elimination with full pivoting of rows and columns scaled to size
/// one; what is left below 1e-12 counts as zero.
[[nodiscard]] int numerical_rank(int rows, int columns, std::vector<double> entries);

/// A = QR, Q [m × n] with orthonormal columns, R [n × n] upper triangular: Gram–Schmidt column by column, each
/// orthogonalised twice, so that Q is orthogonal to rounding as long as A has full column rank. Source: Björck,
/// Numerical Methods for Least Squares Problems, §2.4.5. There is no pivoting: where A loses rank, a diagonal entry of
/// R passes through zero and what is divided by it is not finite.
struct OrthogonalFactors {
  TermMatrix q, r;
};
/// \pre rows ≥ columns.   \returns nothing where a column depends on those before by structure.
[[nodiscard]] std::optional<OrthogonalFactors> orthogonal_factors(const TermMatrix& a);

/// Moore–Penrose inverse of a matrix of full row or full column rank: R⁻¹Qᵀ of A = QR, or Q R⁻ᵀ of Aᵀ = QR.
/// \returns nothing where the rank cannot be full by structure.
[[nodiscard]] std::optional<TermMatrix> pseudo_inverse(const TermMatrix& a);
/// X of A X = B, A square.  \returns nothing where A is singular by structure.
[[nodiscard]] std::optional<TermMatrix> solve(const TermMatrix& a, const TermMatrix& b);

/// What is measured in what: entry (i, j) of a matrix that maps unknowns of dimensions `columns` to results of
/// dimensions `rows` is of dimension rows[i]/columns[j], as of a Jacobian of translations and rotations.
struct Scaling {
  std::vector<Dimension> rows, columns;
};
/// \param fits_any  entries, row by row, that are zero and so of any dimension.
/// \returns nothing where the dimensions are of no such form. Parts of the matrix that share no entry are measured each
/// on their own,
///          from the first row of the part, which is taken to be dimensionless.
[[nodiscard]] std::optional<Scaling> find_scaling(int rows, int columns, const std::vector<Dimension>& entries,
                                                  const std::vector<bool>& fits_any);

}  // namespace vinculum::elaborate

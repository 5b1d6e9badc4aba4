#pragma once

#include <string>
#include <vector>

#include "vinculum/linear/modes.hpp"
#include "vinculum/report/tree.hpp"

/// Parts of the reports about linear systems.
namespace vinculum::report {

inline constexpr Eigen::Index kMostPrinted = 12;  ///< rows and columns of a matrix, and modes, that text shows

/// A quantity of a linear system.
struct Named {
  std::string name, unit;  ///< SI unit, "1" if there is none
};
[[nodiscard]] std::vector<std::string> names_of(const std::vector<Named>& all);
[[nodiscard]] Node named_node(const std::vector<Named>& all);

/// "x1 1, y2 0.5 at 90 deg": the components of a mode by decreasing amplitude.
/// \param relative  magnitudes of the components, by which they are selected
[[nodiscard]] std::string shape_text(const std::vector<Named>& components, const linear::ComplexVector& shape,
                                     const Vector& relative);
/// The matrix as a table with the names of its rows and columns; its size alone if it is large; empty without entries.
[[nodiscard]] std::string named_matrix_text(const char* name, const Matrix& matrix,
                                            const std::vector<std::string>& rows,
                                            const std::vector<std::string>& columns);
/// A matrix with the names of its rows and columns.
[[nodiscard]] Table matrix_table(const Matrix& matrix, std::vector<std::string> rows,
                                 const std::vector<std::string>& columns);
[[nodiscard]] Node matrix_node(const Matrix& matrix);
[[nodiscard]] Node complex_node(const linear::ComplexVector& values);
/// Word for the cause of a zero eigenvalue, as in JSON.
[[nodiscard]] std::string_view word_of(linear::ZeroEigenvalue::Why why);
/// Direction of a zero eigenvalue [variables].
[[nodiscard]] Vector direction_of(const linear::ZeroEigenvalue& zero, Eigen::Index variables);

}  // namespace vinculum::report

#pragma once

#include <span>
#include <vector>

#include "vinculum/equations/pfaffian_forms.hpp"

namespace vinculum::equations {

/// Scales of the columns of a matrix of differential forms. After scaling by `size`, a variable x_j, or the coefficient
/// of a form, is of order 1.
struct Columns {
  std::vector<double> size;
  /// Dimensions of the columns. A quotient of two entries may become a number only if it is dimensionless
  std::vector<Dimension> dimension;
};

/// A set of forms that share no variable with other forms.
struct FormPart {
  PfaffianForms read;
  Columns x;  ///< [nq + 1] scales of the variables q and t
};

/// Splits forms into sets that share no variable. Each set has its own derived flag; the derived flag of all forms is
/// the sum of these flags.
/// \param sizes  [nq + 1] typical magnitudes > 0 of q and t
[[nodiscard]] std::vector<FormPart> independent_parts(const PfaffianForms& all, std::span<const double> sizes);

}  // namespace vinculum::equations

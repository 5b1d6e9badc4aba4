#pragma once

#include <span>
#include <vector>

#include "vinculum/equations/pfaffian_forms.hpp"

namespace vinculum::equations {

/// Scales of the columns of a matrix of forms. After division by `size`, x_j (or a coefficient of a form) is of order
/// 1.
struct Columns {
  std::vector<double> size;
  std::vector<Dimension>
      dimension;  ///< dimensions: a quotient of entries may become a number only if it is dimensionless
};

/// A set of forms that share variables only with each other.
struct FormPart {
  PfaffianForms read;
  Columns x;  ///< [nq + 1]
};

/// Splits forms into sets that share no variable. Each set has its own derived flag; the derived flag of all forms is
/// the sum of these flags.
/// \param sizes  [nq + 1] typical sizes > 0 of q and t.
[[nodiscard]] std::vector<FormPart> independent_parts(const PfaffianForms& all, std::span<const double> sizes);

}  // namespace vinculum::equations

#pragma once

#include <span>
#include <vector>

#include "vinculum/equations/pfaffian_forms.hpp"

namespace vinculum::equations {

/// How entries of a column are measured: over `size`, in which x_j, or the inverse of a form, is of order 1.
struct Columns {
  std::vector<double> size;
  std::vector<Dimension> dimension;  ///< a quotient of entries is a plain number where two of them are one
};

/// Forms that share variables among each other alone.
struct FormPart {
  PfaffianForms read;
  Columns x;  ///< [nq + 1]
};

/// Sets of forms that share no variable: each has a flag of its own, and the flag of all is their sum.
/// \param sizes  [nq + 1] typical sizes > 0 of q and t.
[[nodiscard]] std::vector<FormPart> independent_parts(const PfaffianForms& all, std::span<const double> sizes);

}  // namespace vinculum::equations

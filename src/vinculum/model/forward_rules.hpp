#pragma once

#include <functional>

#include "vinculum/model/term.hpp"

namespace vinculum::model {

/// Derivative of a term that has operands from the derivatives of these: sum, product and chain rule of scalars and
/// vectors. What the derivative is taken by, time or a displacement, is the leaves' affair.
/// \pre not kPartial, kRate, and every operand's derivative is valid.
[[nodiscard]] Term derivative_by_operands(Term term, const std::function<Term(Term)>& derivative_of);

}  // namespace vinculum::model

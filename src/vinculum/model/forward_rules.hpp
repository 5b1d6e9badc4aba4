#pragma once

#include <functional>

#include "vinculum/model/term.hpp"

namespace vinculum::model {

/// Computes the derivative of a term from the derivatives of its operands, by the sum, product and chain rules for
/// scalars and vectors. The rules are the same for derivatives with respect to time and with respect to a displacement;
/// only the derivatives of leaves differ.
/// \pre the term is not of kind kPartial or kRate, and every operand's derivative is valid
[[nodiscard]] Term derivative_by_operands(Term term, const std::function<Term(Term)>& derivative_of);

}  // namespace vinculum::model

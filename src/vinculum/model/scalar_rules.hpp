#pragma once

#include <array>
#include <optional>

#include "vinculum/model/term.hpp"

namespace vinculum::model {

/// A scalar that equals one of two other scalars, depending on a condition: `select`, `min`, `max`.
struct Branch {
  Term condition, if_true, if_false;
};
[[nodiscard]] std::optional<Branch> branch_of(Term term);

/// ∂f/∂x_i for each operand x_i of a scalar term f of kind kFunction or kTable that is not a Branch. Entries after the
/// last operand are invalid. Conditions, `sign` and `floor` count as locally constant. The derivative of `abs` is
/// `sign`, which is 0 at 0.
[[nodiscard]] std::array<Term, 3> partial_derivatives(Term function);

}  // namespace vinculum::model

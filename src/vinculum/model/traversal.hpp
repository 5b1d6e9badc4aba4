#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/model/term.hpp"

namespace vinculum::model {

/// Every term below `root`, itself last, each once: operands before their users. Depth costs no stack.
[[nodiscard]] std::vector<Term> in_order(Term root);
/// The same without terms that are known, and what only they hold.
[[nodiscard]] std::vector<Term> in_order(Term root, const std::function<bool(Term)>& is_known);

/// The leaves of a term as they are met when it is read from left to right, each once.
[[nodiscard]] std::vector<Term> leaves_as_read(Term root);

/// The same operation on other operands, simplified again. \param operands  as many as the term has; a leaf is returned
/// as it is.
[[nodiscard]] Term with_operands(Term term, std::span<const Term> operands);

}  // namespace vinculum::model

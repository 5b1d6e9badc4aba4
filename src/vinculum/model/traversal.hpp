#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/model/term.hpp"

namespace vinculum::model {

/// All subterms of `root`, each one once. Operands precede the terms that use them, so `root` is last. Not recursive.
[[nodiscard]] std::vector<Term> in_order(Term root);
/// The subterms of `root` without the known terms, and without subterms that occur only in known terms.
[[nodiscard]] std::vector<Term> in_order(Term root, const std::function<bool(Term)>& is_known);

/// The leaves of a term in the order in which its text names them, each one once.
[[nodiscard]] std::vector<Term> leaves_as_read(Term root);

/// The operation of `term` applied to other operands, simplified again. A leaf is returned unchanged.
/// \param operands  as many as the term has
[[nodiscard]] Term with_operands(Term term, std::span<const Term> operands);

}  // namespace vinculum::model

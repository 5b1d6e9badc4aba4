#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/model/term.hpp"

namespace vinculum::model {

/// All subterms of `root`, each once, operands before users, `root` last. Not recursive.
[[nodiscard]] std::vector<Term> in_order(Term root);
/// As above, without known terms and the subterms that occur only in them.
[[nodiscard]] std::vector<Term> in_order(Term root, const std::function<bool(Term)>& is_known);

/// The leaves of a term in the order of reading from left to right, each once.
[[nodiscard]] std::vector<Term> leaves_as_read(Term root);

/// The same operation applied to other operands, simplified again. \param operands  as many as the term has; a leaf is
/// returned unchanged.
[[nodiscard]] Term with_operands(Term term, std::span<const Term> operands);

}  // namespace vinculum::model

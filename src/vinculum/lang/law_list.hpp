#pragma once

#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/law_form.hpp"

namespace vinculum::lang {

/// `kappa = 10, 100` or `kappa = 1e1..1e4` of a law in a list of laws; of a start with rates `mu' = 2` too.
struct ListedArgument {
  Name name;
  int order = 0;                      ///< primes behind the name
  std::vector<ExpressionPtr> values;  ///< one or more; of a range its two ends
  bool is_range = false;
  SourceRange range;  ///< of the values
};

/// A law in one word with its arguments in brackets: `NAME(c = 2, mu = 0.5)`.
struct LawText {
  Name law;                               ///< a word of the table, or `stated`: the clauses that the constraint has
  std::vector<ListedArgument> arguments;  ///< of the law's own, each once; those it cannot do without are there
  SourceRange range;
};

/// laws = law { "," law }
/// law = NAME [ "(" [ argument { "," argument } ] ")" ]
/// argument = NAME { "'" } "=" ( expression { "," expression } | expression ".." expression )
///
/// Laws and their arguments are those of the forms; values of several rows are a list, `mu = [1, 2]`.
/// \param part  where the list stands in `source`: ranges are those of the source.
/// \returns empty after an error, which is in the sink.
[[nodiscard]] std::vector<LawText> parse_law_list(const diag::SourceText& source, SourceRange part, LawForms laws,
                                                  diag::Sink& sink);

}  // namespace vinculum::lang

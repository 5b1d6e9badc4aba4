#pragma once

#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/law_form.hpp"

namespace vinculum::lang {

/// An argument of a law in a list of laws: `kappa = 10, 100` or `kappa = 1e1..1e4`. A start value may be that of a
/// derivative, `mu' = 2`.
struct ListedArgument {
  Name name;
  int order = 0;                      ///< number of primes after the name
  std::vector<ExpressionPtr> values;  ///< at least one; for a range `a..b` its two ends
  bool is_range = false;
  SourceRange range;  ///< range of the values in the source
};

/// A law with its arguments in brackets: `NAME(c = 2, mu = 0.5)`.
struct LawText {
  Name law;  ///< a law's word in the table, or `stated`: the law and the clauses that the model states
  std::vector<ListedArgument> arguments;  ///< each at most once; required arguments are present
  SourceRange range;
};

/// laws = law { "," law }
/// law = NAME [ "(" [ argument { "," argument } ] ")" ]
/// argument = NAME { "'" } "=" ( expression { "," expression } | expression ".." expression )
///
/// Laws and arguments must have a form in `laws`. Values for several rows of a constraint are a list, `mu = [1, 2]`.
/// \param part  range of the list in `source`; ranges in the result refer to the whole source.
/// \returns empty after an error, which has been reported to the sink.
[[nodiscard]] std::vector<LawText> parse_law_list(const diag::SourceText& source, SourceRange part, LawForms laws,
                                                  diag::Sink& sink);

}  // namespace vinculum::lang

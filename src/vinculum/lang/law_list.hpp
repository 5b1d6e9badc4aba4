#pragma once

#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/law_form.hpp"

namespace vinculum::lang {

/// An argument of a law in a list of laws: `kappa = 10, 100` or `kappa = 1e1..1e4`; for a start also rates, `mu' = 2`.
struct ListedArgument {
  Name name;
  int order = 0;                      ///< number of primes after the name
  std::vector<ExpressionPtr> values;  ///< one or more; for a range its two ends
  bool is_range = false;
  SourceRange range;  ///< range of the values in the source
};

/// A law with its arguments in brackets: `NAME(c = 2, mu = 0.5)`.
struct LawText {
  Name law;                               ///< a word of the table, or `stated`: the law and clauses in the model
  std::vector<ListedArgument> arguments;  ///< each at most once; required arguments are present
  SourceRange range;
};

/// laws = law { "," law }
/// law = NAME [ "(" [ argument { "," argument } ] ")" ]
/// argument = NAME { "'" } "=" ( expression { "," expression } | expression ".." expression )
///
/// Laws and arguments are those of the forms. Values for several rows are a list, `mu = [1, 2]`.
/// \param part  range of the list in `source`; all ranges refer to the source.
/// \returns empty after an error, which has been reported to the sink.
[[nodiscard]] std::vector<LawText> parse_law_list(const diag::SourceText& source, SourceRange part, LawForms laws,
                                                  diag::Sink& sink);

}  // namespace vinculum::lang

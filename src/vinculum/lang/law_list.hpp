#pragma once

#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// `kappa = 10, 100` or `kappa = 1e1..1e4` of a law in a list of laws.
struct LawArgument {
  Name name;
  std::vector<ExpressionPtr> values;  ///< one or more; of a range its two ends
  bool is_range = false;
  SourceRange range;  ///< of the values
};

/// A law in one word with its arguments in brackets: `kozlov(c = 2, mu = 0.5)`.
struct LawText {
  Name law;                            ///< a name of `law_table()`, or `stated`: the clauses that the constraint has
  std::vector<LawArgument> arguments;  ///< of the law's own, each once; those it cannot do without are there
  SourceRange range;
};

/// laws = law { "," law }
/// law = NAME [ "(" [ argument { "," argument } ] ")" ]
/// argument = NAME "=" ( expression { "," expression } | expression ".." expression )
///
/// Arguments and laws: vakonomic (mu), kozlov (c, mu), adiabatic (mu), gyroscopic (H), stiff, viscous, inertial
/// (kappa), directed (along); values of several rows are a list, `mu = [1, 2]`.
/// \param part  where the list stands in `source`: ranges are those of the source.
/// \returns empty after an error, which is in the sink.
[[nodiscard]] std::vector<LawText> parse_law_list(const diag::SourceText& source, SourceRange part, diag::Sink& sink);

}  // namespace vinculum::lang

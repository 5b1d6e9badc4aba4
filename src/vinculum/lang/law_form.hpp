#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::lang {

/// An argument that a law has in text: `kappa = EXPR`, `along VEC, …`, or `start mu = EXPR, …`.
struct LawArgumentForm {
  std::string_view word;            ///< "kappa"
  std::string_view value = "EXPR";  ///< what stands for a value in texts
  bool is_list = false;             ///< several values, one for each row
  bool has_equals = true;           ///< else the values follow the word
  bool is_start = false;            ///< stands behind `start`, which may be left out
  bool has_rates = false;           ///< of a start: `mu' = …`, `mu'' = …` may follow
  bool has_states = false;          ///< of a start: `mu(z) = …` of a state may follow
  bool is_ladder = false;           ///< with values that rise or fall the law may have a limit
};

/// A law as text has it: all that parser, formatter and messages need. The laws that there are come in a table from
/// whoever reads text (reaction_laws/law_table.hpp).
struct LawForm {
  std::string_view word;                   ///< `law WORD …`
  std::string_view meaning;                ///< one line
  std::vector<LawArgumentForm> arguments;  ///< in their order; those of a start last
};
using LawForms = std::span<const LawForm>;

/// The row of that word, or null.
[[nodiscard]] const LawForm* find_law(LawForms laws, std::string_view word);
/// As in the reference: "law NAME c = EXPR [start mu = EXPR, ...]".
[[nodiscard]] std::string clause_syntax(const LawForm& law);
/// As in a list of laws: "NAME(c=EXPR, mu=EXPR)".
[[nodiscard]] std::string list_syntax(const LawForm& law);

}  // namespace vinculum::lang

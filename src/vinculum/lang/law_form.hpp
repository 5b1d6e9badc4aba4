#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::lang {

/// An argument of a reaction law in model text: `kappa = EXPR`, `along VEC, …`, or `start mu = EXPR, …`.
struct LawArgumentForm {
  std::string_view word;            ///< "kappa"
  std::string_view value = "EXPR";  ///< stands for the value in messages
  bool is_list = false;             ///< several values, one for each scalar equation of the constraint
  bool has_equals = true;           ///< an `=` is between the word and its values
  bool is_start = false;            ///< the argument is optional and follows `start`
  bool has_rates = false;   ///< for a start value: start values of derivatives, `mu' = …`, `mu'' = …`, may follow
  bool has_states = false;  ///< for a start value: `mu(z) = …` for a state z may follow
  bool is_ladder = false;   ///< as these values rise or fall the law may approach a limit, which `compare` looks for
};

/// The textual form of a reaction law: all that parser, formatter and messages need. The table of laws is an argument
/// of the functions that read text (reaction_laws/law_table.hpp).
struct LawForm {
  std::string_view word;                   ///< `law WORD …`
  std::string_view meaning;                ///< one line
  std::vector<LawArgumentForm> arguments;  ///< in order; start arguments last
};
using LawForms = std::span<const LawForm>;

/// The form of the law with that word, or null.
[[nodiscard]] const LawForm* find_law(LawForms laws, std::string_view word);
/// Syntax as in the reference: "law NAME c = EXPR [start mu = EXPR, ...]".
[[nodiscard]] std::string clause_syntax(const LawForm& law);
/// Syntax in a list of laws: "NAME(c=EXPR, mu=EXPR)".
[[nodiscard]] std::string list_syntax(const LawForm& law);

}  // namespace vinculum::lang

#include "vinculum/lang/law_form.hpp"

#include <algorithm>

namespace vinculum::lang {

const LawForm* find_law(LawForms laws, std::string_view word) {
  const auto row = std::ranges::find(laws, word, &LawForm::word);
  return row == laws.end() ? nullptr : &*row;
}

std::string clause_syntax(const LawForm& law) {
  std::string text = "law " + std::string(law.word);
  for (const LawArgumentForm& argument : law.arguments) {
    const std::string value = std::string(argument.value) + (argument.is_list ? ", ..." : ""), word(argument.word);
    if (argument.is_start)
      text += " [start " + word + " = " + value + (argument.has_rates ? ", " + word + "' = " + value : "") +
              (argument.has_states ? ", " + word + "(STATE) = EXPR" : "") + "]";
    else
      text += " " + word + (argument.has_equals ? " = " : " ") + value;
  }
  return text;
}

std::string list_syntax(const LawForm& law) {
  std::string text(law.word), separator = "(";
  for (const LawArgumentForm& argument : law.arguments) {
    text += separator + std::string(argument.word) + "=" + std::string(argument.value);
    separator = ", ";
    if (argument.has_rates) text += separator + std::string(argument.word) + "'=" + std::string(argument.value);
  }
  return law.arguments.empty() ? text : text + ")";
}

}  // namespace vinculum::lang

#pragma once

#include <span>
#include <string_view>

namespace vinculum::lang {

enum class Support { kYes, kLater };  ///< kLater: a part of the language that this version reports as `kNotSupported`

/// A word that begins a statement (`statement_table`) or a clause of a constraint (`clause_table`). One row each; docs,
/// help and messages follow from it. Laws have a table of their own (lang/law_form.hpp).
struct KeywordInfo {
  std::string_view word;
  Support support;
  std::string_view syntax;        ///< as in the reference, `coord q1, q2 [unit]`
  std::string_view meaning;       ///< one line
  std::string_view instead = {};  ///< kLater: what can be written until then
};

[[nodiscard]] std::span<const KeywordInfo> statement_table();
[[nodiscard]] std::span<const KeywordInfo> clause_table();
/// What begins an item of a `view`, and nothing elsewhere.
[[nodiscard]] std::span<const KeywordInfo> view_table();

/// The row of that word, or null.
[[nodiscard]] const KeywordInfo* find_statement(std::string_view word);
[[nodiscard]] const KeywordInfo* find_clause(std::string_view word);
[[nodiscard]] const KeywordInfo* find_view_item(std::string_view word);

/// Operators that are words, and can never be names: `and or not if else`.
[[nodiscard]] bool is_word_operator(std::string_view word);

/// Words that join the parts of an expression or a statement: the operators, and `in on at from along about`.
[[nodiscard]] bool is_connective(std::string_view word);

/// Whether a declaration may not take this name: `t`, `pi` and the operators. All other words of the language, names of
/// functions included, mean what is declared wherever a statement's form does not ask for the word itself.
[[nodiscard]] bool is_reserved(std::string_view word);

}  // namespace vinculum::lang

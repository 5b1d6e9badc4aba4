#pragma once

#include <span>
#include <string_view>

namespace vinculum::lang {

enum class Support { kYes, kLater };  ///< kLater: a part of the language that this version reports as `kNotSupported`

/// A word that begins a statement (`statement_table`) or a clause of a constraint (`clause_table`). The docs, the help
/// and the messages use these texts. Reaction laws have their own table (lang/law_form.hpp).
struct KeywordInfo {
  std::string_view word;
  Support support;
  std::string_view syntax;        ///< as in the reference: `coord q1, q2 [unit]`
  std::string_view meaning;       ///< one line
  std::string_view instead = {};  ///< for kLater: what to write until the word is supported
};

[[nodiscard]] std::span<const KeywordInfo> statement_table();
[[nodiscard]] std::span<const KeywordInfo> clause_table();
/// Words that begin an item of a `view`; they have no meaning elsewhere.
[[nodiscard]] std::span<const KeywordInfo> view_table();
/// The word that a spelling means: `color` for `colour`, otherwise the word itself.
[[nodiscard]] std::string_view canonical_word(std::string_view word);

/// The row of the word, or null.
[[nodiscard]] const KeywordInfo* find_statement(std::string_view word);
[[nodiscard]] const KeywordInfo* find_clause(std::string_view word);
[[nodiscard]] const KeywordInfo* find_view_item(std::string_view word);

/// Operators that are words, and words that join the parts of a statement: `at`, `from`, …
[[nodiscard]] std::span<const std::string_view> word_operators();
[[nodiscard]] std::span<const std::string_view> connectives();

/// Whether the word is an operator, which can never be a name: `and or not if else`.
[[nodiscard]] bool is_word_operator(std::string_view word);

/// Whether the word joins the parts of an expression or a statement: an operator, or one of `in on at from along
/// about`.
[[nodiscard]] bool is_connective(std::string_view word);

/// Whether a declaration may not use this name: `t`, `pi` and the operators that are words. All other words of the
/// language, including function names, may be declared. They then have the declared meaning, except where the form of a
/// statement requires the word.
[[nodiscard]] bool is_reserved(std::string_view word);

}  // namespace vinculum::lang

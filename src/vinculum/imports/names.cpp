#include "vinculum/imports/names.hpp"

#include <algorithm>
#include <array>

#include "vinculum/lang/keywords.hpp"

namespace vinculum::imports {
namespace {

/// Words with a meaning in the texts that are written: declared there, or used as axes and functions.
constexpr std::array<std::string_view, 9> kUsed = {"N", "O", "g", "x", "y", "z", "dot", "omega", "max"};

bool is_word_of_language(std::string_view name) {
  return lang::is_reserved(name) || lang::is_connective(name) || lang::find_statement(name) != nullptr ||
         lang::find_clause(name) != nullptr || lang::find_view_item(name) != nullptr;
}

bool is_letter_or_digit(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_';
}

}  // namespace

bool Names::is_free(const std::string& name) const {
  return !taken_.contains(name) && std::ranges::find(kUsed, name) == kUsed.end() && !is_word_of_language(name);
}

std::string Names::take(std::string_view wanted, std::string_view suffix) {
  std::string name;
  for (const char c : wanted) {
    const bool is_inside_character = (c & 0xC0) == 0x80;  // a further byte of UTF-8
    if (!is_inside_character) name += is_letter_or_digit(c) ? c : '_';
  }
  if (name.empty() || ('0' <= name.front() && name.front() <= '9')) name.insert(0, 1, '_');
  if (!is_free(name)) name += suffix;
  const std::string first = name;
  for (int number = 2; !is_free(name); ++number) name = first + "_" + std::to_string(number);
  taken_.insert(name);
  return name;
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '"' ? '\'' : static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
  return line;
}

}  // namespace vinculum::imports

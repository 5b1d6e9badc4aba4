#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "vinculum/lang/statement_parser.hpp"
#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

void note_names_at_fault(std::span<const Token> tokens, ModelFile& file) {
  const auto semicolon = std::ranges::find_if(tokens, [](const Token& token) { return token.is_symbol(";"); });
  if (semicolon != tokens.end() && semicolon != tokens.begin() && semicolon + 1 != tokens.end()) {
    const auto count = static_cast<std::size_t>(semicolon - tokens.begin());
    note_names_at_fault(tokens.first(count), file);
    return note_names_at_fault(tokens.subspan(count + 1), file);
  }
  const Token& head = tokens.front();
  std::string keyword(head.text);
  if (head.kind == TokenKind::kName && find_statement(keyword) == nullptr)
    keyword = diag::nearest_name(keyword, words_of(statement_table()));
  const bool is_unknown = keyword.empty();
  // A statement of another language, or one that only a later version supports, may declare any of its words.
  const KeywordInfo* info = is_unknown ? nullptr : find_statement(keyword);
  const bool may_declare_any = is_unknown || (info != nullptr && info->support == Support::kLater);
  if (is_unknown && tokens.size() > 1 && tokens[1].is_symbol("=")) {
    file.names_at_fault.push_back({std::string(head.text), head.range});
  }
  if (keyword == "include" && !file.names_lost_from) file.names_lost_from = head.range.begin;
  if (keyword == "view") return;
  if (keyword == "component") {
    if (tokens.size() > 1 && tokens[1].kind == TokenKind::kName)
      file.names_at_fault.push_back({std::string(tokens[1].text), tokens[1].range});
    return;
  }
  const bool is_opaque = head.kind != TokenKind::kName || may_declare_any || is_one_of(keyword, {"for", "if"});

  const bool declares_one = is_one_of(
      keyword, {"let", "frame", "point", "particle", "body", "constraint", "joint", "reveal", "output", "state"});
  const bool declares_by_equals = is_unknown || is_one_of(keyword, {"param", "speed"});
  int depth = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is_symbol("(") || token.is_symbol("[") || token.is_symbol("{")) ++depth;
    if (token.is_symbol(")") || token.is_symbol("]") || token.is_symbol("}")) --depth;
    if (token.kind != TokenKind::kName) continue;
    const bool is_before_equals = i + 1 < tokens.size() && tokens[i + 1].is_symbol("=");
    const bool is_first = i == 1 && (declares_one || declares_by_equals);
    const bool is_alias = keyword == "use" && tokens[i - 1].is_name("as");
    if (keyword == "limits") {
      for (const std::string_view end : {".min", ".max"})
        file.names_at_fault.push_back({std::string(token.text) + std::string(end), token.range});
    }
    if (is_opaque || is_first || is_alias || (declares_by_equals && is_before_equals) ||
        (keyword == "coord" && depth <= 0)) {
      file.names_at_fault.push_back({std::string(token.text), token.range});
    }
  }
}

}  // namespace vinculum::lang

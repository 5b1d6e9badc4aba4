#include "vinculum/lang/lexer.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "vinculum/base/unit.hpp"
#include "vinculum/diag/hints.hpp"
#include "vinculum/diag/utf8.hpp"

namespace vinculum::lang {
namespace {

using diag::Character;
using diag::Kind;
using diag::SourceRange;

constexpr int kTabStop = 8;
constexpr std::string_view kPlusMinus = "±";
constexpr std::array<std::string_view, 5> kLongSymbols = {"==", "!=", "<=", ">=", ".."};
constexpr std::string_view kShortSymbols = "+-*/^=<>~,:;.()[]{}|";
constexpr std::size_t kLongestSpellingShown = 40;
constexpr std::size_t kLongestQuote = 200;  // longest text [bytes] in typographic quotes that is reported as one error

bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }

constexpr std::string_view kMicro = "\xC2\xB5", kGreekMu = "\xCE\xBC";

struct LookAlike {
  std::uint32_t first, last;  // code points
  std::string_view hint;
};

// Characters that word processors insert instead of the plain characters of the language.
constexpr LookAlike kLookAlikes[] = {
    {0x2018, 0x2018, "strings are written in plain double quotes \""},
    {0x2019, 0x2019, "the prime of a derivative is the plain '"},
    {0x2032, 0x2032, "the prime of a derivative is the plain '"},
    {0x201C, 0x201F, "strings are written in plain double quotes \""},
    {0x00AB, 0x00AB, "strings are written in plain double quotes \""},
    {0x00BB, 0x00BB, "strings are written in plain double quotes \""},
    {0x00B7, 0x00B7, "multiply with *"},
    {0x00D7, 0x00D7, "multiply with *"},
    {0x22C5, 0x22C5, "multiply with *"},
    {0x00B2, 0x00B3, "write powers with ^, as in x^2"},
    {0x2264, 0x2264, "write <="},
    {0x2265, 0x2265, "write >="},
    {0x2260, 0x2260, "write !="},
    {0x2010, 0x2015, "the minus sign is -"},
    {0x00A0, 0x00A0, "this is a no-break space; use a plain one"},
    {0x00B0, 0x00B0, "write the unit [deg], as in 90 [deg]"},
    {0x00B5, 0x00B5, "micro is a prefix of units only: [µm]"},
    {0x03BC, 0x03BC, "micro is a prefix of units only: [μm]"},
    {0x03C0, 0x03C0, "write pi"},
    {0x0370, 0x03FF, "names are made of the letters a to z, A to Z, digits and _"},
    {0x00C0, 0x024F, "names are made of the letters a to z, A to Z, digits and _"},
};

std::string hint_for(std::uint32_t code_point) {
  for (const LookAlike& row : kLookAlikes) {
    if (row.first <= code_point && code_point <= row.last) return std::string(row.hint);
  }
  switch (code_point) {
    case '\'': return "primes directly follow a coordinate or a speed";
    case '&': return "write `and`";
    case '?': return "a choice is written `A if CONDITION else B`";
    case '!': return "write `not`, or != for `differs from`";
    default: return {};
  }
}

class Lexer {
 public:
  Lexer(const diag::SourceText& source, SourceRange part, diag::Sink& sink)
      : text_(source.slice({0, part.end})), sink_(sink), at_(part.begin) {}

  LexedText run() {
    if (text_.substr(at_).starts_with("\xEF\xBB\xBF")) at_ += 3;
    while (skip_blanks()) read_token();
    return std::move(result_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  SourceRange range_from(std::size_t begin) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }

  // Skips to the next token; false at the end of the text.
  bool skip_blanks() {
    has_space_ = at_ == 0 || is_new_line_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        indent_ = 0;
        is_new_line_ = true;
      } else if (c == '\t') {
        if (is_new_line_) indent_ += kTabStop - indent_ % kTabStop;
      } else if (c == ' ') {
        if (is_new_line_) ++indent_;
      } else if (c == '#') {
        read_comment();
        continue;
      } else if (c != '\r' && c != '\f' && c != '\v') {
        return true;
      }
      has_space_ = true;
      ++at_;
    }
    return false;
  }

  void read_comment() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find('\n', at_), text_.size());
    std::string_view text = text_.substr(begin, at_ - begin);
    text = text.substr(0, text.find_last_not_of(" \t\r\f\v") + 1);
    result_.comments.push_back({text, static_cast<std::uint32_t>(begin), line_, indent_, is_new_line_});
    has_space_ = true;
  }

  void push(TokenKind kind, std::size_t begin, std::string_view text, double value = 0.0) {
    result_.tokens.push_back({kind, range_from(begin), text, value, line_, indent_, is_new_line_, has_space_});
    is_new_line_ = false;
  }
  void push(TokenKind kind, std::size_t begin) { push(kind, begin, text_.substr(begin, at_ - begin)); }

  void report(Kind kind, std::size_t begin, std::string message, std::string hint) {
    sink_.report(diag::error(kind, range_from(begin), std::move(message), std::move(hint)));
    push(TokenKind::kFault, begin);
  }

  void read_token() {
    const char c = peek();
    const std::size_t begin = at_;
    if (is_at_foreign_comment()) return skip_foreign_comment();
    if (is_letter(c) || is_at_micro()) {
      if (!is_letter(c)) at_ += kMicro.size();
      while (is_letter(peek()) || is_digit(peek())) ++at_;
      return push(TokenKind::kName, begin);
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)) && !follows_operand())) return read_number();
    if (c == '"') return read_string();
    if (c == '\'' && follows_operand()) {
      while (peek() == '\'') ++at_;
      return push(TokenKind::kPrimes, begin);
    }
    if (text_.substr(at_).starts_with(kPlusMinus)) {
      at_ += kPlusMinus.size();
      return push(TokenKind::kSymbol, begin, kPlusMinus);
    }
    if (text_.substr(at_).starts_with("\xE2\x88\x92")) {  // U+2212, the typographic minus sign
      at_ += 3;
      return push(TokenKind::kSymbol, begin, "-");
    }
    for (const std::string_view symbol : kLongSymbols) {
      if (!text_.substr(at_).starts_with(symbol)) continue;
      at_ += symbol.size();
      return push(TokenKind::kSymbol, begin);
    }
    if (kShortSymbols.find(c) != std::string_view::npos) {
      ++at_;
      if (c == '[') ++open_brackets_;
      if (c == ']') open_brackets_ = std::max(0, open_brackets_ - 1);
      return push(TokenKind::kSymbol, begin);
    }
    read_fault();
  }

  bool is_at_foreign_comment() const { return peek() == '%' || (peek() == '/' && (peek(1) == '/' || peek(1) == '*')); }

  // Reports a comment sign of another language and skips the rest of the line. The statement before it is kept.
  void skip_foreign_comment() {
    const std::size_t begin = at_;
    at_ += peek() == '%' ? 1 : 2;
    sink_.report(diag::error(Kind::kUnexpectedCharacter, range_from(begin),
                             fmt::format("`{}` begins no comment", text_.substr(begin, at_ - begin)),
                             "comments begin with #"));
    at_ = std::min(text_.find('\n', at_), text_.size());
    has_space_ = true;
  }

  // Whether the prefix micro of a unit is here, written as the micro sign or as the Greek letter mu.
  bool is_at_micro() const {
    const std::string_view rest = text_.substr(at_);
    return open_brackets_ > 0 && (rest.starts_with(kMicro) || rest.starts_with(kGreekMu)) &&
           is_letter(peek(kMicro.size()));
  }

  // Whether the previous character ends a name, a prime or a bracket.
  bool follows_operand() const {
    if (at_ == 0 || has_space_) return false;
    const char before = text_[at_ - 1];
    return is_letter(before) || is_digit(before) || before == '\'' || before == ')' || before == ']';
  }

  void read_number() {
    const std::size_t begin = at_;
    const auto skip_digits = [&] {
      while (is_digit(peek())) ++at_;
    };
    skip_digits();
    if (peek() == '.' && peek(1) != '.') {
      ++at_;
      skip_digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (is_digit(peek(1 + sign))) {
        at_ += 1 + sign;
        skip_digits();
      }
    }
    const std::size_t end = at_;
    while (is_letter(peek()) || is_digit(peek()) || (peek() == '.' && peek(1) != '.')) ++at_;
    const std::string_view spelling = text_.substr(begin, at_ - begin);
    const std::string_view shown = spelling.substr(0, kLongestSpellingShown);
    if (at_ > end) {
      return report(Kind::kBadNumber, begin, fmt::format("`{}` is not a number", shown),
                    hint_for_suffix(text_.substr(begin, end - begin), text_.substr(end, at_ - end)));
    }
    double value = 0.0;
    const auto [stopped_at, error] = std::from_chars(spelling.data(), spelling.data() + spelling.size(), value);
    if (error == std::errc::result_out_of_range) {
      return report(Kind::kBadNumber, begin, fmt::format("`{}` is out of the range of numbers", shown),
                    "sizes from 1e-308 to 1e308 can be represented");
    }
    push(TokenKind::kNumber, begin, spelling, value);
  }

  static std::string hint_for_suffix(std::string_view number, std::string_view suffix) {
    if (number.size() > kLongestSpellingShown || suffix.size() > kLongestSpellingShown) return {};
    if (find_unit(suffix) && suffix.size() == 1)
      return fmt::format("a unit is written in brackets: `{} [{}]`; a product is written `{}*{}`", number, suffix,
                         number, suffix);
    const std::string unit = find_unit(suffix) ? std::string(suffix) : unit_of_word(suffix);
    if (!unit.empty()) return fmt::format("units are written in brackets: `{} [{}]`", number, unit);
    if (suffix == "e" || suffix == "E") return fmt::format("an exponent has digits: `{}e-3`", number);
    if (is_letter(suffix[0]) && suffix.find('.') == std::string_view::npos) {
      return fmt::format("multiply with *: `{}*{}`", number, suffix);
    }
    return {};
  }

  void read_string() {
    const std::size_t begin = at_;
    const std::size_t end = std::min(text_.find_first_of("\"\n", at_ + 1), text_.size());
    if (end == text_.size() || text_[end] == '\n') {
      at_ = end;
      while (at_ > begin + 1 && (text_[at_ - 1] == '\r' || text_[at_ - 1] == ' ')) --at_;
      return report(Kind::kUnterminatedString, begin, "this string is not closed on its line", "add a \" at its end");
    }
    for (std::size_t i = begin + 1; i < end;) {
      const Character character = diag::read_character(text_, i);
      if (!character.is_valid || character.code_point < 0x20) {
        at_ = end + 1;
        return report(Kind::kUnexpectedCharacter, begin,
                      character.is_valid ? "a control character in a string" : "a string that is not valid UTF-8", {});
      }
      i += character.length;
    }
    at_ = end + 1;
    push(TokenKind::kString, begin, text_.substr(begin + 1, end - begin - 1));
  }

  // Takes all adjacent characters that begin no token, so that they are reported as one error.
  void read_fault() {
    const std::size_t begin = at_;
    const Character first = diag::read_character(text_, at_);
    bool is_valid = true;
    int count = 0;
    while (at_ < text_.size() && begins_nothing()) {
      const Character character = diag::read_character(text_, at_);
      is_valid = is_valid && character.is_valid;
      at_ += character.length;
      ++count;
    }
    // If the first character is a typographic quote, the text up to the closing quote belongs to the same error.
    const bool is_double = 0x201C <= first.code_point && first.code_point <= 0x201F;
    if (is_double || first.code_point == 0x2018) {
      const std::string_view behind = text_.substr(at_, kLongestQuote);
      const std::size_t closing = behind.find(is_double ? "\xE2\x80\x9D" : "\xE2\x80\x99");
      if (closing < behind.find('\n')) at_ += closing + 3;
    }
    const std::size_t closing = text_.substr(at_, kLongestQuote).find('\'');
    const bool is_quoted = first.code_point == '\'' && closing < text_.substr(at_, kLongestQuote).find('\n');
    if (is_quoted) at_ += closing + 1;
    std::string message;
    if (!is_valid) {
      message = "bytes that are not valid UTF-8";
    } else if (first.code_point < 0x20 || first.code_point == 0x7F) {
      message = fmt::format("control character U+{:04X}", first.code_point);
    } else {
      message = fmt::format("unexpected character{} `{}`", count > 1 ? "s, the first is" : "",
                            text_.substr(begin, first.length));
    }
    report(Kind::kUnexpectedCharacter, begin, std::move(message),
           is_quoted ? "strings are written in plain double quotes \"" : hint_for(first.code_point));
  }

  bool begins_nothing() const {
    const char c = peek();
    if (is_letter(c) || is_digit(c) || c == '"' || c == '#' || c == ' ' || c == '\t' || c == '\n' || c == '\r' ||
        c == '\f' || c == '\v' || (c != '\0' && kShortSymbols.find(c) != std::string_view::npos)) {
      return false;
    }
    const std::string_view rest = text_.substr(at_);
    return !is_at_micro() && !rest.starts_with(kPlusMinus) && !rest.starts_with("\xE2\x88\x92") &&
           !rest.starts_with("!=");
  }

  std::string_view text_;
  diag::Sink& sink_;
  LexedText result_;
  std::size_t at_;
  int line_ = 1;
  int indent_ = 0;
  bool is_new_line_ = true;
  bool has_space_ = true;
  int open_brackets_ = 0;
};

}  // namespace

LexedText lex(const diag::SourceText& source, SourceRange part, diag::Sink& sink) {
  return Lexer(source, part, sink).run();
}

}  // namespace vinculum::lang

#include "vinculum/lang/law_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "vinculum/lang/lexer.hpp"
#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

using diag::Kind;

class LawListParser : private StatementReader {
 public:
  explicit LawListParser(Cursor& cursor) : StatementReader(cursor) {
    forms_.push_back({"stated", "as the model has it", {}});
    forms_.insert(forms_.end(), cursor.laws().begin(), cursor.laws().end());
  }

  std::vector<LawText> run() {
    std::vector<LawText> laws;
    do {
      laws.push_back(law());
    } while (cursor_.take_if(","));
    cursor_.expect_end({});
    return laws;
  }

 private:
  LawText law() {
    const Token head = cursor_.peek();
    LawText result;
    const LawForm* form = head.kind == TokenKind::kName ? find_law(forms_, head.text) : nullptr;
    if (form == nullptr) {
      std::vector<std::string> laws;
      for (const LawForm& one : forms_) laws.emplace_back(one.word);
      const std::string nearest = head.kind == TokenKind::kName ? hint_nearest(head.text, laws) : "";
      cursor_.fail_expected("the name of a law", nearest.empty() ? fmt::format("laws are {}", listed(laws)) : nearest);
      return result;
    }
    cursor_.take();
    result.law = {std::string(head.text), head.range};
    if (cursor_.is_at("(")) arguments(*form, result);
    result.range = cursor_.range_from(head);
    for (const LawArgumentForm& needed : form->arguments) {
      if (needed.is_start || cursor_.is_faulty() || find(result, needed.word, 0) != nullptr) continue;
      cursor_.fail(Kind::kUnexpectedToken, result.range, fmt::format("`law {}` needs `{}`", form->word, needed.word),
                   fmt::format("write `{}`", list_syntax(*form)));
    }
    return result;
  }

  static std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  static const ListedArgument* find(const LawText& law, std::string_view name, int order) {
    const auto found = std::ranges::find_if(
        law.arguments, [&](const ListedArgument& one) { return one.name.text == name && one.order == order; });
    return found == law.arguments.end() ? nullptr : &*found;
  }

  /// Whether an argument begins `ahead` tokens from here: `kappa =`, `mu' =`.
  bool is_at_argument(std::size_t ahead) const {
    if (cursor_.peek(ahead).kind != TokenKind::kName) return false;
    const std::size_t behind = cursor_.peek(ahead + 1).kind == TokenKind::kPrimes ? ahead + 2 : ahead + 1;
    return cursor_.peek(behind).is_symbol("=");
  }

  void arguments(const LawForm& form, LawText& law) {
    const Token open = cursor_.take();
    if (!cursor_.is_at(")")) {
      do {
        argument(form, law);
      } while (cursor_.take_if(","));
    }
    cursor_.expect_closing(open, ")");
  }

  void argument(const LawForm& form, LawText& law) {
    const Token head = cursor_.peek();
    const auto own = head.kind != TokenKind::kName
                         ? form.arguments.end()
                         : std::ranges::find(form.arguments, head.text, &LawArgumentForm::word);
    if (own == form.arguments.end()) {
      const bool has_none = form.arguments.empty();
      return cursor_.fail_expected(has_none ? "`)`" : fmt::format("an argument of `law {}`", form.word),
                                   has_none ? fmt::format("`law {}` has no arguments", form.word)
                                            : fmt::format("write `{}`", list_syntax(form)));
    }
    ListedArgument result;
    result.name = {std::string(cursor_.take().text), head.range};
    if (own->has_rates && cursor_.peek().kind == TokenKind::kPrimes)
      result.order = static_cast<int>(cursor_.take().text.size());
    if (find(law, head.text, result.order) != nullptr) {
      return cursor_.fail(
          Kind::kUnexpectedToken, cursor_.range_from(head),
          fmt::format("`{}{}` is given twice", head.text, std::string(static_cast<std::size_t>(result.order), '\'')),
          "several values of one argument: `kappa=10,100,1000` or `kappa=1e1..1e3`");
    }
    cursor_.expect("=", fmt::format("write `{}`", list_syntax(form)));
    const Token first = cursor_.peek();
    result.values.push_back(expression());
    if (cursor_.take_if("..")) {
      result.is_range = true;
      result.values.push_back(expression());
    } else {
      while (cursor_.is_at(",") && !is_at_argument(1)) {
        cursor_.take();
        result.values.push_back(expression());
      }
    }
    result.range = cursor_.range_from(first);
    law.arguments.push_back(std::move(result));
  }

  std::vector<LawForm> forms_;  ///< the form of `stated`, and the forms of the laws in the table
};

}  // namespace

std::vector<LawText> parse_law_list(const diag::SourceText& source, SourceRange part, LawForms laws, diag::Sink& sink) {
  diag::Diagnostics of_lexer;
  const LexedText text = lex(source, part, of_lexer);
  for (const diag::Diagnostic& one : of_lexer.all()) sink.report(one);
  if (of_lexer.has_errors()) return {};
  Cursor cursor(text.tokens, sink, laws);
  std::vector<LawText> list = LawListParser(cursor).run();
  if (cursor.is_faulty()) return {};
  return list;
}

}  // namespace vinculum::lang

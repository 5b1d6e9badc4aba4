#include "vinculum/lang/law_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "vinculum/lang/lexer.hpp"
#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

using diag::Kind;

struct LawForm {
  std::string_view law;
  std::array<std::string_view, 2> arguments;  ///< empty: none
  int needed;                                 ///< so many of them, the first ones, must be there
  std::string_view form;
};

constexpr LawForm kForms[] = {
    {"stated", {}, 0, "stated"},
    {"ideal", {}, 0, "ideal"},
    {"vakonomic", {"mu"}, 0, "vakonomic(mu=EXPR)"},
    {"kozlov", {"c", "mu"}, 1, "kozlov(c=EXPR, mu=EXPR)"},
    {"adiabatic", {"mu"}, 1, "adiabatic(mu=EXPR)"},
    {"gyroscopic", {"H"}, 1, "gyroscopic(H=MATRIX)"},
    {"stiff", {"kappa"}, 1, "stiff(kappa=EXPR)"},
    {"viscous", {"kappa"}, 1, "viscous(kappa=EXPR)"},
    {"inertial", {"kappa"}, 1, "inertial(kappa=EXPR)"},
    {"directed", {"along"}, 1, "directed(along=VEC)"},
};

const LawForm* find_form(std::string_view law) {
  const auto* form = std::ranges::find(kForms, law, &LawForm::law);
  return form == std::end(kForms) ? nullptr : form;
}

class LawListParser : private StatementReader {
 public:
  explicit LawListParser(Cursor& cursor) : StatementReader(cursor) {}

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
    const LawForm* form = head.kind == TokenKind::kName ? find_form(head.text) : nullptr;
    if (form == nullptr) {
      std::vector<std::string> laws;
      for (const LawForm& one : kForms) laws.emplace_back(one.law);
      const std::string nearest = head.kind == TokenKind::kName ? hint_nearest(head.text, laws) : "";
      cursor_.fail_expected("the name of a law", nearest.empty() ? fmt::format("laws are {}", listed(laws)) : nearest);
      return result;
    }
    cursor_.take();
    result.law = {std::string(head.text), head.range};
    if (cursor_.is_at("(")) arguments(*form, result);
    result.range = cursor_.range_from(head);
    for (int i = 0; i < form->needed && !cursor_.is_faulty(); ++i) {
      const std::string_view needed = form->arguments[static_cast<std::size_t>(i)];
      if (find(result, needed) == nullptr) {
        cursor_.fail(Kind::kUnexpectedToken, result.range, fmt::format("`law {}` needs `{}`", form->law, needed),
                     fmt::format("write `{}`", form->form));
      }
    }
    return result;
  }

  static std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  static const LawArgument* find(const LawText& law, std::string_view name) {
    const auto found =
        std::ranges::find_if(law.arguments, [&](const LawArgument& one) { return one.name.text == name; });
    return found == law.arguments.end() ? nullptr : &*found;
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
    const bool is_own =
        head.kind == TokenKind::kName && std::ranges::find(form.arguments, head.text) != form.arguments.end();
    if (!is_own) {
      const bool has_none = form.arguments[0].empty();
      return cursor_.fail_expected(
          has_none ? "`)`" : fmt::format("an argument of `law {}`", form.law),
          has_none ? fmt::format("`law {}` has no arguments", form.law) : fmt::format("write `{}`", form.form));
    }
    if (find(law, head.text) != nullptr) {
      return cursor_.fail(Kind::kUnexpectedToken, head.range, fmt::format("`{}` is given twice", head.text),
                          "several values of one argument: `kappa=10,100,1000` or `kappa=1e1..1e3`");
    }
    LawArgument result;
    result.name = {std::string(cursor_.take().text), head.range};
    cursor_.expect("=", fmt::format("write `{}`", form.form));
    const Token first = cursor_.peek();
    result.values.push_back(expression());
    if (cursor_.take_if("..")) {
      result.is_range = true;
      result.values.push_back(expression());
    } else {
      while (cursor_.is_at(",") && !(cursor_.peek(1).kind == TokenKind::kName && cursor_.peek(2).is_symbol("="))) {
        cursor_.take();
        result.values.push_back(expression());
      }
    }
    result.range = cursor_.range_from(first);
    law.arguments.push_back(std::move(result));
  }
};

}  // namespace

std::vector<LawText> parse_law_list(const diag::SourceText& source, SourceRange part, diag::Sink& sink) {
  diag::Diagnostics of_lexer;
  const LexedText text = lex(source, part, of_lexer);
  for (const diag::Diagnostic& one : of_lexer.all()) sink.report(one);
  if (of_lexer.has_errors()) return {};
  Cursor cursor(text.tokens, sink);
  std::vector<LawText> laws = LawListParser(cursor).run();
  if (cursor.is_faulty()) return {};
  return laws;
}

}  // namespace vinculum::lang

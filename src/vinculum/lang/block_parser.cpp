#include <fmt/format.h>

#include <utility>

#include "vinculum/lang/statement_parser.hpp"
#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

class BlockParser : private StatementReader {
 public:
  explicit BlockParser(Cursor& cursor) : StatementReader(cursor) {}

  // block = for-head "{" { statement } "}" | component-head "{" { statement } "}" | choice
  // choice = "if" expression "{" { statement } "}" [ "else" ( choice | "{" { statement } "}" ) ]
  std::optional<StatementNode> head() {
    const Token keyword = cursor_.take();
    StatementNode result = keyword.text == "for" ? loop() : keyword.text == "if" ? choice() : component();
    if (!cursor_.take_if("{")) {
      cursor_.fail_expected("`{`", fmt::format("what belongs to the `{}` stands between braces", keyword.text));
    }
    cursor_.expect_end();
    if (cursor_.is_faulty()) return std::nullopt;
    return result;
  }

 private:
  // for-head = "for" NAME "in" expression ".." expression
  StatementNode loop() {
    ForStatement result;
    result.variable = word("a name for the index");
    if (!cursor_.take_if_word("in")) cursor_.fail_expected("`in`", "an index runs over a range: `for i in 1..3 { … }`");
    result.from = expression();
    cursor_.expect("..", "an index runs over a range: `for i in 1..3 { … }`");
    result.to = expression();
    return result;
  }

  StatementNode choice() {
    IfStatement result;
    result.condition = expression();
    return result;
  }

  // component-head = "component" NAME "(" [ NAME { "," NAME } ] ")"
  StatementNode component() {
    ComponentStatement result;
    result.name = word("the name of the component");
    const Token open = cursor_.peek();
    cursor_.expect("(", "a component has arguments, perhaps none: `component leg(n, r) { … }`");
    if (!cursor_.is_at(")")) {
      do {
        result.parameters.push_back(word("the name of an argument"));
      } while (cursor_.take_if(","));
    }
    cursor_.expect_closing(open, ")");
    return result;
  }
};

}  // namespace

bool begins_block(const Token& head) { return head.is_name("for") || head.is_name("if") || head.is_name("component"); }

std::optional<StatementNode> parse_block_head(std::span<const Token> tokens, diag::Sink& sink) {
  Cursor cursor(tokens, sink);
  return BlockParser(cursor).head();
}

}  // namespace vinculum::lang

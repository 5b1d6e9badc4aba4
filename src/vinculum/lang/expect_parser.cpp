#include <fmt/format.h>

#include <string>
#include <utility>

#include "vinculum/lang/statement_reader.hpp"

namespace vinculum::lang {
namespace {

class ExpectParser : private StatementReader {
 public:
  explicit ExpectParser(Cursor& cursor) : StatementReader(cursor) {}

  // expect = "expect" "stop" ":" KIND [ "at" expression plus-minus expression ]
  //        | "expect" ( "always" | "at" ( "start" | "end" | expression ) ) ":" claim
  StatementNode run() {
    if (cursor_.take_if_word("stop")) return ExpectStatement{expect_stop()};
    ExpectValue result{ExpectWhen::kAlways, nullptr, nullptr, nullptr, nullptr};
    if (!cursor_.take_if_word("always")) {
      if (!cursor_.take_if_word("at")) {
        fail_at_expect();
      }
      result.when = ExpectWhen::kAt;
      if (cursor_.is_at_word("start") && cursor_.peek(1).is_symbol(":")) result.when = ExpectWhen::kStart;
      if (cursor_.is_at_word("end") && cursor_.peek(1).is_symbol(":")) result.when = ExpectWhen::kEnd;
      if (result.when == ExpectWhen::kAt) {
        result.time = expression();
      } else {
        cursor_.take();
      }
    }
    cursor_.expect(":");
    claim(result);
    cursor_.expect_end();
    return ExpectStatement{std::move(result)};
  }

 private:
  void fail_at_expect() {
    const Token& found = cursor_.peek();
    const std::string words[] = {"at", "always", "stop"};
    std::string hint = found.kind == TokenKind::kName ? hint_nearest(found.text, words) : "";
    if (found.is_name("start") || found.is_name("end")) hint = fmt::format("write `expect at {}: …`", found.text);
    cursor_.fail_expected("`at`, `always` or `stop`", std::move(hint));
  }

  // claim = expression "=" expression plus-minus expression | expression      (the latter compares)
  void claim(ExpectValue& result) {
    result.left = expression(ExpressionEnd::kPlusMinus);
    if (cursor_.take_if("=")) {
      result.right = expression(ExpressionEnd::kPlusMinus);
      expect_plus_minus();
      result.tolerance = expression();
      return;
    }
    if (cursor_.is_at("±") && !cursor_.is_faulty()) {
      const auto* comparison = std::get_if<Binary>(&result.left->node);
      if (comparison != nullptr && comparison->op == BinaryOperator::kEqual) return expect_equals(*result.left);
    }
    if (!claims(*result.left)) cursor_.expect("=", "an expectation is `EXPR = VALUE ± TOL` or a comparison");
  }

  static bool claims(const Expression& expression) {
    if (const auto* binary = std::get_if<Binary>(&expression.node)) {
      return BinaryOperator::kLess <= binary->op && binary->op <= BinaryOperator::kOr;
    }
    const auto* unary = std::get_if<Unary>(&expression.node);
    return unary != nullptr && unary->op == UnaryOperator::kNot;
  }

  // plus-minus = "±" | "+-"
  void expect_plus_minus() {
    if (cursor_.take_if("±")) return;
    if (cursor_.is_at("+") && cursor_.peek(1).is_symbol("-")) {
      cursor_.take();
      cursor_.take();
      return;
    }
    cursor_.fail_expected("`±`", "write the tolerance behind the value: `= 1.5 ± 1e-9`, or `+- 1e-9`");
  }

  ExpectStop expect_stop() {
    ExpectStop result;
    cursor_.expect(":");
    const Token first = cursor_.peek();
    if (first.kind != TokenKind::kName)
      cursor_.fail_expected("the kind of stop", "as in `expect stop: not-unique at 1.5 ± 1e-6`");
    result.kind.text = std::string(cursor_.take().text);
    while (cursor_.is_at("-") && cursor_.peek(1).kind == TokenKind::kName) {
      cursor_.take();
      result.kind.text += '-';
      result.kind.text += cursor_.take().text;
    }
    result.kind.range = cursor_.range_from(first);
    if (cursor_.take_if_word("at")) {
      result.time = expression(ExpressionEnd::kPlusMinus);
      expect_plus_minus();
      result.tolerance = expression();
    }
    cursor_.expect_end({"at"});
    return result;
  }
};

}  // namespace

StatementNode parse_expect(Cursor& cursor) { return ExpectParser(cursor).run(); }

}  // namespace vinculum::lang

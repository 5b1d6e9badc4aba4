#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/dimension.hpp"
#include "vinculum/base/unit.hpp"
#include "vinculum/lang/expression_parser.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::lang {
namespace {

constexpr int kLargestExponent = 99;
constexpr std::size_t kMostFactors = 100;

class UnitParser {
 public:
  explicit UnitParser(Cursor& cursor) : cursor_(cursor) {}

  // unit = "[" product "]"
  std::optional<Unit> run() {
    if (!cursor_.is_at("[")) return std::nullopt;
    const Token open = cursor_.take();
    if (cursor_.is_at("]")) cursor_.fail_expected("a unit", "write [1] for a number without dimension");
    product(1);
    if (cursor_.peek().kind == TokenKind::kName || cursor_.is_at("(")) {
      cursor_.fail_expected("`*`, `/` or `]`", "multiply units with *, as in [N*m]");
    } else if (cursor_.is_at(".")) {
      cursor_.fail_expected("`*`, `/` or `]`", "multiply units with *, as in [N*m]");
    }
    cursor_.expect_closing(open, "]");
    return Unit{std::move(factors_), cursor_.range_from(open)};
  }

 private:
  // product = factor { ( "*" | "/" ) factor }
  void product(int sign) {
    factor(sign);
    while (cursor_.is_at("*") || cursor_.is_at("/")) {
      const bool divides = cursor_.take().text == "/";
      factor(divides ? -sign : sign);
    }
  }

  // factor = ( NAME | "1" ) [ "^" exponent ] | "(" product ")" [ "^" exponent ]
  void factor(int sign) {
    const Token first = cursor_.peek();
    const std::size_t begin = factors_.size();
    if (first.is_symbol("(")) {
      if (++nesting_ > kMaxNesting) {
        return cursor_.fail(diag::Kind::kNestingTooDeep, first.range, "brackets are nested too deep");
      }
      cursor_.take();
      product(sign);
      cursor_.expect_closing(first, ")");
      --nesting_;
    } else if (first.kind == TokenKind::kName || (first.kind == TokenKind::kNumber && first.text == "1")) {
      if (factors_.size() == kMostFactors) {
        return cursor_.fail(diag::Kind::kNestingTooDeep, first.range,
                            fmt::format("a unit has at most {} factors", kMostFactors));
      }
      cursor_.take();
      factors_.push_back({std::string(first.text), sign, 1, first.range});
    } else {
      return cursor_.fail_expected("a unit", first.kind == TokenKind::kNumber
                                                 ? "a factor is written before the bracket: `60 [s]`"
                                             : first.is_symbol("*") && cursor_.last_taken().is_symbol("*")
                                                 ? "powers are written with `^`: `[s^2]`"
                                                 : "");
    }
    if (!cursor_.take_if("^")) return;
    const Rational power = exponent();
    for (std::size_t i = begin; i < factors_.size(); ++i) {
      UnitFactor& one = factors_[i];
      const Rational product = make_rational(one.numerator, one.denominator) * power;
      one.numerator = product.numerator;
      one.denominator = product.denominator;
      one.range = cursor_.range_from(first);
    }
  }

  // exponent = integer | "(" integer [ "/" integer ] ")"
  Rational exponent() {
    if (!cursor_.is_at("(")) return {integer(), 1};
    const Token open = cursor_.take();
    const int numerator = integer();
    const int denominator = cursor_.take_if("/") ? integer() : 1;
    cursor_.expect_closing(open, ")");
    return denominator == 0 ? Rational{1, 1} : make_rational(numerator, denominator);
  }

  // integer = [ "-" | "+" ] NUMBER
  int integer() {
    const int sign = cursor_.take_if("-") ? -1 : 1;
    if (sign > 0) cursor_.take_if("+");
    const Token number = cursor_.peek();
    if (number.kind != TokenKind::kNumber) {
      cursor_.fail_expected("an exponent", "an exponent is a whole number, or a fraction as in m^(1/2)");
      return 1;
    }
    cursor_.take();
    if (number.value != std::floor(number.value) || number.value < 1.0 || number.value > kLargestExponent) {
      cursor_.fail(diag::Kind::kBadNumber, number.range,
                   fmt::format("{} is not an exponent of a unit", describe(number)),
                   fmt::format("whole numbers from 1 to {}, with or without a minus, or a fraction as in m^(1/2)",
                               kLargestExponent));
      return 1;
    }
    return sign * static_cast<int>(number.value);
  }

  Cursor& cursor_;
  std::vector<UnitFactor> factors_;
  int nesting_ = 0;
};

}  // namespace

std::optional<Unit> parse_unit_at(Cursor& cursor) { return UnitParser(cursor).run(); }

bool is_at_closing_unit(const Cursor& cursor) {
  if (!cursor.is_at("[")) return false;
  const bool is_attached = !cursor.peek().has_space_before;
  bool has_name = false;
  for (std::size_t ahead = 1;; ++ahead) {
    const Token& token = cursor.peek(ahead);
    if (token.is_symbol("]")) {
      const Token& next = cursor.peek(ahead + 1);
      return has_name && (next.kind == TokenKind::kEnd || next.is_symbol(","));
    }
    if (token.kind == TokenKind::kName) {
      // A bracket directly after a name is an index, as in `q[i]`, unless it contains the name of a unit, as in `q[m]`.
      // After a space it is a unit, as in `q [i]`.
      if (is_attached && !find_unit(token.text)) return false;
      has_name = true;
      continue;
    }
    constexpr std::string_view kInUnits[] = {"*", "/", "^", "(", ")"};
    const bool is_sign_of_exponent =
        token.is_symbol("-") && (cursor.peek(ahead - 1).is_symbol("^") || cursor.peek(ahead - 1).is_symbol("("));
    const bool is_in_units = token.kind == TokenKind::kNumber || is_sign_of_exponent ||
                             (token.kind == TokenKind::kSymbol &&
                              std::find(std::begin(kInUnits), std::end(kInUnits), token.text) != std::end(kInUnits));
    if (!is_in_units) return false;
  }
}

bool is_at_declared_indices(const Cursor& cursor, std::size_t begin) {
  const bool is_attached = !cursor.peek(begin).has_space_before;
  const bool is_number = cursor.peek(begin + 1).kind == TokenKind::kNumber && cursor.peek(begin + 2).is_symbol("]");
  bool may_be_unit = !(is_attached && is_number);
  int depth = 1;
  for (std::size_t ahead = begin + 1;; ++ahead) {
    const Token& token = cursor.peek(ahead);
    if (token.kind == TokenKind::kEnd) return false;
    if (token.is_symbol("..")) return true;
    if (token.is_symbol("[")) ++depth;
    if (token.is_symbol("]") && --depth == 0) return !may_be_unit || cursor.peek(ahead + 1).is_symbol("[");
    if (!is_attached) continue;
    const Token& before = cursor.peek(ahead - 1);
    const bool is_term =
        token.is_symbol("+") || (token.is_symbol("-") && !before.is_symbol("^") && !before.is_symbol("("));
    if (is_term || token.is_symbol(",") || (token.kind == TokenKind::kName && !find_unit(token.text)))
      may_be_unit = false;
  }
}

}  // namespace vinculum::lang

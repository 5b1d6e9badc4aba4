#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vinculum/diag/source.hpp"

/// Expressions of the model language as text. GRAMMAR.md has the grammar.
namespace vinculum::lang {

using diag::SourceRange;

struct Expression;

/// An expression by value: copies are deep ones. Null where nothing is written.
class ExpressionPtr {
 public:
  ExpressionPtr(std::nullptr_t = nullptr);                // NOLINT: null as of any pointer
  ExpressionPtr(std::unique_ptr<Expression> expression);  // NOLINT: what make_unique makes
  ExpressionPtr(const ExpressionPtr& other);
  ExpressionPtr(ExpressionPtr&& other) noexcept;
  ExpressionPtr& operator=(ExpressionPtr other) noexcept;
  ~ExpressionPtr();

  [[nodiscard]] Expression* get() { return expression_.get(); }
  [[nodiscard]] const Expression* get() const { return expression_.get(); }
  [[nodiscard]] Expression& operator*() { return *expression_; }
  [[nodiscard]] const Expression& operator*() const { return *expression_; }
  [[nodiscard]] Expression* operator->() { return expression_.get(); }
  [[nodiscard]] const Expression* operator->() const { return expression_.get(); }
  explicit operator bool() const { return expression_ != nullptr; }
  friend bool operator==(const ExpressionPtr& expression, std::nullptr_t) { return !expression; }

 private:
  std::unique_ptr<Expression> expression_;
};

/// `P`, `x.P` of a component's part, `B[i]` of an indexed family; in `x[i].P` of an indexed part, `x[i]` is the owner
/// and `P` the text. Behind `elaborate`'s expansion there are no indices and no owners: `B[2]`, `x[2].P` is then the
/// text.
struct Name {
  std::string text;
  SourceRange range;
  std::vector<ExpressionPtr> indices = {};  ///< a Range only where a family is declared: `coord q[1..3]`
  std::shared_ptr<const Name> owner = {};   ///< with indices of its own; null where none stands before the last `.`
};

/// `[kg*m/s^2]`: factors with rational exponents, in the order written.
struct UnitFactor {
  std::string name;   ///< "1" for a leading 1 as in [1/s]
  int numerator = 1;  ///< exponent, negative behind `/`
  int denominator = 1;
  SourceRange range;
};
struct Unit {
  std::vector<UnitFactor> factors;
  SourceRange range;  ///< with its brackets
};

enum class UnaryOperator { kMinus, kPlus, kNot };
enum class BinaryOperator {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAnd,
  kOr,
};

struct NumberLiteral {
  double value;
  std::string spelling;
  std::optional<Unit> unit;
};
struct StringLiteral {
  std::string value;
};
struct NameReference {
  std::string name;
};
struct Prime {
  ExpressionPtr operand;
  int count;
};  ///< q', q''
struct Index {
  ExpressionPtr operand;
  std::vector<ExpressionPtr> indices;
};
struct Member {
  ExpressionPtr operand;
  Name member;
};  ///< N.x
struct Call {
  Name function;
  std::vector<ExpressionPtr> arguments;
};
struct Unary {
  UnaryOperator op;
  ExpressionPtr operand;
};
struct Binary {
  BinaryOperator op;
  SourceRange op_range;
  ExpressionPtr left, right;
};
struct Conditional {
  ExpressionPtr if_true, condition, if_false;
};  ///< a if c else b
struct Absolute {
  ExpressionPtr operand;
};  ///< |x|
struct List {
  std::vector<std::vector<ExpressionPtr>> rows;
};  ///< [1, 2; 3, 4]
struct Range {
  ExpressionPtr from, to;
};  ///< a..b, in an index of a declaration only

/// Brackets leave no trace but in `range`, which includes them: the formatter sets those that are needed. Trees are at
/// most `kMaxHeight` (parser.hpp) high, so recursion over them is safe.
struct Expression {
  std::variant<NumberLiteral, StringLiteral, NameReference, Prime, Index, Member, Call, Unary, Binary, Conditional,
               Absolute, List, Range>
      node;
  SourceRange range;
};

}  // namespace vinculum::lang

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vinculum/diag/source.hpp"

/// Syntax trees of expressions of the model language. Grammar: GRAMMAR.md.
namespace vinculum::lang {

using diag::SourceRange;

struct Expression;

/// Owns an expression; copying copies the whole tree. Null if an expression is optional and not written.
class ExpressionPtr {
 public:
  ExpressionPtr(std::nullptr_t = nullptr);                // NOLINT: implicit, as for any pointer
  ExpressionPtr(std::unique_ptr<Expression> expression);  // NOLINT: implicit from make_unique
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

/// A name: `P`, `x.P` (an element P of the component x), `B[i]` (a member of an indexed family). In `x[i].P` (an
/// element of an indexed component) `x[i]` is the owner and `P` the text. After expansion names have no indices and no
/// owners: the text is then `B[2]` or `x[2].P`.
struct Name {
  std::string text;
  SourceRange range;
  std::vector<ExpressionPtr> indices = {};  ///< a Range is allowed only in the declaration of a family: `coord q[1..3]`
  std::shared_ptr<const Name> owner = {};   ///< the part before the last `.` if that part has indices; else null
};

/// A factor of a unit such as `[kg*m/s^2]`, with a rational exponent.
struct UnitFactor {
  std::string name;   ///< "1" for the leading 1 in [1/s]
  int numerator = 1;  ///< exponent, negative after `/`
  int denominator = 1;
  SourceRange range;
};
struct Unit {
  std::vector<UnitFactor> factors;
  SourceRange range;  ///< including its brackets
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
/// An option of `table`: a word, alone or followed by another word or a text.
struct CallOption {
  Name word;
  Name value;            ///< empty if there is none
  bool is_text = false;  ///< the value is in quotes
};
struct Call {
  Name function;
  std::vector<ExpressionPtr> arguments;
  std::vector<CallOption> options = {};  ///< of `table` only
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
};  ///< a..b, only in an index of a declaration

/// A function, `let f(x) = EXPR`, that has been written out at a place where it is used.
struct WrittenOut {
  SourceRange definition;  ///< range of its expression in the `let`
  SourceRange use;
};

/// A node of the tree. Brackets are not nodes, but `range` includes them; the formatter writes those that are needed.
/// Trees have a height of at most `kMaxHeight` (parser.hpp), so recursion over them is safe.
struct Expression {
  std::variant<NumberLiteral, StringLiteral, NameReference, Prime, Index, Member, Call, Unary, Binary, Conditional,
               Absolute, List, Range>
      node;
  SourceRange range;
  std::shared_ptr<const WrittenOut> function = {};  ///< after expansion, the function whose expression this is
};

}  // namespace vinculum::lang

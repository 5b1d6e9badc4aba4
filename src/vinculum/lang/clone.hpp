#pragma once

#include <vector>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

[[nodiscard]] ExpressionPtr clone(const Expression& expression);
[[nodiscard]] Statement clone(const Statement& statement);

/// A deep copy of statements that may change names and expressions on its way; as it stands it changes nothing. Ranges
/// and comments are those of the original.
class Copier {
 public:
  virtual ~Copier() = default;

  /// The copy of an expression; its operands are copied by this function too. Trees are at most `kMaxHeight` high.
  [[nodiscard]] virtual ExpressionPtr copy(const Expression& expression);
  [[nodiscard]] virtual Statement copy(const Statement& statement);
  /// Null stays null.
  [[nodiscard]] ExpressionPtr copy(const ExpressionPtr& expression) { return expression ? copy(*expression) : nullptr; }

 protected:
  /// A name that its statement declares.
  [[nodiscard]] virtual Name declared(const Name& name) { return name; }
  /// The same where one name may declare several things, `coord q[1..3]`; a parameter's value is then copied for each.
  [[nodiscard]] virtual std::vector<Name> declared_family(const Name& name) { return {declared(name)}; }
  /// A name that stands for something declared elsewhere.
  [[nodiscard]] virtual Name used(const Name& name) { return name; }

 private:
  struct Nodes;
};

}  // namespace vinculum::lang

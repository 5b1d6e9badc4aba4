#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/expr/layout.hpp"

namespace vinculum::expr {

enum class CodeLanguage { kC, kPython };

/// Prints expressions as C99 or Python, with one operation per node of the graph. The program computes the same bits as
/// `interpret` if its library has the same transcendental functions. Operations that the language lacks (sign, min,
/// max, powers by squaring, splines) become calls of functions that the file must define; see `helpers`.
///
/// Python raises an exception where C gives NaN or infinity. If `is_guarded`, such operations become calls of `guarded`
/// and `divided`, which return NaN or infinity instead. Programs with conditional expressions need this: a
/// subexpression with a name is evaluated even if only the branch that is not taken uses it.
class CodePrinter {
 public:
  /// \param names  names of the symbols, and of definitions that have been written before
  CodePrinter(const Graph& graph, CodeLanguage language, bool is_guarded = false)
      : graph_(graph), language_(language), is_guarded_(is_guarded) {}

  /// Prints the right side of an assignment. `names` must contain every symbol of the expression.
  [[nodiscard]] std::string print(Expr e, const Names& names);
  /// Functions that the printed expressions call and that no library has: sign_of(x), smaller(x, y), larger(x, y),
  /// floor_of(x), whole_power(x, n), divided(x, y), guarded(function, x…), spline(knots, coefficients, pieces, order,
  /// x), in_period(x, first, last).
  [[nodiscard]] const std::set<std::string>& helpers() const { return helpers_; }
  /// Splines that the expressions use. table1_knots and table1_coefficients belong to the first one, and so on.
  [[nodiscard]] const std::vector<TableId>& tables() const { return tables_; }
  [[nodiscard]] static std::string number(double value, CodeLanguage language);

 private:
  Printed value(NodeId id, const Names& names, bool is_root);
  Printed condition(NodeId id, const Names& names, bool is_root);
  Printed power(const Graph::Node& node, const Names& names);
  Printed call(std::string_view function, const std::vector<std::string>& arguments, bool may_fail = false);
  std::string helper(std::string_view name);

  const Graph& graph_;
  CodeLanguage language_;
  bool is_guarded_;
  std::set<std::string> helpers_;
  std::vector<TableId> tables_;
};

/// Whether a name is a valid identifier of both C99 and Python, and not a reserved word.
[[nodiscard]] bool is_identifier(std::string_view name);
/// The name with every character replaced that an identifier cannot contain: q1' → q1_dot, q[2] → q_2, B.wx → B_wx.
[[nodiscard]] std::string identifier(std::string_view name);

}  // namespace vinculum::expr

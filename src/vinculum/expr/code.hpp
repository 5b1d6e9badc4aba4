#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/expr/layout.hpp"

namespace vinculum::expr {

enum class CodeLanguage { kC, kPython };

/// Prints expressions as C99 or Python, operation by operation as the graph has them: the text computes the bits that
/// `interpret` does, where the libraries agree on transcendental functions. What a language lacks (sign, min, max,
/// powers by squaring, splines) becomes a function of the printed file: `helpers`.
///
/// Python raises where C gives NaN or infinity, except inside conditional expressions, whose branches are evaluated
/// guarded.
class CodePrinter {
 public:
  /// \param names  of symbols, and of definitions already written.
  CodePrinter(const Graph& graph, CodeLanguage language, bool is_guarded = false)
      : graph_(graph), language_(language), is_guarded_(is_guarded) {}

  /// The right side of an assignment. Every symbol in it needs a name.
  [[nodiscard]] std::string print(Expr e, const Names& names);
  /// Functions that the printed expressions call and no library has: sign_of(x), smaller(x, y), larger(x, y),
  /// floor_of(x), whole_power(x, n), divided(x, y), guarded(function, x…), spline(knots, coefficients, pieces, order,
  /// x).
  [[nodiscard]] const std::set<std::string>& helpers() const { return helpers_; }
  /// Their tables: table1_knots and table1_coefficients are of the first, and so on.
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

/// Whether a name may stand in C99 and Python as it is; reserved words may not.
[[nodiscard]] bool is_identifier(std::string_view name);
/// The name with everything that no identifier may hold replaced: q1' → q1_dot, q[2] → q_2, B.wx → B_wx.
[[nodiscard]] std::string identifier(std::string_view name);

}  // namespace vinculum::expr

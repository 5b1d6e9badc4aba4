#include "vinculum/expr/greatest_size.hpp"

#include <cmath>

#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

/// Result of the search for one node.
struct Greatest {
  bool is_fixed = false;  ///< it depends only on constants and fixed symbols
  Expr size;              ///< upper bound of its absolute value; invalid if none was found
};

/// Upper bound for a node that depends on varying symbols.
/// \param a, b  results of its first two operands; with an invalid size if there is no such operand or bound
Expr greatest_of(Graph& graph, const Graph::Node& node, const Greatest& a, const Greatest& b) {
  if (node.op == Op::kSine || node.op == Op::kCosine) return graph.constant(1.0);
  if (!a.size.is_valid()) return {};
  if (node.op == Op::kNegate || node.op == Op::kAbsolute) return a.size;
  if (!b.size.is_valid()) return {};
  if (node.op == Op::kAdd || node.op == Op::kSubtract) return a.size + b.size;
  if (node.op == Op::kMultiply) return a.size * b.size;
  if (node.op == Op::kDivide && b.is_fixed) return a.size / b.size;
  const Expr exponent(&graph, node.operands[1]);
  if (node.op == Op::kPower && exponent.is_constant() && exponent.value() > 0.0) return power(a.size, exponent);
  return {};
}

}  // namespace

std::vector<Expr> greatest_sizes(std::span<const Expr> of, std::span<const Expr> fixed) {
  if (of.empty()) return {};
  Graph& graph = of.front().graph();
  const Subgraph nodes(of);
  std::vector<Greatest> known(nodes.size());
  for (const Expr symbol : fixed) {
    const std::uint32_t place = nodes.position(symbol.node());
    if (place != Subgraph::kOutside) known[place].is_fixed = true;
  }
  const auto of_operand = [&](const Graph::Node& node, int i) {
    const NodeId id = node.operands[i];
    return id.is_valid() ? known[nodes.position(id)] : Greatest{true, {}};
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Graph::Node node = graph.node(nodes[i]);  // a copy, because the graph grows in this loop
    Greatest& here = known[i];
    const Greatest a = of_operand(node, 0), b = of_operand(node, 1), c = of_operand(node, 2);
    if (node.op != Op::kSymbol) here.is_fixed = a.is_fixed && b.is_fixed && c.is_fixed;
    here.size = here.is_fixed ? absolute(Expr(&graph, nodes[i])) : greatest_of(graph, node, a, b);
  }
  std::vector<Expr> sizes;
  for (const Expr e : of) sizes.push_back(known[nodes.position(e.node())].size);
  return sizes;
}

}  // namespace vinculum::expr

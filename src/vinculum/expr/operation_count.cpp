#include "vinculum/expr/operation_count.hpp"

#include <vector>

#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

bool is_multiple(const Graph& graph, const Graph::Node& node) {
  const auto is_constant = [&](NodeId id) { return graph.node(id).op == Op::kConstant; };
  return (node.op == Op::kMultiply && (is_constant(node.operands[0]) || is_constant(node.operands[1]))) ||
         (node.op == Op::kDivide && is_constant(node.operands[1])) || node.op == Op::kNegate;
}

}  // namespace

std::size_t operation_count(std::span<const Expr> roots, std::span<const Expr> inputs, Multiples multiples) {
  if (roots.empty()) return 0;
  const Graph& graph = roots.front().graph();
  const Subgraph nodes(roots);
  std::vector<char> varies(nodes.size(), 0);
  for (const Expr input : inputs) {
    const std::uint32_t place = nodes.position(input.node());
    if (place != Subgraph::kOutside) varies[place] = 1;
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Graph::Node& node = graph.node(nodes[i]);
    for (const NodeId operand : node.operands) {
      if (operand.is_valid() && varies[nodes.position(operand)] != 0) {
        varies[i] = 1;
        if (multiples == Multiples::kAll || !is_multiple(graph, node)) ++count;
        break;
      }
    }
  }
  return count;
}

}  // namespace vinculum::expr

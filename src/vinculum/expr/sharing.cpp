#include "vinculum/expr/sharing.hpp"

#include <algorithm>

#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

bool is_leaf(const Graph::Node& node) { return node.op == Op::kConstant || node.op == Op::kSymbol; }

bool is_plain(const Graph& graph, const Graph::Node& node) {
  return is_leaf(node) || (node.op == Op::kNegate && is_leaf(graph.node(node.operands[0])));
}

}  // namespace

Shared name_shared(std::span<const Expr> roots, const SharingRule& rule,
                   const std::function<std::string(Expr, std::size_t)>& name, const Names& given) {
  Shared shared;
  shared.names = given;
  if (roots.empty()) return shared;
  Graph& graph = roots[0].graph();
  const Subgraph subgraph(roots);
  std::vector<int> uses(subgraph.size(), 0);
  std::vector<char> is_root(subgraph.size(), 0);
  for (const Expr& root : roots) {
    ++uses[subgraph.position(root.node())];
    is_root[subgraph.position(root.node())] = 1;
  }
  for (const NodeId id : subgraph.nodes()) {
    const Graph::Node& node = graph.node(id);
    for (int k = 0; k < 3 && node.operands[k].is_valid(); ++k) {
      const bool is_repeated = k > 0 && node.operands[k] == node.operands[0];
      if (!is_repeated || rule.counts_squares) ++uses[subgraph.position(node.operands[k])];
    }
  }
  std::vector<std::size_t> sizes(subgraph.size(), 1);
  std::vector<int> depths(subgraph.size(), 0);
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const NodeId id = subgraph[i];
    const Graph::Node& node = graph.node(id);
    if (is_leaf(node) || given.contains(id)) continue;
    for (const NodeId operand : node.operands) {
      if (!operand.is_valid()) continue;
      const std::uint32_t at = subgraph.position(operand);
      sizes[i] += sizes[at];
      depths[i] = std::max(depths[i], depths[at] + 1);
    }
    const bool is_shared = uses[i] > 1 && sizes[i] >= rule.least_size;
    // a root that occurs nowhere else already has a line of its own
    const bool is_only_root = is_root[i] != 0 && uses[i] == 1;
    const bool is_long = !is_only_root && (sizes[i] > rule.most_size || depths[i] > rule.most_depth);
    if (is_plain(graph, node) || (!is_shared && !is_long)) continue;
    const Expr definition(&graph, id);
    shared.names[id] = name(definition, shared.definitions.size());
    shared.definitions.push_back(definition);
    sizes[i] = 1;
    depths[i] = 0;
  }
  return shared;
}

}  // namespace vinculum::expr

#include "vinculum/expr/traversal.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"

namespace vinculum::expr {

Subgraph::Subgraph(std::span<const Expr> roots) {
  if (roots.empty()) return;
  NodeId newest = roots[0].node();
  for (const Expr& root : roots) {
    VINCULUM_EXPECTS(root.is_valid() && &root.graph() == &roots[0].graph());
    newest = std::max(newest, root.node());
  }
  const Graph& graph = roots[0].graph();
  constexpr std::uint32_t kSeen = 0;
  positions_.assign(newest.index() + 1, kOutside);
  const auto reach = [&](NodeId id) {
    if (positions_[id.index()] != kOutside) return;
    positions_[id.index()] = kSeen;
    nodes_.push_back(id);
  };
  for (const Expr& root : roots) reach(root.node());
  for (std::size_t next = 0; next < nodes_.size(); ++next) {  // nodes_ is the queue of the search
    for (const NodeId operand : graph.node(nodes_[next]).operands) {
      if (operand.is_valid()) reach(operand);
    }
  }
  constexpr std::size_t kCompares = 8;  // of sorting, a node: looking through all nodes is shorter
  if (nodes_.size() * kCompares > positions_.size()) {
    nodes_.clear();
    for (std::size_t id = 0; id < positions_.size(); ++id) {
      if (positions_[id] != kOutside) nodes_.push_back(NodeId(id));
    }
  } else {
    std::sort(nodes_.begin(), nodes_.end());
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) positions_[nodes_[i].index()] = static_cast<std::uint32_t>(i);
}

}  // namespace vinculum::expr

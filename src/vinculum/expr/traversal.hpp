#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// The nodes that some roots depend on, the roots included, each once, in ascending order: operands before users.
/// \cost O(nodes reached), and one word for every node of the graph up to the newest root. No recursion.
class Subgraph {
 public:
  /// \param roots of one graph; may be empty.
  explicit Subgraph(std::span<const Expr> roots);

  static constexpr std::uint32_t kOutside = 0xffffffffu;
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] NodeId operator[](std::size_t position) const { return nodes_[position]; }
  [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }
  /// Place of a node in this order, kOutside when the roots do not depend on it.
  [[nodiscard]] std::uint32_t position(NodeId id) const {
    return id.index() < positions_.size() ? positions_[id.index()] : kOutside;
  }

 private:
  std::vector<NodeId> nodes_;
  std::vector<std::uint32_t> positions_;
};

}  // namespace vinculum::expr

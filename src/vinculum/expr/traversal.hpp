#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// The nodes that the roots depend on, including the roots, each one once and in ascending order, so operands precede
/// the nodes that use them. Not recursive.
/// \cost O(nodes reached), and two words for every node of the graph up to the newest root. Later subgraphs of the same
/// thread reuse the memory.
class Subgraph {
 public:
  /// \param roots of one graph; may be empty.
  explicit Subgraph(std::span<const Expr> roots);
  Subgraph(Subgraph&&) = default;
  Subgraph& operator=(Subgraph&&) = delete;
  ~Subgraph();

  static constexpr std::uint32_t kOutside = 0xffffffffu;
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] NodeId operator[](std::size_t position) const { return nodes_[position]; }
  [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }
  /// Index of a node in this order; kOutside if the roots do not depend on the node.
  [[nodiscard]] std::uint32_t position(NodeId id) const {
    if (id.index() >= newest_) return kOutside;
    const Place& place = places_.of[id.index()];
    return place.turn == places_.turn ? place.position : kOutside;
  }

 private:
  /// A position is valid only if its `turn` is the present one, so nothing is cleared between two subgraphs.
  struct Place {
    std::uint32_t turn = 0, position = 0;
  };
  struct Places {
    std::vector<Place> of;
    std::uint32_t turn = 0;
  };
  static std::vector<Places>& spare();

  std::vector<NodeId> nodes_;
  Places places_;           ///< positions by NodeId
  std::size_t newest_ = 0;  ///< the largest NodeId plus 1
};

}  // namespace vinculum::expr

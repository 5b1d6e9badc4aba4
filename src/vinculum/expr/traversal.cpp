#include "vinculum/expr/traversal.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/base/contract.hpp"

namespace vinculum::expr {
namespace {

// Limits of the memory that a thread keeps for later subgraphs. More than kMostSpare subgraphs rarely exist at the same
// time. For graphs with more than kMostPlaces nodes nothing is kept, because there clearing new memory takes less time
// than the walk.
constexpr std::size_t kMostSpare = 4, kMostPlaces = 1 << 20;

}  // namespace

Subgraph::Subgraph(std::span<const Expr> roots) {
  if (roots.empty()) return;
  NodeId newest = roots[0].node();
  for (const Expr& root : roots) {
    VINCULUM_EXPECTS(root.is_valid() && &root.graph() == &roots[0].graph());
    newest = std::max(newest, root.node());
  }
  const Graph& graph = roots[0].graph();
  if (!spare().empty()) {
    places_ = std::move(spare().back());
    spare().pop_back();
  }
  if (++places_.turn == 0) {  // the counter has overflowed: positions of earlier turns must not become valid
    std::ranges::fill(places_.of, Place{});
    places_.turn = 1;
  }
  newest_ = newest.index() + 1;
  if (places_.of.size() < newest_) places_.of.resize(std::max(newest_, std::min(2 * newest_, kMostPlaces)));
  const auto reach = [&](NodeId id) {
    if (std::exchange(places_.of[id.index()].turn, places_.turn) != places_.turn) nodes_.push_back(id);
  };
  for (const Expr& root : roots) reach(root.node());
  for (std::size_t next = 0; next < nodes_.size(); ++next) {  // nodes_ is the queue of the search
    for (const NodeId operand : graph.node(nodes_[next]).operands) {
      if (operand.is_valid()) reach(operand);
    }
  }
  // Comparisons per node when the nodes are sorted. If more nodes are reached than that, a scan of all nodes is faster
  constexpr std::size_t kCompares = 8;
  if (nodes_.size() * kCompares > newest_) {
    // Scan without branches: a position is written for every node, but it is valid only for nodes of the present turn.
    const std::size_t count = nodes_.size();
    std::size_t at = 0;
    for (std::size_t id = 0; at < count; ++id) {
      places_.of[id].position = static_cast<std::uint32_t>(at);
      nodes_[at] = NodeId(id);
      at += places_.of[id].turn == places_.turn;
    }
    return;
  }
  std::sort(nodes_.begin(), nodes_.end());
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    places_.of[nodes_[i].index()].position = static_cast<std::uint32_t>(i);
}

Subgraph::~Subgraph() {
  const std::size_t size = places_.of.size();
  if (size > 0 && size <= kMostPlaces && spare().size() < kMostSpare) spare().push_back(std::move(places_));
}

std::vector<Subgraph::Places>& Subgraph::spare() {
  thread_local std::vector<Places> all;
  return all;
}

}  // namespace vinculum::expr

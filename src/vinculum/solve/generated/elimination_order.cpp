#include "vinculum/solve/generated/elimination_order.hpp"

#include <limits>
#include <set>
#include <utility>

#include "vinculum/base/index.hpp"

namespace vinculum::solve {
namespace {

// Two orders are compared: a row is eliminated after its own coordinates only, or after all coordinates that become its
// neighbors. The first is used if it takes at most this fraction of the operations of the second.
constexpr double kWorthIt = 0.5;

enum class RowsWait { kForAll, kForTheirOwn };

/// Elimination of the pattern of the matrix, without values. Finds the order and counts the operations.
class Elimination {
 public:
  Elimination(const Touches& touches, int coordinates, RowsWait wait)
      : coordinates_(coordinates), wait_(wait), open_(touches.size()), awaited_(touches.size(), 0) {
    for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
      nth(open_, i).insert(nth(touches, i).begin(), nth(touches, i).end());
      for (const int j : nth(touches, i)) nth(awaited_, i) += j < coordinates ? 1 : 0;
    }
    own_ = touches;
    for (int i = 0; i < static_cast<int>(touches.size()); ++i) enter(i);
  }
  /// \returns false as soon as the elimination takes more than `most_operations`.
  bool run(double most_operations) {
    while (!next_.empty()) {
      const int node = next_.begin()->second;
      order.push_back(node);
      leave(node);
      const std::set<int> touched = std::move(nth(open_, node));
      const auto count = static_cast<double>(touched.size());
      operations += 0.5 * count * (count + 1.0);
      if (operations > most_operations) return false;
      for (const int i : touched) take_out(node, i, touched);
    }
    return true;
  }

  std::vector<int> order;
  double operations = 0.0;

 private:
  [[nodiscard]] bool is_row(int node) const { return node >= coordinates_; }
  /// Updates node i after its neighbor `eliminated` was eliminated: i gets the neighbors of that node.
  /// \param touched  neighbors of the eliminated node
  void take_out(int eliminated, int i, const std::set<int>& touched) {
    leave(i);
    std::set<int>& open = nth(open_, i);
    open.erase(eliminated);
    const bool counts_all = wait_ == RowsWait::kForAll;
    if (!is_row(eliminated) && (counts_all || is_own(i, eliminated))) --nth(awaited_, i);
    for (const int j : touched) {
      if (j == i || !open.insert(j).second) continue;
      if (counts_all && !is_row(j)) ++nth(awaited_, i);
    }
    enter(i);
  }
  [[nodiscard]] bool is_own(int i, int other) const {
    for (const int j : nth(own_, i))
      if (j == other) return true;
    return false;
  }
  void leave(int i) { next_.erase({nth(open_, i).size(), i}); }
  void enter(int i) {
    if (!is_row(i) || nth(awaited_, i) == 0) next_.insert({nth(open_, i).size(), i});
  }

  int coordinates_;
  RowsWait wait_;
  std::vector<std::set<int>> open_;  ///< neighbors of each remaining node
  std::vector<int> awaited_;         ///< number of coordinates that must still be eliminated before each row
  Touches own_;
  std::set<std::pair<std::size_t, int>> next_;  ///< nodes that may come next, by their number of neighbors
};

}  // namespace

std::vector<int> elimination_order(const Touches& touches, int coordinates) {
  Elimination own(touches, coordinates, RowsWait::kForTheirOwn);
  (void)own.run(std::numeric_limits<double>::infinity());
  Elimination all(touches, coordinates, RowsWait::kForAll);
  return all.run(own.operations / kWorthIt) ? all.order : own.order;
}

}  // namespace vinculum::solve

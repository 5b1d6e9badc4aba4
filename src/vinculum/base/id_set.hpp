#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "vinculum/base/id.hpp"

namespace vinculum {

/// Set of ids that are indices into one pool. The set has one mark per id, up to the largest id inserted. Marks are
/// reused within a thread: a new set takes the marks of a destroyed set, and increments a counter (`turn`) instead of
/// clearing them. So memory is allocated only for as many sets as exist at the same time.
template <class Tag>
class IdSet {
 public:
  IdSet() {
    if (!spare().empty()) {
      marks_ = std::move(spare().back());
      spare().pop_back();
    }
    if (++marks_.turn != 0) return;
    std::ranges::fill(marks_.of, 0);  // after an overflow the counter could equal old marks, so they are cleared
    marks_.turn = 1;
  }
  ~IdSet() { spare().push_back(std::move(marks_)); }
  IdSet(const IdSet&) = delete;
  IdSet& operator=(const IdSet&) = delete;

  /// Inserts the id. \returns true if it was not in the set.   \pre the id is valid
  bool insert(Id<Tag> id) {
    const std::size_t i = id.index();
    if (i >= marks_.of.size()) marks_.of.resize(std::max({i + 1, 2 * marks_.of.size(), std::size_t{256}}), 0);
    return std::exchange(marks_.of[i], marks_.turn) != marks_.turn;
  }
  [[nodiscard]] bool contains(Id<Tag> id) const {
    return id.index() < marks_.of.size() && marks_.of[id.index()] == marks_.turn;
  }

 private:
  struct Marks {
    std::vector<std::uint32_t> of;  ///< for each id, the value of `turn` when it was last inserted
    std::uint32_t turn = 0;
  };
  static std::vector<Marks>& spare() {
    thread_local std::vector<Marks> all;
    return all;
  }

  Marks marks_;
};

}  // namespace vinculum

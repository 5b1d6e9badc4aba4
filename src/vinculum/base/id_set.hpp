#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "vinculum/base/id.hpp"

namespace vinculum {

/// Ids that were met, of a pool whose ids follow one another. A mark for each id of the pool up to the largest one met;
/// the marks of a set that is gone are the next one's of the thread, which counts its turn: nothing is cleared, and no
/// memory is asked for but for as many sets as live at once.
template <class Tag>
class IdSet {
 public:
  IdSet() {
    if (!spare().empty()) {
      marks_ = std::move(spare().back());
      spare().pop_back();
    }
    if (++marks_.turn != 0) return;
    std::ranges::fill(marks_.of, 0);  // a turn of long ago must not count
    marks_.turn = 1;
  }
  ~IdSet() { spare().push_back(std::move(marks_)); }
  IdSet(const IdSet&) = delete;
  IdSet& operator=(const IdSet&) = delete;

  /// Whether the id was not there.   \pre it is valid
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
    std::vector<std::uint32_t> of;  ///< the turn in which the id was met last
    std::uint32_t turn = 0;
  };
  static std::vector<Marks>& spare() {
    thread_local std::vector<Marks> all;
    return all;
  }

  Marks marks_;
};

}  // namespace vinculum

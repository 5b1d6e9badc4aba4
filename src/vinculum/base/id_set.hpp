#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "vinculum/base/id.hpp"

namespace vinculum {

/// Ids that were met. One block of memory as large as they are many, where std::unordered_set asks for one per id.
template <class Tag>
class IdSet {
 public:
  /// Whether the id was not there.   \pre it is valid
  bool insert(Id<Tag> id) {
    if (2 * (count_ + 1) > places_.size()) grow();
    const bool is_new = put(id);
    count_ += is_new;
    return is_new;
  }

 private:
  bool put(Id<Tag> id) {
    const std::size_t mask = places_.size() - 1;
    std::size_t at = (id.index() * kGoldenRatio >> 32) & mask;
    for (; places_[at].is_valid(); at = (at + 1) & mask) {
      if (places_[at] == id) return false;
    }
    places_[at] = id;
    return true;
  }

  void grow() {
    const std::size_t size = places_.empty() ? 32 : 2 * places_.size();
    const std::vector<Id<Tag>> before = std::exchange(places_, std::vector<Id<Tag>>(size));
    for (const Id<Tag> id : before) {
      if (id.is_valid()) put(id);
    }
  }

  static constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15u;  // spreads ids that follow one another

  std::vector<Id<Tag>> places_;  ///< a power of two of them, half free
  std::size_t count_ = 0;
};

}  // namespace vinculum

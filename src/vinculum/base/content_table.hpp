#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "vinculum/base/id.hpp"

namespace vinculum {

/// Hash table from a content to the id of the object with that content; the objects are stored elsewhere. The table
/// stores ids and 32-bit parts of their hashes in one array. So contents are compared only if these parts agree, and
/// growing computes no hash again.
template <class Tag>
class ContentTable {
 public:
  /// The id whose content has this hash and satisfies `is_same(id)`; an invalid id if there is none.
  template <class IsSame>
  [[nodiscard]] Id<Tag> find(std::uint64_t hash, const IsSame& is_same) const {
    return places_.empty() ? Id<Tag>() : places_[place_of(part_of(hash), is_same)].id;
  }

  /// As `find`, but if there is no such id, stores and returns the id from `make()`. `make` must not use the table.
  template <class IsSame, class Make>
  Id<Tag> find_or_make(std::uint64_t hash, const IsSame& is_same, const Make& make) {
    if (4 * (count_ + 1) > 3 * places_.size()) grow();
    const std::uint32_t part = part_of(hash);
    const std::size_t at = place_of(part, is_same);
    if (places_[at].id.is_valid()) return places_[at].id;
    places_[at] = {make(), part};
    ++count_;
    return places_[at].id;
  }

 private:
  struct Place {
    Id<Tag> id;
    std::uint32_t part = 0;  ///< the part of the hash that is compared, `part_of`
  };

  static std::uint32_t part_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32 ^ hash); }

  /// The place that holds the content or, if there is none, the free place for it.
  template <class IsSame>
  [[nodiscard]] std::size_t place_of(std::uint32_t part, const IsSame& is_same) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t at = part & mask;
    while (places_[at].id.is_valid() && !(places_[at].part == part && is_same(places_[at].id))) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    const std::size_t size = places_.empty() ? 256 : 2 * places_.size();
    const std::vector<Place> before = std::exchange(places_, std::vector<Place>(size));
    for (const Place& place : before) {
      if (!place.id.is_valid()) continue;
      std::size_t at = place.part & (size - 1);
      while (places_[at].id.is_valid()) at = (at + 1) & (size - 1);
      places_[at] = place;
    }
  }

  std::vector<Place> places_;  ///< size is a power of two; at least a quarter is free
  std::size_t count_ = 0;
};

}  // namespace vinculum

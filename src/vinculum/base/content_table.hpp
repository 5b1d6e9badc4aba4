#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "vinculum/base/id.hpp"

namespace vinculum {

/// Hash table from the content of an object to its id; the objects are stored elsewhere. The table stores the ids, each
/// with a 32-bit part of the hash of its content, in one array. Two contents are compared only if these 32 bits agree.
/// When the table grows, no hash is computed again.
template <class Tag>
class ContentTable {
 public:
  /// Returns the id of the object with this content: the id whose stored hash agrees and for which `is_same(id)` is
  /// true. Returns an invalid id if the table has no such object.
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
    std::uint32_t part = 0;  ///< the 32 bits of the hash that are compared first, from `part_of`
  };

  static std::uint32_t part_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32 ^ hash); }

  /// Index of the entry with this content or, if there is none, of the free entry where it would be inserted.
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

  std::vector<Place> places_;  ///< number of entries is a power of two; at least a quarter of them are free
  std::size_t count_ = 0;
};

}  // namespace vinculum

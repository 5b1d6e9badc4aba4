#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace vinculum {

/// Index of an object of one kind, as a type of its own, so that indices of different kinds cannot be confused. `Tag`
/// is an incomplete type that names the kind. Default-constructed ids are not valid.
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}
  [[nodiscard]] constexpr bool is_valid() const { return value != kNone; }
  [[nodiscard]] constexpr std::size_t index() const { return value; }
  constexpr auto operator<=>(const Id&) const = default;
};

}  // namespace vinculum

template <class Tag>
struct std::hash<vinculum::Id<Tag>> {
  std::size_t operator()(vinculum::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};

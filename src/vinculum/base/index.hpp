#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

namespace vinculum {

/// Element i of a sequence; i may have any integer type.   \pre 0 ≤ i < size of the sequence
template <class Sequence, std::integral Integer>
[[nodiscard]] constexpr decltype(auto) nth(Sequence&& sequence, Integer i) {
  return std::forward<Sequence>(sequence)[static_cast<std::size_t>(i)];
}

}  // namespace vinculum

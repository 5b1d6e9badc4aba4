#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vinculum::solve {

namespace detail {

template <class Take>
bool choose(std::span<const int> from, std::size_t count, std::vector<int>& chosen, const Take& take) {
  if (chosen.size() == count) return take(chosen);
  for (std::size_t i = 0; i + (count - chosen.size()) <= from.size(); ++i) {
    chosen.push_back(from[i]);
    if (choose(from.subspan(i + 1), count, chosen, take)) return true;
    chosen.pop_back();
  }
  return false;
}

}  // namespace detail

/// Enumerates all subsets of `count` elements of `from`, in lexicographic order, until `take` accepts one.
/// \param take  (const std::vector<int>& subset) → bool
/// \returns whether a subset was accepted
template <class Take>
bool choose(std::span<const int> from, std::size_t count, const Take& take) {
  std::vector<int> chosen;
  return detail::choose(from, count, chosen, take);
}

}  // namespace vinculum::solve

#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

namespace vinculum {

/// A vector that only grows at its end and never moves its elements. Any number of threads may read elements below
/// `size()` while one thread appends. If several threads append, they must use a lock of their own.
template <class T>
class AppendOnly {
 public:
  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_acquire); }
  [[nodiscard]] const T& operator[](std::size_t i) const {
    const std::size_t block = block_of(i);
    return blocks_[block][i - first_of(block)];
  }
  void push_back(T value) {
    const std::size_t i = size_.load(std::memory_order_relaxed), block = block_of(i);
    if (i == first_of(block)) blocks_[block] = std::make_unique<T[]>(kFirst << block);
    blocks_[block][i - first_of(block)] = std::move(value);
    size_.store(i + 1, std::memory_order_release);
  }

 private:
  static constexpr std::size_t kFirst = 256;  ///< size of the first block; each further block is twice as large
  static constexpr std::size_t block_of(std::size_t i) { return std::bit_width(i / kFirst + 1) - 1; }
  static constexpr std::size_t first_of(std::size_t block) { return ((std::size_t{1} << block) - 1) * kFirst; }
  std::array<std::unique_ptr<T[]>, 32> blocks_;
  std::atomic<std::size_t> size_ = 0;
};

}  // namespace vinculum

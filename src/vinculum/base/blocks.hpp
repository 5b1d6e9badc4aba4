#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace vinculum {

/// A vector that only grows at its end, in blocks of equal size, and never moves its elements. Access takes two loads
/// and no division, which is less than for std::deque.
template <class T>
class Blocks {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return blocks_[i / kBlock][i % kBlock]; }
  void push_back(const T& value) {
    if (size_ % kBlock == 0) blocks_.push_back(std::make_unique<T[]>(kBlock));
    blocks_.back()[size_ % kBlock] = value;
    ++size_;
  }

 private:
  static constexpr std::size_t kBlock = 256;
  std::vector<std::unique_ptr<T[]>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace vinculum

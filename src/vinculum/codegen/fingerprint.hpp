#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace vinculum::codegen {

/// 128-bit fingerprint of some contents. It serves as the name of a cached kernel and as the checksum of its bytes. It
/// detects accidental changes, not attacks.
class Fingerprint {
 public:
  using Value = std::array<std::uint64_t, 2>;

  void add(const void* bytes, std::size_t size) noexcept;
  void add(std::uint64_t word) noexcept;
  void add(std::string_view text) noexcept;  ///< adds the length too: ("ab", "c") differs from ("a", "bc")
  /// Adds an array and its length.   \pre T has no padding
  template <class T>
  void add_array(const T* first, std::size_t count) noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    add(std::uint64_t{count});
    add(first, count * sizeof(T));
  }
  [[nodiscard]] Value value() const noexcept;

 private:
  std::uint64_t first_ = 0x243f6a8885a308d3u;  // the initial values are digits of π
  std::uint64_t second_ = 0x13198a2e03707344u;
};

/// The fingerprint as 32 hexadecimal digits.
[[nodiscard]] std::string to_hex(const Fingerprint::Value& value);

}  // namespace vinculum::codegen

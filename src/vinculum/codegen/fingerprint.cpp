#include "vinculum/codegen/fingerprint.hpp"

#include <cstring>

namespace vinculum::codegen {
namespace {

/// Finalizer of splitmix64: every input bit influences every output bit.
std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

void Fingerprint::add(std::uint64_t word) noexcept {
  first_ = (first_ ^ word) * 0x9e3779b97f4a7c15u;
  first_ ^= first_ >> 32;
  second_ = (second_ + word) * 0xd6e8feb86659fd93u;
  second_ ^= second_ >> 29;
}

void Fingerprint::add(const void* bytes, std::size_t size) noexcept {
  const auto* at = static_cast<const unsigned char*>(bytes);
  std::uint64_t word = 0;
  for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
    std::memcpy(&word, at, sizeof word);
    add(word);
  }
  if (size > 0) {
    word = 0;
    std::memcpy(&word, at, size);
    add(word ^ (std::uint64_t{size} << 56));
  }
}

void Fingerprint::add(std::string_view text) noexcept { add_array(text.data(), text.size()); }

Fingerprint::Value Fingerprint::value() const noexcept { return {mix(first_ ^ (second_ >> 1)), mix(second_ + first_)}; }

std::string to_hex(const Fingerprint::Value& value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint64_t word : value) {
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(word >> shift) & 15];
  }
  return text;
}

}  // namespace vinculum::codegen

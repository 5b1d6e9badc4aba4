#include "vinculum/scene/columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>

namespace vinculum::report {
namespace {

/// Appends the least significant byte first, whatever the byte order of the machine.
void append_bytes(std::vector<std::uint8_t>& bytes, std::unsigned_integral auto bits) {
  for (std::size_t k = 0; k < sizeof bits; ++k) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * k)));
}

bool are_alike(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

int SceneColumns::add(std::span<const double> values, Precision precision) {
  const auto count = static_cast<std::int64_t>(values.size());
  const bool is_constant =
      !values.empty() && std::ranges::all_of(values, [&](double v) { return are_alike(v, values.front()); });
  if (is_constant) return add_node(Node::object({{"k", "const"}, {"n", count}, {"b", values.front()}}));
  const std::size_t before = bytes_.size();
  bytes_.resize((before + 7) / 8 * 8);
  Stored column{.number = static_cast<int>(columns_.parts.size()), .begin = bytes_.size(), .precision = precision};
  if (precision == Precision::kDouble) {
    for (const double value : values) append_bytes(bytes_, std::bit_cast<std::uint64_t>(value));
  } else {
    const auto first = std::ranges::find_if(values, [](double v) { return std::isfinite(v); });
    column.base = first == values.end() ? 0.0 : *first;
    for (const double value : values)
      append_bytes(bytes_, std::bit_cast<std::uint32_t>(static_cast<float>(value - column.base)));
  }
  column.size = bytes_.size() - column.begin;
  const auto bytes_of = [this](const Stored& one) { return std::span(bytes_).subspan(one.begin, one.size); };
  const auto same = std::ranges::find_if(stored_, [&](const Stored& one) {
    return one.precision == precision && one.base == column.base && std::ranges::equal(bytes_of(one), bytes_of(column));
  });
  if (same != stored_.end()) {
    bytes_.resize(before);
    return same->number;
  }
  stored_.push_back(column);
  const auto offset = static_cast<std::int64_t>(column.begin);
  if (precision == Precision::kDouble) return add_node(Node::object({{"k", "f64"}, {"n", count}, {"o", offset}}));
  return add_node(Node::object({{"k", "f32"}, {"n", count}, {"o", offset}, {"b", column.base}}));
}

int SceneColumns::add_node(Node column) {
  columns_.add(std::move(column));
  return static_cast<int>(columns_.parts.size()) - 1;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < here ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= here ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

}  // namespace vinculum::report

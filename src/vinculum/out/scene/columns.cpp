#include "vinculum/out/scene/columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>

namespace vinculum::out {
namespace {

/// Least byte first, whatever the machine has.
void append_bytes(std::vector<std::uint8_t>& bytes, std::unsigned_integral auto bits) {
  for (std::size_t k = 0; k < sizeof bits; ++k) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * k)));
}

bool are_alike(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

int SceneColumns::add(std::span<const double> values, Precision precision) {
  const auto number = static_cast<int>(columns_.parts.size());
  const auto count = static_cast<std::int64_t>(values.size());
  const bool is_constant =
      !values.empty() && std::ranges::all_of(values, [&](double v) { return are_alike(v, values.front()); });
  if (is_constant) {
    columns_.add(Node::object({{"k", "const"}, {"n", count}, {"b", values.front()}}));
    return number;
  }
  bytes_.resize((bytes_.size() + 7) / 8 * 8);
  const auto offset = static_cast<std::int64_t>(bytes_.size());
  if (precision == Precision::kDouble) {
    for (const double value : values) append_bytes(bytes_, std::bit_cast<std::uint64_t>(value));
    columns_.add(Node::object({{"k", "f64"}, {"n", count}, {"o", offset}}));
    return number;
  }
  const auto first = std::ranges::find_if(values, [](double v) { return std::isfinite(v); });
  const double base = first == values.end() ? 0.0 : *first;
  for (const double value : values)
    append_bytes(bytes_, std::bit_cast<std::uint32_t>(static_cast<float>(value - base)));
  columns_.add(Node::object({{"k", "f32"}, {"n", count}, {"o", offset}, {"b", base}}));
  return number;
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

}  // namespace vinculum::out

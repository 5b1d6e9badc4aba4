#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vinculum/report/tree.hpp"

/// Module scene: a motion as data for a page that draws it (docs/report.md).
namespace vinculum::report {

/// The numbers of `vinculum-scene/1`: columns in one little-endian buffer. A column of single precision is a base plus
/// float32 values, so that a drift of 1e-12 on 20 J stays visible. Constant columns need no bytes, and a column equal
/// to an earlier one is not stored again (such as a multiplier that an output shows). Exact values are float64.
class SceneColumns {
 public:
  enum class Precision { kSingle, kDouble };
  /// Adds a column. \returns its number, which is the number of an earlier column if one is equal.
  int add(std::span<const double> values, Precision precision = Precision::kSingle);
  /// [{"k": "const" | "f32" | "f64", "n": number of values, "b": base, "o": offset in bytes, a multiple of 8}]. The
  /// base of a constant that is not finite is null.
  [[nodiscard]] const Node& node() const { return columns_; }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  struct Stored {
    int number = 0;
    std::size_t begin = 0, size = 0;  ///< in bytes
    Precision precision = Precision::kSingle;
    double base = 0.0;
  };
  int add_node(Node column);

  Node columns_ = Node::list();
  std::vector<Stored> stored_;
  std::vector<std::uint8_t> bytes_;
};

/// Base64 with padding (RFC 4648).
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace vinculum::report

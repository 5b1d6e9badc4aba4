#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vinculum/report/tree.hpp"

/// The module scene writes a motion as data for a page that draws it (docs/report.md).
namespace vinculum::report {

/// Stores the numbers of the format `vinculum-scene/1`: columns in one little-endian buffer. A column of single
/// precision is a base value plus float32 differences from it, so that a drift of 1e-12 J of an energy of 20 J stays
/// visible. Constant columns need no bytes. A column equal to an earlier one (such as a multiplier that is also an
/// output) is not stored again. Columns of double precision are float64.
class SceneColumns {
 public:
  enum class Precision { kSingle, kDouble };
  /// Adds a column. \returns its number, which is the number of an earlier column if one is equal.
  int add(std::span<const double> values, Precision precision = Precision::kSingle);
  /// Returns the list of columns: [{"k": "const" | "f32" | "f64", "n": number of values, "b": base, "o": offset in
  /// bytes, a multiple of 8}]. The base of a constant that is not finite is null.
  [[nodiscard]] const Node& node() const { return columns_; }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  struct Stored {
    int number = 0;
    std::size_t begin = 0, size = 0;  ///< position and length in bytes
    Precision precision = Precision::kSingle;
    double base = 0.0;
  };
  int add_node(Node column);

  Node columns_ = Node::list();
  std::vector<Stored> stored_;
  std::vector<std::uint8_t> bytes_;
};

/// Encodes bytes as Base64 with padding (RFC 4648).
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace vinculum::report

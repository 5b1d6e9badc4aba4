#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vinculum/report/tree.hpp"

/// A motion as data for a page that draws it (docs/report.md).
namespace vinculum::report {

/// The numbers of `vinculum-scene/1`: columns in one little-endian buffer. A value is a base + a float32, so that a
/// drift of 1e-12 on 20 J stays visible; what does not change costs no bytes, nor does what is there already (the
/// multiplier that an output shows); what must be exact is float64.
class SceneColumns {
 public:
  enum class Precision { kSingle, kDouble };
  /// \returns the number of the column, which may be one that is there.
  int add(std::span<const double> values, Precision precision = Precision::kSingle);
  /// [{"k": "const" | "f32" | "f64", "n": how many, "b": base, "o": offset in bytes, a multiple of 8}]; a constant that
  /// is not finite has null for its base.
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

/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace vinculum::report

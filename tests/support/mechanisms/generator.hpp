#pragma once

#include <cstdint>

#include "support/mechanisms/mechanism.hpp"

namespace vinculum::mechanisms {

/// A mechanism of one to four bodies in space or in the plane, by its seed alone: joints and relations of every kind in
/// frames of every kind, with consistent guesses for a start. Its rows may depend on each other, and may hold already.
struct GeneratorOptions {
  bool has_turns = true;  ///< frames that differ by constant rotations
  bool shares = true;     ///< several bodies in one rigid frame
};
[[nodiscard]] Mechanism random_mechanism(std::uint64_t seed, GeneratorOptions options = {});

}  // namespace vinculum::mechanisms

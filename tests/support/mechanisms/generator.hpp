#pragma once

#include <cstdint>

#include "support/mechanisms/mechanism.hpp"

namespace vinculum::mechanisms {

/// Generates a mechanism of one to four bodies, spatial or plane, from its seed alone: joints and relations of every
/// kind in frames of every kind, with consistent guesses for a start. Rows may be redundant or hold identically.
struct GeneratorOptions {
  bool has_turns = true;  ///< frames that differ by constant rotations
  bool shares = true;     ///< several bodies may have the same rigid frame
};
[[nodiscard]] Mechanism random_mechanism(std::uint64_t seed, GeneratorOptions options = {});

}  // namespace vinculum::mechanisms

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// All data, between two calls of `Run::reach`, on which the rest of a run depends. A run that continues from this
/// memory has the same bits as the run from which the memory was taken would have had.
struct RunMemory {
  double t = 0.0;
  Vector y;                ///< [ny] state of the run
  Mode mode;               ///< mode of the run, without `Mode::faces`, which a run constructs again
  double next_step = 0.0;  ///< [s] size of the next trial step; 0: the method's proposal
  double duration = 0.0;   ///< [s] duration of the run; the times of events are relative to it
  Vector reached;          ///< [ny] largest magnitudes of the state so far, see integrate::Problem::reached
  Sizes sizes;             ///< typical magnitudes of the run
  std::array<double, 3> setting_off{};  ///< data that class SettingOff stores
};

/// Writes the memory as bytes, which another process can read: little-endian, numbers as their 8 bytes.
[[nodiscard]] std::string to_bytes(const RunMemory& memory);
/// \returns nothing if the bytes are not those of a memory.
[[nodiscard]] std::optional<RunMemory> memory_from(std::string_view bytes);

}  // namespace vinculum::sim

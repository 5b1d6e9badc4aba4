#pragma once

#include <cstdint>
#include <optional>

#include "audit/motions.hpp"
#include "support/mechanisms/engine.hpp"
#include "support/mechanisms/generator.hpp"

namespace vinculum::audit {

/// Run of a mechanism over 0.05 s, with all forces and torques as outputs. Empty if the model is rejected or the run
/// stops.
inline std::optional<Motion> motion_of(const mechanisms::Mechanism& m) {
  const mechanisms::Reading reading = mechanisms::read(m, mechanisms::Structure(m));
  if (!reading.has_motion()) return std::nullopt;
  const std::size_t end = reading.text.rfind("run 0");
  std::optional<Motion> motion(std::in_place, reading.text.substr(0, end) + "run 0.05 tolerance 1e-9\n",
                               [](sim::SimulateOptions& options) { options.output_step = 0.01; });
  if (motion->trajectory.stopped || motion->trajectory.samples.empty()) return std::nullopt;
  return motion;
}

inline std::optional<Motion> random_motion(std::uint64_t seed) { return motion_of(mechanisms::random_mechanism(seed)); }

}  // namespace vinculum::audit

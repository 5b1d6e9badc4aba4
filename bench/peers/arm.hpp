#pragma once

#include <array>

/// The seven-joint arm of models/arm_open.vin and arm_closed.vin, as data for the peers.
namespace vinculum::bench {

struct Link {
  std::array<double, 3> joint;    ///< [m] from the previous joint, in the previous link's axes
  std::array<double, 3> axis;     ///< in the axes of both links
  double mass;                    ///< [kg]
  std::array<double, 3> center;   ///< [m] from the joint, in the link's axes
  std::array<double, 3> inertia;  ///< [kg m²] about the mass centre
};

inline constexpr std::array<Link, 7> kArm{{
    {{0, 0, 0}, {0, 0, 1}, 105.98, {0.25082, 0, -0.175}, {3.061, 12.19, 12.19}},
    {{0.25082, 0, -0.175}, {1, 0, 0}, 105.98, {0.175, 0, -0.25082}, {12.19, 12.13, 3.061}},
    {{0.175, 0, -0.25082}, {0, 0, 1}, 314.88, {4, 0, -0.175}, {15.41, 2094.71, 2103.19}},
    {{7.61164, 0, -0.6}, {0, 0, 1}, 279.2, {-3.6, 0, -0.175}, {9.522, 1966.28, 1966.28}},
    {{-7.61164, 0, -0.35}, {0, 0, -1}, 105.98, {0, 0, 0}, {8.305, 8.0386, 3.061}},
    {{-0.175, 0, -0.25082}, {1, 0, 0}, 105.98, {0, 0, 0}, {3.061, 12.13, 12.13}},
    {{-0.25082, 0, -0.175}, {0, 0, 1}, 243.66, {0, 0, -0.5}, {44.41, 44.41, 9.336}},
}};

/// Joint angles [rad] and rates [rad/s] of one state, and what comes out.
struct ArmState {
  std::array<double, 7> q, u;
};
struct ArmResult {
  std::array<double, 7> u_dot{};  ///< [rad/s²]
  double nanoseconds = 0.0;       ///< median of an evaluation
};
enum class ArmTip { kFree, kLatched };

/// Accelerations at the state; `latched`: the last link welded to the ground where it is.
[[nodiscard]] ArmResult run_simbody_arm(ArmTip tip, const ArmState& state, int repeats);
/// MuJoCo's weld is soft: its accelerations are near the latched ones, not the same.
[[nodiscard]] ArmResult run_mujoco_arm(ArmTip tip, const ArmState& state, int repeats);

}  // namespace vinculum::bench

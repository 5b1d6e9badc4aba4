#pragma once

#include <vector>

#include "vinculum/compiled/motion_equations.hpp"
#include "vinculum/motion/mode.hpp"

namespace vinculum::sensitivity {

/// The equations of a model while its friction contacts stick and slip as in a mode.
struct FrictionEquations {
  sim::MotionEquations motion;        ///< without directions of friction
  std::vector<expr::Expr> resting;    ///< velocities of the contacts that stick: 0 in this mode
  std::vector<std::size_t> sticking;  ///< indices of the contacts that stick
  /// [sticking] |friction force|² − its largest value², functions of state and unknowns: 0 where the contact starts to
  /// slip
  std::vector<expr::Expr> margins;
  std::vector<expr::Expr> from, to;  ///< directions of friction, and their values in the mode
};

/// [slides] Unit vector of the line along which a contact slides, in components of its sliding velocity; empty if the
/// constraints leave it a plane, or if the line turns. Decided at two random states.
[[nodiscard]] std::vector<Vector> lines_of_friction(const sim::MotionEquations& all,
                                                    std::span<const double> parameters);

/// The sliding velocity along a line.
[[nodiscard]] expr::Expr velocity_along(const equations::Slide& slide, const Vector& line);

/// A contact that slips has the direction v/|v|, along a line the direction in the mode. For a contact that sticks, the
/// friction force becomes an unknown, and v' = 0 an equation.
/// \param lines  as lines_of_friction
[[nodiscard]] FrictionEquations friction_equations(const sim::MotionEquations& all, const sim::FrictionState& friction,
                                                   const std::vector<Vector>& lines);

}  // namespace vinculum::sensitivity

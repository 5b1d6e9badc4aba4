#include "vinculum/run/standard_guards.hpp"

namespace vinculum::sim {

std::vector<GuardRow> standard_guards() {
  return {
      {"switches", make_switch_guard},
      {"knots", make_knot_guard},
      {"inertia", make_inertia_guard},
      {"sliding", make_sliding_guard},
      {"stick-slip", make_stick_slip_guard},
      {"rank", make_rank_guard},
      {"collapse", make_collapse_guard},
      {"efforts", make_effort_guard},
      {"angles", make_angle_guard},
      {"slowness", make_slowness_guard},
      {"speeds", make_nonlinear_speeds_guard},
      {"reactions", make_reaction_guard},
  };
}

}  // namespace vinculum::sim

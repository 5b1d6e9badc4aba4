#include "vinculum/run/standard_sources.hpp"

namespace vinculum::sim {

std::vector<SourceRow> standard_sources() {
  return {
      {"timed events", make_timed_event_source},  // first: they set states that other sources read at the start
      {"contacts", make_contact_source},          // before switches, which read at the start which contacts are closed
      {"switches", make_switch_source},
      {"knots", make_knot_source},
      {"inertia", make_inertia_source},
      {"sliding", make_sliding_source},
      {"stick-slip", make_stick_slip_source},
      {"rank", make_rank_source},
      {"collapse", make_collapse_source},
      {"efforts", make_effort_source},
      {"angles", make_angle_source},
      {"slowness", make_slowness_source},
      {"speeds", make_nonlinear_speeds_source},
      {"reactions", make_reaction_source},
  };
}

}  // namespace vinculum::sim

#include "vinculum/hybrid/state_in_step.hpp"

namespace vinculum::sim {

Outcome<void> state_in_step(Dynamics& dynamics, const Mode& mode, const integrate::Step& step, double t, Vector& y) {
  if (t == step.t_begin()) {
    y = step.y_begin();
  } else if (t == step.t_end()) {
    y = step.y_end();
  } else if (auto done = step.interpolate(t, y); !done) {
    return done;
  } else if (const auto moved = dynamics.project(mode, t, y.data()); !moved) {
    return fail(moved.error());
  }
  return {};
}

}  // namespace vinculum::sim

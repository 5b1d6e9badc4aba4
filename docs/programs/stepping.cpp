#include <iostream>
#include <vinculum/vinculum.hpp>

int main() {
  const auto model = vinculum::Model::load("pendulum.vin").value();
  auto simulation = model.simulation().value();  // begins at the start of the model
  for (int k = 1; k <= 4; ++k) {
    if (const auto moved = simulation.advance(0.25 * k); !moved) std::cerr << moved.error().text();
    const vinculum::State& state = simulation.state();
    std::cout << state.t << " s: x = " << state.q[0] << ", u' = " << simulation.accelerations().value()[0] << "\n";
  }
  const vinculum::Matrices m = simulation.matrices().value();
  std::cout << "M is " << m.M.rows << " by " << m.M.columns << ", A = " << m.A(0, 0) << " " << m.A(0, 1) << "\n";

  vinculum::State pushed = simulation.state();  // any state; it is projected onto the constraints
  pushed.u = {0.0, 3.0};
  if (const auto set = simulation.set_state(pushed); !set) std::cerr << set.error().text();
  std::cout << "tension now " << -simulation.forces().value().lambda[0] << " N\n";
}

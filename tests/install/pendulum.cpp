// A pendulum built by a program: ModelBuilder, compiled, started, moved, and the tension read off.

#include <cmath>
#include <cstdio>
#include <vector>

#include "vinculum/mechanics/builder.hpp"
#include "vinculum/sim/run/simulate.hpp"

int main() {
  using namespace vinculum;
  mechanics::ModelBuilder builder("pendulum");
  const auto N = mechanics::Model::newtonian();
  const auto x = builder.add_coordinate("x");
  const auto y = builder.add_coordinate("y");
  const auto O = builder.add_fixed_point("O", N);
  const auto P = builder.point_of(builder.add_particle(
      "P", builder.number(2.0), O, builder.q(x) * builder.axis(N, 0) + builder.q(y) * builder.axis(N, 1)));
  builder.add_gravity(builder.number(-9.81) * builder.axis(N, 1));
  builder.add_constraint("rod", builder.terms().norm(builder.pos(P, O)) - builder.number(0.5));
  using Start = mechanics::StartCondition;
  builder.add_start({Start::On::kCoordinate, 0, mechanics::StartKind::kHeld, builder.number(0.0), {}});
  builder.add_start({Start::On::kCoordinate, 1, mechanics::StartKind::kGuess, builder.number(-1.0), {}});

  const auto model = builder.finish();
  if (!model) return 1;
  const auto compiled = sim::compile_model(*model);
  if (!compiled) return 1;
  sim::Dynamics dynamics(*compiled);
  sim::SimulateOptions options;
  options.duration = 1.0;
  const sim::Trajectory run = sim::simulate(dynamics, options);
  if (run.stopped) return 1;
  const double tension = -run.end().reaction.lambda()[0];
  std::printf("y = %.12g m, tension = %.12g N\n", run.end().q[1], tension);
  return std::abs(tension - 2.0 * 9.81) < 1e-9 && std::abs(run.end().q[1] + 0.5) < 1e-12 ? 0 : 1;
}

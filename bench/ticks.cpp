// Cost of a tick of a control loop: `Simulation::set_input` and `advance`, for 1e5 ticks. Goal: at most 2 µs per tick
// in addition to the step of the integration, whose cost is that of a tick of the same length with a constant input.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "vinculum/vinculum.hpp"

namespace {

using namespace vinculum;

constexpr int kTicks = 100'000;
constexpr double kTick = 1e-3;

/// Microseconds per tick, of all of them: without inputs, and with `inputs` new values per tick.
double microseconds(const Model& model, bool sets) {
  Simulation simulation = model.simulation().value();
  std::vector<Simulation::Input> inputs;
  for (const Entity& input : model.inputs()) inputs.push_back(simulation.input(input.name).value());
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 1; k <= kTicks; ++k) {
    for (const Simulation::Input input : inputs)
      if (sets && !simulation.set_input(input, std::sin(1e-3 * k))) return -1.0;
    if (!simulation.advance(kTick * k)) return -1.0;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return 1e6 * seconds / kTicks;
}

constexpr const char* kMass = R"(model mass
frame N newtonian
point O fixed in N
coord x
particle P mass 1 at O + x*N.x
input u
force on P = (u - 4*x - x')*N.x
run 1
)";

constexpr const char* kPendulum = R"(model pendulum
frame N newtonian
point O fixed in N
coord x, y
particle P mass 1 at O + x*N.x + y*N.y
gravity -9.81*N.y
constraint rod: norm(pos(P, O)) = 1
input u
force on P = u*N.x
start x = 0.6, y ~ -0.8
run 1
)";

}  // namespace

int main() {
  for (const auto& [name, text] : {std::pair("mass", kMass), std::pair("pendulum with a rod", kPendulum)}) {
    const Model model = Model::from_text(text).value();
    std::vector<double> held, set;
    for (int i = 0; i < 5; ++i) {
      held.push_back(microseconds(model, false));
      set.push_back(microseconds(model, true));
    }
    std::ranges::sort(held);
    std::ranges::sort(set);
    fmt::print("{:20} constant input {:6.2f} us per tick, new input {:6.2f}, difference {:5.2f}\n", name, held[2],
               set[2], set[2] - held[2]);
  }
}

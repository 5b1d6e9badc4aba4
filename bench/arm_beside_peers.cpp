// Accelerations of a seven-joint arm from its text model, open and with both ends latched (six rows), beside Simbody
// and MuJoCo on the same arm in the same run; one core, medians. Goals: 300 ns open, 600 ns with six constraints. Work
// counted: state in, accelerations (and, latched, multipliers) out. MuJoCo's weld is soft: it is shown, not compared.

#include <fmt/format.h>

#include <cmath>

#include "peers/arm.hpp"
#include "peers/median_time.hpp"
#include "support/models.hpp"
#include "vinculum/sim/plant/dynamics.hpp"
#include "vinculum/sim/start/assembly.hpp"

namespace {

using namespace vinculum;
using bench::ArmResult;
using bench::ArmState;
using bench::ArmTip;

struct Ours {
  ArmState state;
  ArmResult result;
  std::size_t operations = 0;
  long fallbacks = 0;  ///< evaluations that the pivoted solver had to take over
};

Ours run_ours(const char* name) {
  const auto compiled = test_support::compiled(
      test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / (std::string(name) + ".vin")),
      codegen::Backend::kNative);
  sim::Dynamics dynamics(compiled);
  const auto start = sim::assemble(dynamics);
  if (!start) throw std::runtime_error(start.error().message);
  std::vector<double> y(start->q.begin(), start->q.end());
  y.insert(y.end(), start->u.begin(), start->u.end());
  std::vector<double> y_dot(y.size());
  Ours ours;
  (void)bench::median_nanoseconds(
      20000, [&] { (void)dynamics.derivative(start->t0, y.data(), y_dot.data()); });  // code is exchanged meanwhile
  ours.result.nanoseconds =
      bench::median_nanoseconds(20000, [&] { (void)dynamics.derivative(start->t0, y.data(), y_dot.data()); });
  for (std::size_t i = 0; i < 7; ++i) {
    ours.state.q[i] = y[i];
    ours.state.u[i] = y[7 + i];
    ours.result.u_dot[i] = y_dot[7 + i];
  }
  ours.operations = static_cast<std::size_t>(compiled->accelerations.kernel->operation_count());
  ours.fallbacks = dynamics.counts().fallbacks;
  return ours;
}

double difference(const ArmResult& a, const ArmResult& b) {
  double largest = 0.0, size = 0.0;
  for (std::size_t i = 0; i < 7; ++i) {
    largest = std::max(largest, std::abs(a.u_dot[i] - b.u_dot[i]));
    size = std::max(size, std::abs(a.u_dot[i]));
  }
  return largest / size;
}

void compare(const char* title, const char* model, ArmTip tip, double goal) {
  const Ours ours = run_ours(model);
  const ArmResult simbody = bench::run_simbody_arm(tip, ours.state, 300);
  const ArmResult mujoco = bench::run_mujoco_arm(tip, ours.state, 2000);
  fmt::print("{}\n  Vinculum {:8.0f} ns  ({} operations, {} fallbacks; goal {:.0f} ns)\n", title,
             ours.result.nanoseconds, ours.operations, ours.fallbacks, goal);
  fmt::print("  Simbody  {:8.0f} ns  {:5.1f} times; accelerations differ by {:.1e} of the largest\n",
             simbody.nanoseconds, simbody.nanoseconds / ours.result.nanoseconds, difference(ours.result, simbody));
  fmt::print("  MuJoCo   {:8.0f} ns  {:5.1f} times; accelerations differ by {:.1e} of the largest\n",
             mujoco.nanoseconds, mujoco.nanoseconds / ours.result.nanoseconds, difference(ours.result, mujoco));
}

}  // namespace

int main() {
  compare("open arm", "arm_open", ArmTip::kFree, 300.0);
  compare("latched arm, six constraints", "arm_closed", ArmTip::kLatched, 600.0);
}

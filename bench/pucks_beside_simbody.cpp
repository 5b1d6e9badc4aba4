// Ten seconds of the two pucks ([R] Example 3) at equal achieved error, compared with Simbody, in which the same
// constraint is a Constraint::Custom. Both programs run with several tolerances; the fastest runs with an error of at
// most 1e-9 m are compared. Goal: 50 times faster. Only the integration without output is measured, not building and
// compiling.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "peers/simbody_pucks.hpp"
#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace {

using vinculum::bench::Run;
using vinculum::bench::SimbodyMethod;

// q1..q4 at t = 10 s: tests/reference/compute_references.py
constexpr double kReference[4] = {10.4635677093694722, 14.5669987163307123, 29.5487086342578558, 39.4388969475153715};
constexpr double kErrorAllowed = 1e-9;
constexpr int kRepeats = 7;

Run run_vinculum(vinculum::sim::Dynamics& dynamics, const vinculum::sim::Start& start, const std::string& method,
                 double tolerance) {
  vinculum::sim::SimulateOptions options;
  options.duration = 10.0;
  options.method = method;
  options.tolerance = tolerance;
  options.output_step = 10.0;
  std::vector<double> seconds;
  Run result;
  for (int i = 0; i < 25; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto trajectory = vinculum::sim::simulate(dynamics, start, options);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    result.error = 0.0;
    for (int k = 0; k < 4; ++k) result.error = std::max(result.error, std::abs(trajectory.end().q[k] - kReference[k]));
  }
  std::ranges::sort(seconds);
  result.seconds = seconds[seconds.size() / 2];
  return result;
}

void keep_best(std::optional<Run>& best, const Run& run) {
  if (run.error <= kErrorAllowed && (!best || run.seconds < best->seconds)) best = run;
}

void print(const std::string& name, double tolerance, const Run& run) {
  fmt::print("{:<28} tolerance {:7.0e}   error {:9.2e} m   {:10.1f} us\n", name, tolerance, run.error,
             run.seconds * 1e6);
}

}  // namespace

int main() {
  using vinculum::test_support::compiled;
  using vinculum::test_support::model_of_file;
  const auto model = compiled(model_of_file(std::filesystem::path(VINCULUM_MODELS) / "pucks_parallel.vin"),
                              vinculum::codegen::Backend::kNative);
  vinculum::sim::Dynamics dynamics(model);
  const auto start = vinculum::sim::assemble(dynamics);
  if (!start) return 1;

  std::optional<Run> ours;
  std::optional<Run> simbody;
  for (int digits = 4; digits <= 13; ++digits) {
    const double tolerance = std::pow(10.0, -digits);
    for (const char* method : {"dop853", "dp5"}) {
      const Run run = run_vinculum(dynamics, *start, method, tolerance);
      print(std::string("Vinculum ") + method, tolerance, run);
      keep_best(ours, run);
    }
    const auto peer = [&](const char* name, SimbodyMethod method) {
      const auto run = vinculum::bench::run_simbody_pucks(method, tolerance, kReference, kRepeats);
      if (!run) return fmt::print("{:<28} tolerance {:7.0e}   threw\n", name, tolerance);
      print(name, tolerance, *run);
      keep_best(simbody, *run);
    };
    peer("Simbody RungeKuttaMerson", SimbodyMethod::kRungeKuttaMerson);
    peer("Simbody RungeKuttaFeldberg", SimbodyMethod::kRungeKuttaFeldberg);
    peer("Simbody CPodes", SimbodyMethod::kCPodes);
  }
  if (!ours || !simbody) {
    fmt::print("no run of {} reached an error of {:g} m\n", ours ? "Simbody" : "Vinculum", kErrorAllowed);
    return 1;
  }
  fmt::print("\ncheapest at error <= {:g} m: Vinculum {:.1f} us, Simbody {:.1f} us: {:.0f} times faster (goal 50)\n",
             kErrorAllowed, ours->seconds * 1e6, simbody->seconds * 1e6, simbody->seconds / ours->seconds);
}

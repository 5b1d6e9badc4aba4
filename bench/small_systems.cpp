// usage: small_systems [NAME…]
//
// Times of small systems, for which code written by hand is the measure: the right-hand side with constraints, and
// whole runs. Native code, one core. Prints one line of JSON per case: lowest and median time of batches [s], and the
// operation count of the kernel. The file also compiles in the source tree of version 0.3.0, which has the same models;
// `beside_version.py` runs both programs in turn.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>

#include "peers/times.hpp"
#include "support/models.hpp"
#if __has_include("vinculum/motion/dynamics.hpp")
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/run/simulate.hpp"
#else
#include "vinculum/sim/dynamics.hpp"
#include "vinculum/sim/simulate.hpp"
#endif

namespace {

using namespace vinculum;

// Operation count above which optimized code replaces the first code after a while.
constexpr std::size_t kCompiledTwice = 1000;

struct Case {
  std::string name;
  std::string model;       ///< a file below models/, or a text
  double tolerance = 0.0;  ///< of a whole run; 0: only the right-hand side is measured
};

const char* const kChain =
    "model chain\nframe N newtonian\npoint P[0] fixed in N\nparam m = 1, g = 9.81, length = 0.5\n"
    "coord q[1..10]\ngravity -g*N.y\n"
    "for i in 1..10 {\n  particle P[i] mass m at P[i-1] + length*(sin(q[i])*N.x - cos(q[i])*N.y)\n}\n"
    "start q[1] = 0.3, q[4] = -0.2\nrun 1\n";

const std::vector<Case> kCases{{"rolling disk", "rolling_disk.vin"},
                               {"pucks", "pucks_parallel.vin"},
                               {"knife edge", "chaplygin_sleigh.vin"},
                               {"double pendulum", "double_pendulum.vin"},
                               {"double pendulum, rows three times", "double_pendulum_redundant.vin"},
                               {"four-bar", "four_bar.vin"},
                               {"chain of 10", kChain},
                               {"arm", "arm_open.vin"},
                               {"arm, latched", "arm_closed.vin"},
                               {"Andrews to 1e-8", "../bench/iftomm/andrews.vin", 1e-8}};

void print(const Case& one, const bench::Times& times, std::size_t operations) {
  fmt::print(R"({{"case": "{}", "lowest": {:.6g}, "median": {:.6g}, "operations": {}}})"
             "\n",
             one.name, times.lowest, times.median, operations);
  std::fflush(stdout);
}

/// Operation count of the kernel that is tried first.
std::size_t operations_of(const sim::Binding& bound) {
  if (bound.reduced_accelerations.kernel) return bound.reduced_accelerations.kernel->operation_count();
  return bound.accelerations.kernel->operation_count();
}

void measure(const Case& one) {
  const bool is_text = one.model.starts_with("model ");
  const auto model = is_text ? test_support::model_of_text(one.model)
                             : test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / one.model);
  const auto bound = test_support::compiled(model, codegen::Backend::kNative);
  const std::size_t operations = operations_of(*bound);
  if (operations > kCompiledTwice || one.tolerance > 0.0) std::this_thread::sleep_for(std::chrono::seconds(4));
  sim::Dynamics dynamics(bound);
  const auto start = sim::assemble(dynamics);
  if (!start) throw std::runtime_error(start.error().message);
  if (one.tolerance > 0.0) {
    sim::SimulateOptions options = sim::options_of(*model);
    options.tolerance = one.tolerance;
    options.output_step = options.duration;
    print(one, bench::times_of([&] { (void)sim::simulate(dynamics, *start, options); }), operations);
    return;
  }
  std::vector<double> y(start->q.begin(), start->q.end());
  y.insert(y.end(), start->u.begin(), start->u.end());
  std::vector<double> y_dot(y.size());
  const double t = start->t0;
  print(one, bench::times_of([&] {
          if (!dynamics.derivative(t, y.data(), y_dot.data())) throw std::runtime_error("no derivative");
          asm volatile("" ::: "memory");
        }),
        operations);
}

}  // namespace

int main(int count, char** words) {
  try {
    for (const Case& one : kCases) {
      const bool is_asked =
          count < 2 ||
          std::any_of(
              words + 1, words + count, [&](const char* word) { return one.name.find(word) != std::string::npos; });
      if (is_asked) measure(one);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

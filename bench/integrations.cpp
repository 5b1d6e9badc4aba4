// usage: integrations MODEL SECONDS METHOD TOLERANCE… [NAME=VALUE…]
//
// Integrates a text model from its start by one method at several tolerances. Prints one line of JSON per run: time of
// the run without samples, and the state at its end. METHOD is one of Vinculum's methods, or `cvode`: the BDF method of
// SUNDIALS on the same right-hand side, with a dense Jacobian by its own differences. If there are constraints, the
// state is projected onto them after every step.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

#include "model_with_values.hpp"
#include "peers/cvode.hpp"
#include "peers/times.hpp"
#include "vinculum/run/simulate.hpp"

namespace {

using namespace vinculum;

struct Run {
  double lowest = 0.0, median = 0.0;  ///< [s] of processor time
  long steps = 0;
  std::vector<double> y;
  std::string stopped;
};

constexpr int kRepeats = 5;
constexpr double kLongRun = 2.0;  // [s] of processor time; longer runs are not repeated

template <class Call>
Run repeated(const Call& call) {
  std::vector<double> seconds;
  Run run;
  for (int i = 0; i < kRepeats; ++i) {
    const double begin = bench::processor_seconds();
    run = call();
    seconds.push_back(bench::processor_seconds() - begin);
    if (seconds.back() > kLongRun) break;
  }
  std::ranges::sort(seconds);
  run.lowest = seconds.front();
  run.median = seconds[seconds.size() / 2];
  return run;
}

Run by_vinculum(sim::Dynamics& dynamics, const sim::Start& start, double duration, const std::string& method,
                double tolerance) {
  sim::SimulateOptions options;
  options.duration = options.output_step = duration;
  options.method = method;
  options.tolerance = tolerance;
  const auto trajectory = sim::simulate(dynamics, start, options);
  Run run;
  run.steps = static_cast<long>(trajectory.step_times.size());
  if (trajectory.stopped) run.stopped = trajectory.stopped->message;
  if (trajectory.samples.empty()) return run;
  run.y.assign(trajectory.end().q.begin(), trajectory.end().q.end());
  run.y.insert(run.y.end(), trajectory.end().u.begin(), trajectory.end().u.end());
  return run;
}

Run by_cvode(sim::Dynamics& dynamics, const sim::Start& start, double duration, double tolerance) {
  bench::CvodeProblem problem;
  dynamics.set_scale(Vector::Ones(start.q.size() + start.u.size()), tolerance);
  const bool has_rows = dynamics.binding()->system->nc() > 0;
  problem.y.assign(start.q.begin(), start.q.end());
  problem.y.insert(problem.y.end(), start.u.begin(), start.u.end());
  problem.derivative = [&](double t, const double* y, double* y_dot) {
    return dynamics.derivative(t, y, y_dot).has_value();
  };
  std::vector<double> y_dot(problem.y.size());
  if (has_rows) {
    problem.project = [&](double t, double* y) {
      return dynamics.derivative(t, y, y_dot.data()).has_value() && dynamics.project(t, y).has_value();
    };
  }
  const auto answer = bench::run_cvode(problem, duration, tolerance);
  return {0.0, 0.0, answer.steps, answer.y, answer.failure};
}

void print(const std::string& method, double tolerance, const Run& run) {
  fmt::print(R"({{"method": "{}", "tolerance": {:g}, "lowest": {:.9g}, "median": {:.9g}, "steps": {}, "state": [{}])",
             method, tolerance, run.lowest, run.median, run.steps, fmt::join(run.y, ", "));
  if (!run.stopped.empty())
    fmt::print(R"(, "stopped": "{}")", run.stopped.substr(0, run.stopped.find_first_of("\"\n")));
  fmt::print("}}\n");
  std::fflush(stdout);
}

void integrate_all(const std::filesystem::path& path, double duration, const std::string& method,
                   std::span<char*> words) {
  const auto is_value = [](std::string_view word) { return word.find('=') != word.npos; };
  const auto values = std::ranges::find_if(words, is_value);
  const auto compiled = bench::compiled_with(path, {values, words.end()});
  sim::Dynamics dynamics(compiled);
  const auto start = sim::assemble(dynamics);
  if (!start) throw std::runtime_error(start.error().message);
  for (auto word = words.begin(); word != values; ++word) {
    const double tolerance = std::stod(*word);
    print(method, tolerance, repeated([&] {
            return method == "cvode" ? by_cvode(dynamics, *start, duration, tolerance)
                                     : by_vinculum(dynamics, *start, duration, method, tolerance);
          }));
  }
}

}  // namespace

int main(int count, char** words) {
  if (count < 5) return 2;
  try {
    integrate_all(words[1], std::stod(words[2]), words[3], std::span(words + 4, words + count));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

// usage: tree_accelerations MODEL [NAME=VALUE…] <STATE
//
// Accelerations of a text model at a state that is read from standard input. Prints one line of JSON: time of an
// evaluation, and time from the text to the first evaluation. The input has the format of peers/tree.hpp; only its
// `state` lines are used. If it contains `start` instead, the state is the assembled start of the model. The state is
// printed as well.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <span>

#include "model_with_values.hpp"
#include "peers/times.hpp"
#include "vinculum/codegen/background_compiler.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/start/assembly.hpp"
#include "vinculum/vinculum.hpp"

namespace {

using namespace vinculum;

/// [q, u] of `state q u` lines; empty for `start`.
std::vector<double> read_state() {
  std::vector<double> q, u;
  for (std::string word; std::cin >> word;) {
    if (word != "state") continue;
    std::cin >> q.emplace_back() >> u.emplace_back();
  }
  q.insert(q.end(), u.begin(), u.end());
  return q;
}

std::vector<double> start_of(sim::Dynamics& dynamics) {
  const auto start = sim::assemble(dynamics);
  if (!start) throw std::runtime_error(start.error().message);
  std::vector<double> y(start->q.begin(), start->q.end());
  y.insert(y.end(), start->u.begin(), start->u.end());
  return y;
}

void require(const Outcome<void>& outcome) {
  if (!outcome) throw std::runtime_error(outcome.error().message);
}

void run(const std::filesystem::path& path, std::span<char*> values) {
  std::vector<double> y = read_state();
  const auto begin = bench::Clock::now();
  const auto compiled = bench::compiled_with(path, values);
  sim::Dynamics dynamics(compiled);
  if (y.empty()) y = start_of(dynamics);
  std::vector<double> y_dot(y.size());
  require(dynamics.derivative(0.0, y.data(), y_dot.data()));
  const double ready = bench::seconds_since(begin);
  if (auto* background = codegen::background_compiler())
    background->wait();  // until optimized code has replaced the first code
  const double settled = bench::seconds_since(begin);
  const auto times = bench::times_of([&] { (void)dynamics.derivative(0.0, y.data(), y_dot.data()); });
  const auto half = static_cast<std::ptrdiff_t>(y.size() / 2);
  const std::string more =
      fmt::format(R"(, "settled": {}, "derive": {}, "compile": {}, "operations": {}, "fallbacks": {}, "state": [{}])",
                  settled, compiled->seconds_derive, compiled->seconds_compile,
                  compiled->accelerations.kernel ? compiled->accelerations.kernel->operation_count() : 0,
                  dynamics.counts().fallbacks, fmt::join(y, ", "));
  bench::print_answer("Vinculum " + std::string(version()), times, ready, {y_dot.begin() + half, y_dot.end()}, more);
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return 2;
  try {
    run(words[1], std::span(words + 2, words + count));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

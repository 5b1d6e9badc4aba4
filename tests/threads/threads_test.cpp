#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "vinculum/vinculum.hpp"

namespace vinculum {
namespace threads_test {

constexpr int kThreads = 8;

/// Eight threads use all functions of one model, each in another order; all get the results of a single thread.
void share(const std::string& name, const std::string& laws) {
  const Model model = Model::load(VINCULUM_MODELS "/" + name, {.backend = Backend::kTape, .cache = ""}).value();
  const std::vector<std::function<std::string(const Model&)>> tasks{
      [](const Model& m) {
        const Trajectory run = m.run().value();
        std::string bits(reinterpret_cast<const char*>(run.q().values.data()), run.q().values.size() * sizeof(double));
        return bits + (run.audit(3).holds() ? "holds" : "broken");
      },
      [](const Model& m) { return m.explain().value().text(); },
      [](const Model& m) { return m.derive().value().text(); },
      [&laws](const Model& m) {
        CompareOptions options{.laws = laws, .until = 0.1};
        if (laws.empty()) options.formulations = {Formulation::kExplicit, Formulation::kAugmented};
        const Comparison comparison = m.compare(options).value();
        std::string distances = comparison.diagnostics().text;
        for (const Comparison::Variant& one : comparison.variants()) distances += std::to_string(one.coordinates) + " ";
        return distances;
      },
      [](const Model& m) {
        const Trajectory run = m.run({.until = 0.1, .record = {.energy = true}}).value();
        return std::to_string(run.energy().value().worst) +
               std::to_string(run.multiplier(m.constraints()[0].name).value()(0));
      },
      [](const Model& m) { return std::to_string(m.forces(m.assemble().value()).value().lambda[0]); },
      [](const Model& m) {
        Simulation simulation = m.simulation().value();
        return simulation.advance(0.05) ? std::to_string(simulation.state().q[0]) : "stopped";
      }};
  std::vector<std::string> expected;
  const Model alone = Model::load(VINCULUM_MODELS "/" + name, {.backend = Backend::kTape, .cache = ""}).value();
  for (const auto& task : tasks) expected.push_back(task(alone));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t k = 0; k < tasks.size(); ++k) {
        const std::size_t task = (k + static_cast<std::size_t>(thread)) % tasks.size();
        if (tasks[task](model) != expected[task]) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0) << name;
}

TEST(Threads, ShareAModelOfAPendulum) { share("pendulum.vin", "ideal,stiff(kappa=1e4)"); }
TEST(Threads, ShareAModelOfASkate) { share("skate_ideal.vin", "ideal,vakonomic"); }
TEST(Threads, ShareAModelWithFriction) { share("friction_incline_sticks.vin", ""); }

// Radau's gradient and the search for causes of slowness derive equations during a run, while other threads derive
// equations from the same model. The terms that they add are protected by the lock of the pool.
TEST(Threads, DeriveWithinTheirRunsFromOneModel) {
  const std::string text =
      "model stiff \"stiff and damped\"\ncoord x, y\nlagrangian x'^2/2 + y'^2/2 - y\n"
      "constraint c: x' = y'\n  law viscous kappa = 1e6\n"
      "start x = 0, y = 0, x' = 1, y' = 0\nrun 10\n";
  const Model model = Model::from_text(text, {.backend = Backend::kTape, .cache = ""}).value();
  const auto moved = [&model](const std::string& method) {
    const RunOptions options{.tolerance = 1e-6, .method = method, .most_steps = 2000.0};
    const Trajectory run = model.run(options).value();
    std::string told(reinterpret_cast<const char*>(run.q().values.data()), run.q().values.size() * sizeof(double));
    for (const Note& note : run.notes()) told += " " + note.kind + " " + note.term;
    return told;
  };
  const std::string implicit = moved("radau"), alarmed = moved("dop853"), text_of = model.explain().value().text();
  EXPECT_EQ(implicit.find("stiffness"), std::string::npos);
  EXPECT_NE(alarmed.find("stiffness"), std::string::npos) << "no alarm: this test would derive nothing";
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      if (thread % 3 == 0 && moved("radau") != implicit) ++wrong;
      if (thread % 3 == 1 && moved("dop853") != alarmed) ++wrong;
      if (thread % 3 == 2 && model.explain().value().text() != text_of) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, CompileOneKernelAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&wrong] {
      const auto run = Model::load(VINCULUM_MODELS "/kepler.vin", {.cache = ""}).value().run({.until = 0.1});
      if (!run || run->stopped() != nullptr) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace threads_test
}  // namespace vinculum

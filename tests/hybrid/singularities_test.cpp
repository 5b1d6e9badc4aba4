// Motions that end in finite time, and motions that pass close to a singularity and continue.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/models.hpp"
#include "vinculum/base/failure.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::hybrid {
namespace singularities_test {

sim::Trajectory run_of(const std::string& text, double tolerance = 0.0, const std::string& method = "") {
  const auto model = test_support::model_of_text("model m\n" + text);
  sim::Dynamics dynamics(test_support::compiled(model));
  sim::SimulateOptions options = sim::options_of(*model);
  if (tolerance > 0.0) options.tolerance = tolerance;
  if (!method.empty()) options.method = method;
  options.most_steps = 20'000;
  return sim::simulate(dynamics, options);
}

std::string kind_of(const sim::Trajectory& run) {
  return run.stopped ? std::string(failure_info(run.stopped->kind).name) : run.is_interrupted ? "too many steps" : "";
}

struct Ending {
  std::string name, text;
  double t = 0.0;  ///< [s] time of the end
  double within = 1e-6;
};
void PrintTo(const Ending& model, std::ostream* out) { *out << model.name; }

/// The mass matrix that a law modifies becomes singular. Before that, accelerations grow without bound.
class LawEnds : public testing::TestWithParam<Ending> {};

TEST_P(LawEnds, AsSingularByMultipliersWithinFewSteps) {
  for (const double tolerance : {1e-8, 1e-10, 1e-12}) {
    const sim::Trajectory run = run_of(GetParam().text, tolerance);
    EXPECT_EQ(kind_of(run), "vakonomic-singular") << (run.stopped ? run.stopped->message : "");
    if (!run.stopped) continue;
    EXPECT_NEAR(run.stopped->t, GetParam().t, GetParam().within) << tolerance;
    EXPECT_NEAR(run.end().t, GetParam().t, 10.0 * GetParam().within) << tolerance;
    EXPECT_LE(run.statistics.steps, 1000) << tolerance;
  }
}

const char* const kMemory =
    "coord x, y, z\nlagrangian (x'^2 + y'^2)/2 - 0.5*y - 0.2*x^2\n"
    "constraint memory: z' = x'^2 + 0.1*y\n    law vakonomic start mu = {}\n"
    "constraint row: y' = 0.5*z + 0.3*x\n    law vakonomic start mu = -0.1\n"
    "start x = 0.3, y = 0.1, z = 0.4, x' = {}, y' ~ 0.3, z' ~ 0.5\nrun {}\n";

const char* const kOrderTwo =
    "coord x, y\nlagrangian (x'^2 + y'^2)/2 - 0.25*x^2 - 0.15*y^2\ngeneralized force on y = -0.2*y'\n"
    "constraint c: x'' = 0.7*x*y'^2\n    law vakonomic start mu = {}, mu' = -0.05\n"
    "start x = 0.6, y = 0.2, x' = 0.5, y' = {}\nrun {}\n";

INSTANTIATE_TEST_SUITE_P(
    Models, LawEnds,
    testing::Values(Ending{"functional", fmt::format(fmt::runtime(kMemory), 0.2, 0.7, 1.0), 0.9071682},
                    Ending{"order_two", fmt::format(fmt::runtime(kOrderTwo), 0.1, 0.8, 1.2), 1.0544627}),
    [](const auto& instance) { return instance.param.name; });

/// A coordinate or speed becomes infinite in finite time; a closed form gives the time.
class Escapes : public testing::TestWithParam<Ending> {};

TEST_P(Escapes, InFiniteTimeAndSaysSo) {
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    const sim::Trajectory run = run_of(GetParam().text, tolerance);
    EXPECT_EQ(kind_of(run), "step-too-small");
    if (!run.stopped) continue;
    EXPECT_NE(run.stopped->message.find("without bound (finite escape time)"), std::string::npos)
        << run.stopped->message;
    EXPECT_NEAR(run.stopped->t, GetParam().t, 100.0 * tolerance * GetParam().t + GetParam().within) << tolerance;
    EXPECT_LE(run.statistics.steps, 3000);
  }
}

const std::string kParticle = "frame N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\n";

INSTANTIATE_TEST_SUITE_P(
    Models, Escapes,
    testing::Values(
        // x = 1/(1 - t)
        Ending{"cube", kParticle + "force on P = 2*x^3*N.x\nstart x = 1, x' = 1\nrun 2\n", 1.0, 1e-9},
        // x'' = 100 x^3 has the solution x = a/(T - t) with a² = 1/50
        Ending{"hard_cube", kParticle + "force on P = 100*x^3*N.x\nstart x = 1, x' = sqrt(50)\nrun 2\n",
               1.0 / std::sqrt(50.0), 1e-9},
        // x = 1/(1 - t)^2
        Ending{"square", kParticle + "force on P = 6*x^2*N.x\nstart x = 1, x' = 2\nrun 2\n", 1.0, 1e-9},
        // z' = z^2
        Ending{"state", kParticle + "state z' = z^2 start z = 2\nrun 1\n", 0.5, 1e-9},
        // v' = v^3: v = 1/sqrt(1 - 2 t)
        Ending{"speed", kParticle + "force on P = x'^3*N.x\nstart x = 0, x' = 1\nrun 1\n", 0.5, 1e-9},
        // in the plane, along a ray: r = 1/(1 - t)
        Ending{"plane",
               "frame N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n"
               "force on P = 2*norm(pos(P, O))^2*pos(P, O)\nstart x = 0.6, y = 0.8, x' = 0.6, y' = 0.8\nrun 2\n",
               1.0, 1e-9}),
    [](const auto& instance) { return instance.param.name; });

/// Motions close to a singularity continue.
TEST(PassesBy, WhatIsAllButSingular) {
  // A straight line past a center at the distance b: accelerations of 1/b^2 during a time of the order of b.
  for (const double b : {1e-2, 1e-4}) {
    const sim::Trajectory run = run_of(fmt::format(
        "frame N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n"
        "force on P = -pos(P, O)/norm(pos(P, O))^3\nstart x = 1, y = {}, x' = -1, y' = 0\nrun 2 tolerance 1e-10\n",
        b));
    EXPECT_EQ(kind_of(run), "") << b;
  }
  // Fast growth that ends; x' is at most 1e5.
  const sim::Trajectory grows =
      run_of(kParticle + "force on P = (100*x - 1e-4*x^3)*N.x\nstart x = 1e-3, x' = 0\nrun 5\n");
  EXPECT_EQ(kind_of(grows), "");
}

/// The inertia of a vakonomic law decreases to a small fraction and increases again.
TEST(PassesBy, InertiaThatIsAllButLost) {
  for (const double mu : {0.05, 0.1, 0.15}) {
    const sim::Trajectory run = run_of(fmt::format(fmt::runtime(kMemory), mu, 0.1, 1.0), 1e-10);
    EXPECT_EQ(kind_of(run), "") << mu << (run.stopped ? run.stopped->message : "");
  }
}

}  // namespace singularities_test
}  // namespace vinculum::hybrid

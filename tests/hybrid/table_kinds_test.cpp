// Motions with tables of every kind. Steps end at jumps and kinks that matter, and closed forms are reproduced.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "support/folder.hpp"
#include "support/models.hpp"
#include "vinculum/expr/spline.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::hybrid {
namespace table_kinds_test {

using expr::Spline;

std::string rows(double from, double to, int count, const std::function<double(double)>& f) {
  std::string text;
  for (int i = 0; i <= count; ++i) {
    const double x = from + (to - from) * i / count;
    text += fmt::format("{:.17g},{:.17g}\n", x, f(x));
  }
  return text;
}

/// A run of a model with the file `r.csv`.
sim::Trajectory run_of(const std::string& file, const std::string& rest) {
  const test_support::Folder folder;
  folder.write("r.csv", file);
  const std::string text = "model m\nframe N newtonian\npoint O fixed in N\n" + rest;
  diag::SourceText source("m.vin", text);
  diag::Diagnostics diagnostics;
  const lang::ModelFile parsed = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  const auto model =
      elaborate::elaborate(parsed, source, {folder.path(), {}, names_of(integrate::method_table())}, diagnostics);
  if (!model || diagnostics.has_errors()) throw std::runtime_error(diag::render_text(source, diagnostics.all()));
  sim::Dynamics dynamics(test_support::compiled(model));
  return sim::simulate(dynamics, sim::options_of(*model));
}

std::string pushed_by(const std::string& force) {
  return "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = (" + force + ")*N.x\n";
}

/// A force with held values over time: velocity and position are exact, and a row that repeats the value before it
/// costs no step.
TEST(TableKinds, HeldForcesActFromTheirRowOn) {
  const std::string at_rest = "start x = 0, x' = 0\nrun 10 tolerance 1e-10\n";
  const std::string force = pushed_by("table(\"r.csv\", t, hold)") + at_rest;
  const auto ran = run_of("0,1\n1,1\n2.5,-3\n3,-3\n4,2\n10,0\n", force);
  ASSERT_FALSE(ran.stopped) << ran.stopped->message;
  EXPECT_NEAR(ran.end().u[0], 2.5 - 4.5 + 12.0, 1e-11);
  EXPECT_NEAR(ran.end().q[0], 0.5 * 6.25 + 2.5 * 1.5 - 1.5 * 2.25 - 2.0 * 6.0 + 36.0, 1e-10);
  std::string repeated;
  for (int i = 0; i <= 1000; ++i) repeated += fmt::format("{},{}\n", 0.01 * i, i < 500 ? 1 : 2);
  EXPECT_LE(run_of(repeated, force).statistics.steps, 60);
}

/// A dense record of straight lines needs as many steps as its formula, if its kinks do not matter.
TEST(TableKinds, ADenseRecordOfStraightLinesCostsNoSteps) {
  const auto text = [](const std::string& force) { return pushed_by(force + " - x") + "run 20 tolerance 1e-6\n"; };
  const std::string record = rows(0.0, 20.0, 100000, [](double t) { return std::sin(t); });
  const auto formula = run_of(record, text("sin(t)"));
  for (const char* kind : {"linear", "smooth", "spline"}) {
    const auto table = run_of(record, text(fmt::format("table(\"r.csv\", t, {})", kind)));
    EXPECT_LE(table.statistics.steps, formula.statistics.steps + 10) << kind;
    EXPECT_NEAR(table.end().q[0], formula.end().q[0], 1e-5) << kind;
  }
}

/// A quarter-car model on a road of 100 000 points needs as many steps as on the formula of the road.
TEST(TableKinds, ALongRoadCostsStepsByItsBandwidth) {
  const auto road = [](double x) { return 20.0 * std::sin(0.9 * x) + 8.0 * std::sin(2.3 * x + 1.0); };
  const std::string file = "path [m],height [mm]\n" + rows(0.0, 200.0, 100000, road);
  const auto car = [&](const std::string& height) {
    return run_of(
        file, "param m = 300 [kg], k = 3e4 [N/m], c = 2000 [N*s/m], v = 20 [m/s]\ncoord z [m]\nlet road = " + height +
                  "\nparticle P mass m at O + z*N.z\n"
                  "force on P = (k*(road - z) + c*(dt(road) - z'))*N.z\n"
                  "start z = 0.008, z' = 0\nrun 9.9 [s] tolerance 1e-6\n");
  };
  const auto formula = car("20 [mm]*sin(0.9*v*t/(1 [m])) + 8 [mm]*sin(2.3*v*t/(1 [m]) + 1)");
  const auto table = car("table(\"r.csv\", v*t)");
  ASSERT_FALSE(table.stopped) << table.stopped->message;
  EXPECT_LE(table.statistics.steps, formula.statistics.steps * 3 / 2 + 10);
  EXPECT_NEAR(table.end().q[0], formula.end().q[0], 1e-6);
}

/// Corners between long straight lines: steps end at them. The impulse of the force is the sum of trapezoids.
TEST(TableKinds, CornersOfStraightLinesAreMet) {
  const auto ran = run_of("0,0\n1,4\n1.3,-2\n4,-2\n4.7,1\n6,0\n",
                          pushed_by("table(\"r.csv\", t, linear)") + "start x = 0, x' = 0\nrun 6 tolerance 1e-11\n");
  ASSERT_FALSE(ran.stopped);
  EXPECT_NEAR(ran.end().u[0], 2.0 + 0.3 - 5.4 - 0.35 + 0.65, 1e-10);
  for (const double corner : {1.0, 1.3, 4.0, 4.7})
    EXPECT_TRUE(std::ranges::any_of(ran.step_times, [&](double t) { return std::abs(t - corner) < 1e-9; })) << corner;
}

/// A force that depends on the position, with corners that are passed in both directions. Energy is conserved.
TEST(TableKinds, EnergyIsKeptAcrossCornersOfAnyKind) {
  for (const char* kind : {"linear", "smooth", "hold"}) {
    const std::string file = "-3,5\n-1,1.5\n-0.4,0.5\n0,0.5\n0.6,-2\n1,-2.5\n3,-7\n";
    const auto ran = run_of(file, pushed_by(fmt::format("table(\"r.csv\", x, {})", kind)) +
                                      "start x = -1.2, x' = 1.5\nrun 8 tolerance 1e-10\n");
    ASSERT_FALSE(ran.stopped) << ran.stopped->message;
    const Spline force("r", {-3.0, -1.0, -0.4, 0.0, 0.6, 1.0, 3.0}, {5.0, 1.5, 0.5, 0.5, -2.0, -2.5, -7.0},
                       {kind[0] == 'l'   ? Spline::Kind::kLinear
                        : kind[0] == 's' ? Spline::Kind::kSmooth
                                         : Spline::Kind::kHold,
                        Spline::Reach::kInside});
    double work = 0.0;
    const double to = ran.end().q[0];
    const int count = 200000;
    for (int i = 0; i < count; ++i) work += force.evaluate(-1.2 + (to + 1.2) * (i + 0.5) / count, 0) / count;
    EXPECT_NEAR(0.5 * ran.end().u[0] * ran.end().u[0] - 1.125, work * (to + 1.2), 1e-4) << kind;
  }
}

/// A held force that changes its sign with the velocity is dry friction: the body stops and stays at rest (sliding
/// mode).
TEST(TableKinds, AHeldForceOfTheVelocityStopsAMotion) {
  const auto ran = run_of("-1,2\n0,-2\n", pushed_by("table(\"r.csv\", x', hold, outside hold)") +
                                              "start x = 0, x' = 3\nrun 4 tolerance 1e-9\n");
  ASSERT_FALSE(ran.stopped) << ran.stopped->message;
  EXPECT_NEAR(ran.end().u[0], 0.0, 1e-9);
  EXPECT_NEAR(ran.end().q[0], 2.25, 1e-8);
  EXPECT_LE(ran.statistics.steps, 200);
}

/// A position prescribed by straight lines: an impulse changes the velocity at each row of the table.
TEST(TableKinds, APlaceOnStraightLinesHasImpulsesAtItsRows) {
  const auto ran = run_of("0,0\n1,2\n3,1\n4,1\n",
                          "coord x\nparticle P mass 2 at O + x*N.x\n"
                          "constraint c: x = table(\"r.csv\", t, linear)\nrun 3.5\n");
  ASSERT_FALSE(ran.stopped) << ran.stopped->message;
  for (std::size_t i = 0; i < ran.samples.size(); ++i) {
    const auto& sample = ran.samples[i];
    const double wanted = sample.t < 1.0 - 1e-9 ? 2.0 : sample.t < 3.0 - 1e-9 ? -0.5 : 0.0;
    if (std::abs(sample.t - 1.0) > 1e-9 && std::abs(sample.t - 3.0) > 1e-9) {
      EXPECT_NEAR(sample.u[0], wanted, 1e-9) << sample.t;
    }
  }
  EXPECT_NEAR(ran.end().q[0], 1.0, 1e-9);
}

/// A prescribed position that jumps has no motion.
TEST(TableKinds, APlaceThatJumpsStopsTheRun) {
  const auto ran = run_of("0,0\n1,2\n3,1\n",
                          "coord x\nparticle P mass 2 at O + x*N.x\n"
                          "constraint c: x = table(\"r.csv\", t, hold)\nrun 2\n");
  ASSERT_TRUE(ran.stopped);
  EXPECT_NEAR(ran.stopped->t, 1.0, 1e-9);
  EXPECT_EQ(ran.stopped->message, "constraint `c` jumps here by 2: no motion follows it");
}

/// A force that is the second derivative of a monotone interpolant jumps at the rows of the table.
TEST(TableKinds, SecondDerivativesOfAMonotoneInterpolantJumpAtItsRows) {
  const std::vector<double> x = {0.0, 1.0, 2.0, 2.5, 4.0, 6.0}, y = {0.0, 0.0, 1.0, 2.0, 2.0, 0.5};
  std::string file;
  for (std::size_t i = 0; i < x.size(); ++i) file += fmt::format("{},{}\n", x[i], y[i]);
  const auto ran =
      run_of(file, pushed_by("dt(dt(table(\"r.csv\", t, smooth)))") + "start x = 0, x' = 0\nrun 5.5 tolerance 1e-10\n");
  ASSERT_FALSE(ran.stopped) << ran.stopped->message;
  const Spline table("r", x, y, {Spline::Kind::kSmooth, Spline::Reach::kInside});
  EXPECT_NEAR(ran.end().q[0], table.evaluate(5.5, 0) - 5.5 * table.evaluate(0.0, 1), 1e-9);
  EXPECT_NEAR(ran.end().u[0], table.evaluate(5.5, 1) - table.evaluate(0.0, 1), 1e-9);
  EXPECT_LE(ran.statistics.steps, 100);
}

/// A periodic cam over a hundred turns: the result is right in every turn, and every turn needs equally many steps.
TEST(TableKinds, APeriodicCamIsRightInEveryTurn) {
  const double turn = 2.0 * std::numbers::pi;
  std::vector<double> x, y;
  std::string file;
  for (int i = 0; i <= 72; ++i) {
    x.push_back(turn * i / 72);
    y.push_back(i == 72 ? y.front() : 0.01 * (1.0 - std::cos(x.back())) + 0.002 * std::sin(3.0 * x.back()));
    file += fmt::format("{:.17g},{:.17g}\n", x.back(), y.back());
  }
  const auto cam = [&](int turns) {
    return run_of(file, fmt::format("coord phi, h\nframe A = N rotated phi about z\n"
                                    "body cam frame A mass 1 inertia plane 0.1 at O\n"
                                    "particle P mass 0.5 at O + h*N.y\n"
                                    "constraint c: h = table(\"r.csv\", phi - 1, periodic)\n"
                                    "constraint drive: phi = 2*pi*t\nrun {} tolerance 1e-8\n",
                                    turns));
  };
  const auto ran = cam(100);
  ASSERT_FALSE(ran.stopped) << ran.stopped->message;
  const Spline table("r", x, y, {Spline::Kind::kSpline, Spline::Reach::kPeriodic});
  for (const auto& sample : ran.samples) {
    EXPECT_NEAR(sample.q[1], table.evaluate(turn * sample.t - 1.0, 0), 1e-8) << sample.t;
    EXPECT_NEAR(sample.u[1], turn * table.evaluate(turn * sample.t - 1.0, 1), 1e-6) << sample.t;
  }
  EXPECT_LE(ran.statistics.steps, 12 * cam(10).statistics.steps);
}

/// A force that is periodic in time, with corners at the ends of the period.
TEST(TableKinds, PeriodicForcesRepeat) {
  for (const char* kind : {"linear", "hold"}) {
    const auto ran =
        run_of("0,1\n0.25,-1\n0.5,-1\n1,1\n", pushed_by(fmt::format("table(\"r.csv\", t, {}, periodic)", kind)) +
                                                  "start x = 0, x' = 0\nrun 30 tolerance 1e-10\n");
    ASSERT_FALSE(ran.stopped) << ran.stopped->message;
    const double impulse = kind[0] == 'l' ? -0.25 : 0.25 - 0.75;
    EXPECT_NEAR(ran.end().u[0], 30.0 * impulse, 1e-8) << kind;
  }
}

/// A force with two arguments: f = x y is reproduced exactly by linear interpolation, and its work is a closed form.
TEST(TableKinds, AForceByTwoArguments) {
  const auto ran =
      run_of(",0,1,2,5\n-1,0,-1,-2,-5\n0,0,0,0,0\n2,0,2,4,10\n",
             pushed_by("-table(\"r.csv\", x, t, linear)") + "start x = 1, x' = 0\nrun 4 tolerance 1e-10\n");
  ASSERT_FALSE(ran.stopped) << ran.stopped->message;
  const auto formula = run_of("0,0\n1,1\n", pushed_by("-x*t") + "start x = 1, x' = 0\nrun 4 tolerance 1e-10\n");
  EXPECT_NEAR(ran.end().q[0], formula.end().q[0], 1e-8);
  EXPECT_NEAR(ran.end().u[0], formula.end().u[0], 1e-8);
}

/// A constraint at position level to a surface whose height has two arguments.
TEST(TableKinds, APlaceOnASurfaceByTwoArguments) {
  std::string file;
  for (int j = 0; j <= 6; ++j) file += fmt::format(",{}", -3 + j);
  for (int i = 0; i <= 6; ++i) {
    file += fmt::format("\n{}", -3 + i);
    for (int j = 0; j <= 6; ++j) file += fmt::format(",{:.17g}", 0.1 * (i - 3) * (i - 3) + 0.05 * (i - 3) * (j - 3));
  }
  const auto run = [&](const std::string& height) {
    return run_of(file,
                  "coord x, y, z\nparticle P mass 1 at O + x*N.x + y*N.y + z*N.z\ngravity -9.81*N.z\n"
                  "constraint c: z = " +
                      height + "\nstart x = 1, y = -2, x' = 0.3, y' = 0.9, z ~ 0\nrun 3 tolerance 1e-9\n");
  };
  const auto table = run("table(\"r.csv\", x, y)"), formula = run("0.1*x^2 + 0.05*x*y");
  ASSERT_FALSE(table.stopped) << table.stopped->message;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(table.end().q[i], formula.end().q[i], 1e-7) << i;
}

}  // namespace table_kinds_test
}  // namespace vinculum::hybrid

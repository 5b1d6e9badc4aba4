// Conditions that compare numbers which are equal in a whole region (a plateau). The truth value of the condition must
// decide the region, in whatever way the condition is written.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "support/folder.hpp"
#include "support/models.hpp"
#include "vinculum/base/failure.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/accounts/side_account.hpp"

namespace vinculum::hybrid {
namespace nested_switches_test {

sim::Trajectory run_of(const std::string& text, std::optional<sim::SideBalance>* sides = nullptr) {
  const test_support::Folder folder;
  folder.write("ramp.csv", "0,0\n1,1\n2,2\n3,3\n");
  diag::SourceText source("m.vin", text);
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  const auto model =
      elaborate::elaborate(file, source, {folder.path(), {}, names_of(integrate::method_table())}, diagnostics);
  if (!model || diagnostics.has_errors()) throw std::runtime_error(diag::render_text(source, diagnostics.all()));
  sim::Dynamics dynamics(test_support::compiled(model));
  sim::SimulateOptions options = sim::options_of(*model);
  std::optional<sim::SideBalance> before;
  std::optional<sim::SideAccount> account;
  if (sides != nullptr) options.sinks.push_back(&account.emplace(*sides, before));
  return sim::simulate(dynamics, options);
}

/// A mass falls from 0.2 m onto a one-sided spring with a damper; the condition decides where the spring acts.
/// Reference for y(1), with roots of 30 digits: parabolas in the air, and in contact y + 0.01 = exp(-s) (A cos w s + B
/// sin w s), with w^2 = 999 and s the time since the contact began.
constexpr double kHeightAtOne = 0.0967350408342962971;

std::string falling(const std::string& condition) {
  return "model m\nframe N newtonian\npoint O fixed in N\ncoord y\nparticle P mass 1 at O + y*N.y\ngravity -10*N.y\n"
         "let d = max(-y, 0)\nforce on P = (-1000*y - 2*y' if " +
         condition + " else 0)*N.y\nstart y = 0.2\nrun 1 tolerance 1e-10\n";
}

/// Whether every passage of a surface in `one` also occurs in `other`.
bool are_among(const sim::Trajectory& one, const sim::Trajectory& other) {
  const auto all = other.all<sim::Passage>();
  return std::ranges::all_of(one.all<sim::Passage>(), [&](const sim::Passage& passage) {
    return std::ranges::any_of(all, [&](const sim::Passage& there) { return std::abs(there.t - passage.t) < 1e-9; });
  });
}

class Plateau : public testing::TestWithParam<const char*> {};

TEST_P(Plateau, IsLeftAtTheSurfaceOfItsInnerFunction) {
  std::optional<sim::SideBalance> sides;
  const sim::Trajectory run = run_of(falling(GetParam()), &sides), plain = run_of(falling("y < 0"));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.end().q[0], kHeightAtOne, 1e-9);
  EXPECT_EQ(run.looking.not_proven, 0) << run.looking.not_proven_of;
  EXPECT_LE(run.statistics.steps, plain.statistics.steps + 12);
  EXPECT_LE(run.looking.crossings, 2 * plain.looking.crossings);
  EXPECT_TRUE(are_among(plain, run));
  ASSERT_TRUE(sides);
  for (const auto& miss : sides->on_sides) EXPECT_LE(miss.residual, miss.limit);
}

INSTANTIATE_TEST_SUITE_P(
    Conditions, Plateau,
    testing::Values("d > 0", "0 < d", "not (d <= 0)", "d != 0", "min(y, 0) < 0", "floor(y) < 0", "floor(y) <= -1",
                    "floor(min(y, 0)) < 0", "smoothstep(-y) > 0", "smoothstep(1 + y) < 1", "(1 if y < 0 else 0) > 0",
                    "(1 if d > 0 else 0) > 0", "(0 if y >= 0 else 1) >= 1", "abs(y) - y > 0", "abs(d) > 0",
                    "d*(2 - sin(t)) > 0", "d*y^2 > 0", "d^2 > 0", "d^3 > 0", "exp(d) > 1", "sign(d) > 0",
                    "sign(d) > 0.5", "table(\"ramp.csv\", d) > 0", "max(min(-y, 1), 0) > 0", "min(max(-y, 0), 1) > 0",
                    "d > 0 and y < 5", "d > 0 or d > 1", "not (d <= 0 and y > -5)", "max(-y, 0) - max(y, 0) > 0",
                    "min(y, 0) + max(y, 0) < abs(y)", "(d if t > 0.1 else -y) > 0", "max(d, max(-2*y, 0)) > 0",
                    "sqrt(y^2) - y > 0", "sqrt(y^2) > y", "max(y, 0) == 0 and y != 0", "d*(1 - 0.5*d) > 0",
                    "3*d + 0.25 > 0.25", "max(d, 0.25) + min(d, 0.25) > 0.25"));

/// A plateau may end at a small distance from the surface of the inner switch; the two surfaces must be distinguished.
TEST(Plateau, MayEndCloseToTheInnerSurface) {
  for (const double level : {1e-4, 1e-6, 1e-8}) {
    const auto text = [&](const std::string& condition) {
      return fmt::format(
          "model m\nframe N newtonian\npoint O fixed in N\ncoord y\nparticle P mass 1 at O + y*N.y\n"
          "force on P = (1 if {} else 0)*N.y\nstart y = {}, y' = {}\nrun 2 tolerance 1e-12\n",
          condition, 0.5 * level, -level);
    };
    const sim::Trajectory plain = run_of(text(fmt::format("y < -{}", level))),
                          nested = run_of(text(fmt::format("max(-y, 0) > {}", level)));
    ASSERT_FALSE(nested.stopped) << nested.stopped->message;
    EXPECT_NEAR(nested.end().q[0], plain.end().q[0], 1e-6 * level) << level;
  }
}

/// Coulomb's law stated as a load by nested switches: the block stops and sticks.
class NestedRelay : public testing::TestWithParam<const char*> {};

TEST_P(NestedRelay, SlidesAlongItsInnerSurface) {
  const auto text = [](const std::string& law) {
    return "model m\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\nlet v = x'\n"
           "force on P = (-2*(" +
           law + ") + 1.5*sin(2*t))*N.x\noutput pull = " + law + "\nstart x' = 1\nrun 6 tolerance 1e-9\n";
  };
  const sim::Trajectory run = run_of(text(GetParam())), plain = run_of(text("1 if v > 0 else -1"));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.end().q[0], plain.end().q[0], 1e-9);
  EXPECT_NEAR(run.end().u[0], 0.0, 1e-12);
  EXPECT_NEAR(run.end().outputs[0], 0.75 * std::sin(12.0), 1e-9) << "along the surface an output is a combination";
  // A law that algebra reduces to sign(v) is treated as dry friction and sticks. The other laws have a sliding mode
  // along the surface v = 0.
  ASSERT_EQ(run.all<sim::SurfaceChange>().size() + run.all<sim::FrictionChange>().size(), 1U);
  ASSERT_EQ(plain.all<sim::SurfaceChange>().size(), 1U);
  const double at_rest =
      run.all<sim::SurfaceChange>().empty() ? run.all<sim::FrictionChange>()[0].t : run.all<sim::SurfaceChange>()[0].t;
  EXPECT_NEAR(at_rest, plain.all<sim::SurfaceChange>()[0].t, 1e-9);
  EXPECT_LE(run.statistics.steps, plain.statistics.steps + 10);
}

INSTANTIATE_TEST_SUITE_P(Laws, NestedRelay,
                         testing::Values("(1 if max(v, 0) > 0 else 0) - (1 if max(-v, 0) > 0 else 0)",
                                         "1 if max(v, 0) > 0 else -1", "sign(max(v, 0) + min(v, 0))",
                                         "2*sign(max(v, 0)) - 1", "1 if abs(v) - v <= 0 else -1",
                                         "1 if floor(v) >= 0 else -1", "1 if smoothstep(v) > 0 else -1",
                                         "2*(1 if (1 if v > 0 else 0) > 0.5 else 0) - 1"));

/// Surfaces of conditions that depend only on time are located to the last digit.
TEST(Plateau, OfTimeEndsAtItsInstant) {
  for (const char* condition : {"max(t - 0.3, 0) > 0", "smoothstep(t - 0.3) > 0", "floor(t + 0.7) >= 1",
                                "(1 if t > 0.3 else 0) > 0", "abs(t - 0.3) - (0.3 - t) > 0"}) {
    const sim::Trajectory run =
        run_of(fmt::format("model m\nframe N newtonian\npoint O fixed in N\ncoord x\n"
                           "particle P mass 1 at O + x*N.x\nforce on P = (2 if {} else 0)*N.x\n"
                           "run 1 tolerance 1e-12\n",
                           condition));
    ASSERT_FALSE(run.stopped) << condition;
    EXPECT_NEAR(run.end().q[0], 0.49, 1e-13) << condition;
    EXPECT_EQ(run.looking.crossings, 1) << condition;
    EXPECT_LT(run.statistics.steps, 20) << condition;
  }
}

/// Plateaus in conditions of constraints and states, in conditions on speeds, and in motions in the plane.
TEST(Plateau, MayBeAnywhere) {
  const std::string head = "model m\nframe N newtonian\npoint O fixed in N\n";
  struct Pair {
    std::string plain, nested;
  };
  const std::vector<Pair> pairs = {
      {head + "coord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\nconstraint c: y' = (x - 0.5 if x > 0.5 else "
              "0)\nstart x' = 1\nrun 1\n",
       head + "coord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\nconstraint c: y' = (x - 0.5 if max(x, 0.5) > 0.5 "
              "else 0)\nstart x' = 1\nrun 1\n"},
      {head + "coord x\nparticle P mass 1 at O + x*N.x\nstate z' = (x if x < 0 else -z)\nforce on P = -9*x*N.x\nstart "
              "x = 1\nrun 3\n",
       head + "coord x\nparticle P mass 1 at O + x*N.x\nstate z' = (x if min(x, 0) < 0 else -z)\nforce on P = "
              "-9*x*N.x\nstart x = 1\nrun 3\n"},
      {head + "coord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\nforce on P = -4*pos(P, O) + (1 if x < y else "
              "0)*N.x\nstart x = 1, y' = 1.3\nrun 3\n",
       head + "coord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\nforce on P = -4*pos(P, O) + (1 if max(x, y) - x > 0 "
              "else 0)*N.x\nstart x = 1, y' = 1.3\nrun 3\n"},
      {head + "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = -9*x*N.x - (0.2*x' if x' > 0 else 0)*N.x\nstart x "
              "= 1\nrun 5\n",
       head + "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = -9*x*N.x - (0.2*x' if max(x', 0) > 0 else "
              "0)*N.x\nstart x = 1\nrun 5\n"},
      {head + "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = -9*x*N.x - (0.3 if x > 0.5 and x' < 0 else "
              "0)*N.x\nstart x = 1\nrun 5\n",
       head + "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = -9*x*N.x - (0.3 if max(x - 0.5, 0)*max(-x', 0) > "
              "0 else 0)*N.x\nstart x = 1\nrun 5\n"},
  };
  for (const Pair& pair : pairs) {
    const sim::Trajectory plain = run_of(pair.plain), nested = run_of(pair.nested);
    ASSERT_FALSE(nested.stopped) << pair.nested << nested.stopped->message;
    ASSERT_FALSE(plain.stopped) << pair.plain;
    EXPECT_LE((nested.end().q - plain.end().q).norm(), 1e-7) << pair.nested;
    EXPECT_LE((nested.end().z - plain.end().z).norm(), 1e-7) << pair.nested;
    EXPECT_LE(nested.statistics.steps, plain.statistics.steps + 20) << pair.nested;
    EXPECT_EQ(nested.looking.not_proven, 0) << pair.nested;
  }
}

/// Starts on a plateau, at its edge, and outside of it.
TEST(Plateau, MayHoldTheStart) {
  const auto end_of = [](const std::string& condition, double y0, double v0) {
    return run_of(
               fmt::format("model m\nframe N newtonian\npoint O fixed in N\ncoord y\nparticle P mass 1 at O + y*N.y\n"
                           "force on P = (3 if {} else -1)*N.y\nstart y = {}, y' = {}\nrun 1 tolerance 1e-10\n",
                           condition, y0, v0))
        .end()
        .q[0];
  };
  for (const auto& [y0, v0] : {std::pair{0.5, 0.0}, {0.0, 1.0}, {0.0, -1.0}, {-0.5, 0.0}, {0.3, -1.0}}) {
    const double plain = end_of("y < 0", y0, v0);
    for (const char* condition :
         {"max(-y, 0) > 0", "min(y, 0) < 0", "abs(y) - y > 0", "smoothstep(-y) > 0", "floor(y) < 0"})
      EXPECT_NEAR(end_of(condition, y0, v0), plain, 1e-8) << condition << " from " << y0 << ", " << v0;
  }
}

/// The condition y < 0, written with functions whose slope is 0 at their zero.
class FlatCrossing : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(FlatCrossing, IsMetWhereItIs) {
  const auto& [condition, method] = GetParam();
  std::string text = falling(condition), plain_text = falling("y < 0");
  for (std::string* one : {&text, &plain_text}) one->insert(one->size() - 1, std::string(" method ") + method);
  const sim::Trajectory run = run_of(text), plain = run_of(plain_text);
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.end().q[0], kHeightAtOne, 2e-9);
  EXPECT_NEAR(run.end().q[0], plain.end().q[0], 1e-9);
  EXPECT_EQ(run.looking.not_proven, 0) << run.looking.not_proven_of;
  EXPECT_TRUE(are_among(run, plain));
  EXPECT_TRUE(are_among(plain, run));
}

INSTANTIATE_TEST_SUITE_P(OfOddPowers, FlatCrossing,
                         testing::Combine(testing::Values("y^3 < 0", "0 > y^3", "-y^3 > 0", "y^5 < 0", "y*y*y < 0",
                                                          "floor(y^3) < 0", "floor(4*y^3) < 0",
                                                          "floor(-y^3) >= 0 and y < 0", "not (y^3 >= 0)",
                                                          "(1 if y^3 < 0 else 0) > 0.5", "min(y, y^3) < 0"),
                                          testing::Values("dop853", "dp5", "radau")));

}  // namespace nested_switches_test
}  // namespace vinculum::hybrid

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/elaborate/elaborated.hpp"

// Limits of coordinates and joints: the constraints that they add, their names, units and errors.
namespace vinculum::elaborate {
namespace {

using testing::elaborated;
using testing::value_of;

std::string cart(const std::string& rest) {
  return "model cart\nframe N newtonian\npoint O fixed in N\nparam low = -1 [m], high = 2 [m], wide = 10 [deg]\n"
         "coord x [m], a [deg], b [rad]\nframe A = N rotated a about z\nframe B = N rotated b about z\n"
         "body plate frame A mass 1 [kg] inertia plane 0.1 [kg*m^2] at O + x*N.x\n"
         "body bar frame B mass 1 [kg] inertia plane 0.1 [kg*m^2] at plate\n" +
         rest + "run 1 [s]\n";
}

std::vector<std::string> texts_of(const std::string& rest) {
  const auto result = elaborated(cart(rest));
  EXPECT_EQ(result.messages, "");
  std::vector<std::string> texts;
  if (!result.model) return texts;
  for (const model::Constraint& one : result.model->constraints) {
    if (one.unilateral) texts.push_back(one.name + ": " + one.text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Limits, AreTwoConstraintsWithTheNameOfTheCoordinate) {
  EXPECT_EQ(texts_of("limits of x = low .. high\n"), (Texts{"x.min: x >= low", "x.max: x <= high"}));
  EXPECT_EQ(texts_of("limits stop of x = low .. high\n"), (Texts{"stop.min: x >= low", "stop.max: x <= high"}));
  EXPECT_EQ(texts_of("limits of x = .. high\n"), (Texts{"x.max: x <= high"}));
  EXPECT_EQ(texts_of("limits of x = low ..\n"), (Texts{"x.min: x >= low"}));
  EXPECT_EQ(texts_of("joint j: revolute between plate of plate and bar of bar axis N.z\n    limits -wide .. wide\n"),
            (Texts{"j.min: angle of j >= -wide", "j.max: angle of j <= wide"}));
  EXPECT_EQ(texts_of("joint j: prismatic between O of N and plate of plate axis N.x\n    limits 0 .. 2 [m]\n"),
            (Texts{"j.min: advance of j >= 0 [m]", "j.max: advance of j <= 2 [m]"}));
}

TEST(Limits, HaveNamesInFamiliesAndComponents) {
  EXPECT_EQ(elaborated("model m\nframe N newtonian\npoint O fixed in N\ncoord q[1..2]\n"
                       "for i in 1..2 {\nparticle P[i] mass 1 at O + q[i]*N.x\nlimits of q[i] = 0 .. i\n"
                       "output F[i] = multiplier(q[i].max)\n}\n"
                       "component cart(O, N, l) {\ncoord x\nparticle P mass 1 at O + x*N.y\nlimits of x = 0 .. l\n"
                       "limits wide of x = -1 .. 9\noutput F = multiplier(x.min) + multiplier(wide.max)\n}\n"
                       "use cart(O, N, 3) as c\noutput G = multiplier(c.x.min) + multiplier(c.wide.min)\n"
                       "view {\nhide c.x.min\n}\nrun 1\n")
                .messages,
            "");
}

/// A number takes the unit of the other limit; without one, the unit of the coordinate.
TEST(Limits, TakeTheirUnits) {
  constexpr double kDegree = 3.14159265358979323846 / 180.0;
  const auto gap_of = [](const std::string& limits) {
    const auto result = elaborated(cart(limits));
    EXPECT_EQ(result.messages, "");
    return result.model ? value_of(*result.model, result.model->constraints[0].rows[0]) : 0.0;
  };
  const auto expect_lower = [&](const std::string& name, const std::string& limits, double lower) {
    EXPECT_NEAR(gap_of("limits of " + name + " = 0 ..\n") - gap_of("limits of " + name + " = " + limits + "\n"), lower,
                1e-15)
        << limits;
  };
  expect_lower("a", "30 .. 40", 30.0 * kDegree);
  expect_lower("a", "30 .. 40 [deg]", 30.0 * kDegree);
  expect_lower("b", "0.3 .. 0.4", 0.3);
  expect_lower("b", "30 .. 40 [deg]", 30.0 * kDegree);
  expect_lower("b", "wide .. 40 [deg]", 10.0 * kDegree);
  expect_lower("x", "30 .. 40 [mm]", 0.03);
  expect_lower("x", "30 [mm] .. 40", 0.03);
  EXPECT_EQ(texts_of("limits of b = 30 .. 40 [deg]\n"), (Texts{"b.min: b >= 30 [deg]", "b.max: b <= 40 [deg]"}));
}

TEST(Limits, AreOrderedForAllValuesOfTheirParameters) {
  const auto result = elaborated(cart("limits of x = low .. high\n"));
  ASSERT_TRUE(result.model);
  const auto& all = result.model->requirements;
  const auto found =
      std::ranges::find(all, "the lower limit of `x` must be below its upper limit", &model::Requirement::text);
  ASSERT_NE(found, all.end());
  EXPECT_TRUE(found->holds(std::vector{-1.0, 2.0}));
  EXPECT_FALSE(found->holds(std::vector{2.0, 2.0}));
  EXPECT_EQ(elaborated(cart("limits of x = low .. high\n"), {{"high", "-0.5"}}).messages, "");
  EXPECT_NE(
      elaborated(cart("limits of x = low .. high\n"), {{"high", "-1.5"}}).messages.find("is not below its upper limit"),
      std::string::npos);
}

TEST(Limits, AreFollowedByOneErrorForOneMistake) {
  const auto count = [](const std::string& rest) {
    const std::string messages = elaborated(cart(rest)).messages;
    std::size_t found = 0;
    for (std::size_t at = 0; (at = messages.find("error:", at)) != std::string::npos; ++at) ++found;
    EXPECT_EQ(found, 1u) << messages;
    return messages;
  };
  count("limits of x = 2 .. 1 [m]\noutput F = multiplier(x.min)\n");
  count("limits of y = 0 .. 1 [m]\noutput F = multiplier(y.min)\n");
  count("limits stop of x = 0 .. 1 [m]\noutput F = multiplier(stop)\n");
  count("limits of x 0 .. 1 [m]\noutput F = multiplier(x.min)\n");
  count("limits of x = 0 .. 1 [furlong]\noutput F = multiplier(x.min)\n");
  count("limits of x = 0 .. 1 [m]\nlimits of x = 0 .. 2 [m]\noutput F = multiplier(x.min)\n");
  count("joint j: planar between O of N and bar of bar axis N.z\n    limits 0 .. 1\noutput F = multiplier(j.min)\n");
  EXPECT_NE(count("limits of x = 0 ..\noutput F = multiplier(x.max)\n").find("its limit is `x.min`"),
            std::string::npos);
}

}  // namespace
}  // namespace vinculum::elaborate

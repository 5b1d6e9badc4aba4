#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"

// Choices that the user makes between equivalent options: the independent speeds of the minimal formulation, and one of
// several possible accelerations.
namespace vinculum::elaborate {
namespace {

using testing::elaborated;
using testing::Elaborated;

Elaborated with(const std::string& lines) {
  return elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z\nparticle P mass 1 at O + x*N.x + y*N.y + z*N.z\n"
      "speed u = x' + y'\n" +
      lines);
}

TEST(IndependentSpeeds, AreThoseThatTheRunNames) {
  const Elaborated result = with("run 1 formulation minimal independent u, z'\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  const auto& independent = result.model->run->independent;
  ASSERT_EQ(independent.size(), 2U);
  EXPECT_EQ(result.model->speeds[independent[0].index()].name, "u");
  EXPECT_EQ(result.model->speeds[independent[1].index()].name, "z'");
}

TEST(IndependentSpeeds, AreSpeedsOfTheModelEachOnceInTheMinimalForm) {
  const auto message = [](const std::string& line) { return with(line).messages; };
  EXPECT_NE(message("run 1 formulation minimal independent x\n").find("`x` is not a speed of the model"),
            std::string::npos)
      << message("run 1 formulation minimal independent x\n");
  EXPECT_NE(message("run 1 formulation minimal independent u, u\n").find("`u` is named twice"), std::string::npos);
  EXPECT_NE(message("run 1 independent u\n").find("independent speeds are chosen for one formulation"),
            std::string::npos);
  EXPECT_NE(message("run 1 formulation minimal independent w\n").find("`w`"), std::string::npos);
}

TEST(Branch, IsACondition) {
  const Elaborated result =
      with("constraint c: norm(acc(P)) = 7\n    branch dot(acc(P), N.x) > 0 and x'' > y\nrun 1\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  EXPECT_TRUE(result.model->constraints[0].branch.is_valid());
}

TEST(Branch, ChoosesAmongSeveralAccelerations) {
  const auto message = [](const std::string& lines) { return with(lines + "run 1\n").messages; };
  EXPECT_NE(message("constraint c: x'' = 7\n    branch x'' > 0\n").find("`c` is linear in the accelerations"),
            std::string::npos);
  EXPECT_NE(message("constraint c: norm(acc(P)) = 7\n    branch x > 0\n").find("contains no acceleration"),
            std::string::npos);
  EXPECT_NE(message("constraint c: norm(acc(P)) = 7\n    branch x''\n").find("a branch is chosen by a comparison"),
            std::string::npos)
      << message("constraint c: norm(acc(P)) = 7\n    branch x''\n");
  EXPECT_NE(message("constraint c: norm(acc(P)) = 7\n    branch x'' > 0\n    branch y'' > 0\n").find("one `branch`"),
            std::string::npos);
}

}  // namespace
}  // namespace vinculum::elaborate

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "vinculum/vinculum.hpp"

// Messages of runs that end because a coordinate or state becomes infinite in finite time
// (docs/errors/step-too-small.md).
namespace vinculum {
namespace {

/// A model text: a particle on a line, with the given load and start.
std::string line(const std::string& statements, const std::string& run = "run 5") {
  return "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n" +
         statements + "\n" + run + "\n";
}

struct Stop {
  double t = -1.0;
  std::string text;
  [[nodiscard]] bool names(const std::string& what) const {
    return text.find("`" + what + "` grows without bound (finite escape time)") != std::string::npos;
  }
};

Stop stop_of(const std::string& text, RunOptions options = {}) {
  const auto model = Model::from_text(text, {.backend = Backend::kInterpreter});
  if (!model) return {.t = -1.0, .text = model.error().text()};
  const auto motion = model->run(std::move(options));
  if (!motion) return {.t = -1.0, .text = motion.error().text()};
  return {.t = motion->stopped() != nullptr ? motion->stopped()->t : -1.0,
          .text = motion->stopped() != nullptr ? motion->stopped()->text() : ""};
}

// x'' = 2 x^3 with x(0) = x'(0) = 1 has the solution x = 1/(1 - t).
TEST(FiniteEscape, NamesWhatGrowsWithoutBoundAtItsTime) {
  const Stop pole = stop_of(line("force on P = 2*x^3*N.x\nstart x = 1, x' = 1"));
  EXPECT_TRUE(pole.names("x")) << pole.text;
  EXPECT_NEAR(pole.t, 1.0, 1e-6);
  const Stop mirrored = stop_of(line("force on P = 2*y^3*N.y\nstart y = -1, y' = -1"));
  EXPECT_TRUE(mirrored.names("y")) << mirrored.text;
  const Stop higher = stop_of(line("force on P = 3*x^5*N.x\nstart x = 1, x' = 1"));  // x = (1 - 2 t)^(-1/2)
  EXPECT_TRUE(higher.names("x")) << higher.text;
  EXPECT_NEAR(higher.t, 0.5, 1e-6);
  const Stop quadratic = stop_of(line("force on P = 6*x^2*N.x\nstart x = 1, x' = 2"));  // x = (1 - t)^(-2)
  EXPECT_TRUE(quadratic.names("x")) << quadratic.text;
  EXPECT_NEAR(quadratic.t, 1.0, 1e-6);
}

// From rest at x = a under k x^3 the escape time is an elliptic integral: K(1/sqrt(2))/(a sqrt(k)); a = 0.1, k = 100.
TEST(FiniteEscape, FromRestComesAtTheEllipticIntegral) {
  const double time = std::comp_ellint_1(std::numbers::sqrt2 / 2.0) / (0.1 * std::sqrt(100.0));
  for (const char* method : {"dop853", "tsit5", "radau"}) {
    const Stop stop = stop_of(line("force on P = 100*x^3*N.x\nstart x = 0.1, x' = 0"), {.method = method});
    EXPECT_TRUE(stop.names("x")) << method << ": " << stop.text;
    EXPECT_NEAR(stop.t, time, 1e-5) << method;
  }
}

TEST(FiniteEscape, IsThatOfAStateAndOfALogarithmToo) {
  const Stop state = stop_of(line("state z' = z^2*x\nforce on P = 0*N.x\nstart z = 1, x = 1"));
  EXPECT_TRUE(state.names("z")) << state.text;
  EXPECT_NEAR(state.t, 1.0, 1e-6);
  const Stop logarithm = stop_of(line("force on P = x'^2*N.x\nstart x = 0, x' = 1"));  // x = -ln(1 - t)
  EXPECT_TRUE(logarithm.names("x")) << logarithm.text;
  EXPECT_NEAR(logarithm.t, 1.0, 1e-6);
}

TEST(FiniteEscape, GoesAlongConstraints) {
  const Stop stop = stop_of(line("constraint c: y = 2*x\nforce on P = 2*x^3*N.x + 4*x^3*N.y\nstart x = 1, x' = 1"));
  EXPECT_TRUE(stop.names("x") || stop.names("y")) << stop.text;
  EXPECT_NEAR(stop.t, 1.0, 1e-6);
}

// At a singularity of the force at a finite position the position stays finite, whatever the speed does.
TEST(FiniteEscape, IsNoneWhereAForceIsSingularAtAFinitePlace) {
  for (const char* force : {"-1/x^2", "-1/x^3", "-1/abs(x)", "1/(2 - x)", "1/(2 - x)^2"}) {
    const Stop stop = stop_of(line("force on P = " + std::string(force) + "*N.x\nstart x = 1, x' = 0"));
    EXPECT_GT(stop.t, 0.0) << force << ": " << stop.text;
    EXPECT_EQ(stop.text.find("grows without bound"), std::string::npos) << force << ": " << stop.text;
  }
}

// Fast growth alone does not end a run.
TEST(FiniteEscape, IsNoneOfExponentialGrowth) {
  const Stop stop = stop_of(line("force on P = 25*x*N.x\nstart x = 1, x' = 5"));
  EXPECT_EQ(stop.t, -1.0) << stop.text;
  EXPECT_EQ(stop.text, "");
}

}  // namespace
}  // namespace vinculum

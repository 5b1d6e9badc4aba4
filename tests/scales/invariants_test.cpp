#include "vinculum/verify/invariants/invariants.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/models.hpp"

// Exactly the constant quantities are found, whatever the magnitudes in the model.
namespace vinculum {
namespace invariants_test {

sim::Invariants of(const std::string& text) {
  return sim::find_invariants(*test_support::compiled(test_support::model_of_text(text)));
}
bool has(const sim::Invariants& invariants, const std::string& name) {
  return std::ranges::find(invariants.found, name, &sim::Invariant::name) != invariants.found.end();
}

const std::string kFar = R"(model far "A central force at a million kilometres"
frame N newtonian
point O fixed in N
coord x, y [m]
param k = 4e14 [m^3/s^2], m = 3 [kg]
particle P mass m at O + x*N.x + y*N.y
potential -m*k/sqrt(x^2 + y^2)
start x = 1e9, y = 0, x' = 0, y' = 600
run 1e7 [s]
)";

TEST(InvariantsInAllSizes, OfACentralForceAtALargeDistance) {
  const sim::Invariants found = of(kFar);
  EXPECT_TRUE(has(found, "energy"));
  EXPECT_TRUE(has(found, "angular momentum of the whole about O along N.z"));
  EXPECT_FALSE(has(found, "momentum(x)"));
  EXPECT_FALSE(has(found, "momentum(y)"));
}

TEST(InvariantsInAllSizes, AreTheOnlyOnesThatCanBeKept) {
  sim::CompileSettings settings;
  settings.conserved_judge = sim::judge_conserved;
  const auto compile = [&](const std::string& text) {
    return sim::compile_model(test_support::model_of_text(text), settings);
  };
  EXPECT_TRUE(compile(kFar + "conserve energy\n"));
  const auto refused = compile(kFar + "conserve momentum(x)\n");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, FailureKind::kNotConserved);
}

// Gravity exerts a moment on a body about the origin, except about its own axis. The inertia of a large body must not
// hide this.
TEST(InvariantsInAllSizes, OfAFreeBodyUnderGravity) {
  for (const char* size : {"1e6", "1e3", "1", "1e-3", "1e-6"}) {
    for (const bool has_units : {false, true}) {
      const auto unit = [&](const char* text) { return has_units ? text : std::string(); };
      const sim::Invariants found =
          of("model body\nframe N newtonian\npoint O fixed in N\nparam k = " + std::string(size) + "\nparam m = k" +
             unit("*1 [kg]") + ", L = 0.7*k" + unit("*1 [m]") + ", g = 9.81*k" + unit("*1 [m/s^2]") +
             "\ncoord x, y, z" + unit(" [m]") +
             ", e0, e1, e2, e3\nframe B = N quaternion(e0, e1, e2, e3)\n"
             "body b frame B mass m inertia (m*L^2/3, m*L^2/2, m*L^2/4) at O + x*N.x + y*N.y + z*N.z\n"
             "gravity -g*N.y\nstart B.wx = 1" +
             unit(" [rad/s]") + ", B.wy = 2" + unit(" [rad/s]") + ", x' = k" + unit("*1 [m/s]") + "\nrun 1" +
             unit(" [s]") + "\n");
      EXPECT_TRUE(has(found, "energy")) << size << has_units;
      EXPECT_TRUE(has(found, "momentum(x)")) << size << has_units;
      EXPECT_FALSE(has(found, "momentum(y)")) << size << has_units;
      for (const char axis : {'x', 'y', 'z'}) {
        EXPECT_EQ(has(found, std::string("angular momentum of the whole about O along N.") + axis), axis == 'y')
            << size << has_units << axis;
      }
    }
  }
}

TEST(InvariantsInAllSizes, OfSunAndEarth) {
  const sim::Invariants found = of(R"(model year "Sun and Earth"
frame N newtonian
point O fixed in N
coord X, Y, x, y [m]
particle sun mass 1.989e30 [kg] at O + X*N.x + Y*N.y
particle earth mass 5.972e24 [kg] at O + x*N.x + y*N.y
potential -6.674e-11 [m^3/(kg*s^2)] * 1.989e30 [kg] * 5.972e24 [kg] / sqrt((x - X)^2 + (y - Y)^2)
start X = 0, Y = 0, x = 1.496e11, y = 0, X' = 0, Y' = 0, x' = 0, y' = 29780
run 3.156e7 [s]
)");
  EXPECT_TRUE(has(found, "energy"));
  EXPECT_TRUE(has(found, "momentum of the whole along N.x"));
  for (const char* name : {"momentum(x)", "momentum(y)", "momentum(X)", "momentum(Y)"}) EXPECT_FALSE(has(found, name));
}

TEST(InvariantsInAllSizes, SeeAPulseThatIsAsleepAtTheStart) {
  const sim::Invariants found = of(R"(model tap "A short tap"
frame N newtonian
point O fixed in N
coord x, y [m]
particle P mass 1 [kg] at O + x*N.x + y*N.y
force on P = 20 [N] * exp(-((t - 3 [s])/5 [ms])^2) * N.x
start x = 0, y = 0, x' = 1, y' = 2
run 10 [s]
)");
  EXPECT_FALSE(has(found, "momentum(x)"));
  EXPECT_FALSE(has(found, "energy"));
  EXPECT_FALSE(has(found, "momentum of the whole along N.x"));
  EXPECT_TRUE(has(found, "momentum(y)"));
}

TEST(InvariantsInAllSizes, OfASmallLinkage) {
  const sim::Invariants found = of(R"(model watch "A slider crank of millimetres"
frame N newtonian
point O fixed in N
param g = 9.81 [m/s^2]
coord p, q [rad], x [m]
frame A = N rotated p about z
frame B = N rotated q about z
body crank frame A mass 1e-3 [kg] inertia (1e-4, 1e-4, 1e-4) [kg*mm^2] at O + 0.5 [mm] * A.x
point Q = O + 1 [mm] * A.x
body rod frame B mass 2e-3 [kg] inertia (3e-4, 3e-4, 3e-4) [kg*mm^2] at Q + 1 [mm] * B.x
particle slider mass 1e-3 [kg] at O + x*N.x
point E = Q + 2 [mm] * B.x
gravity -g*N.y
constraint pin: pos(E, slider) = 0 along N.x, N.y
start p = 1, p' = 1, q ~ -0.4, x ~ 2.4e-3
run 1 [s]
)");
  EXPECT_TRUE(has(found, "energy"));
  EXPECT_FALSE(has(found, "momentum(x)"));
}

TEST(InvariantsInAllSizes, DependOnParameterValuesWhereTheseAreZero) {
  const auto text = [](const char* c) {
    return std::string(R"(model drag "A drag that may be none"
frame N newtonian
point O fixed in N
coord x [m]
param c = )") +
           c + R"( [N*s/m]
particle P mass 1 [kg] at O + x*N.x
force on P = -c*vel(P)
start x = 0, x' = 1
run 10 [s]
)";
  };
  EXPECT_TRUE(has(of(text("0")), "energy"));
  EXPECT_FALSE(has(of(text("1e-12")), "energy"));
}

}  // namespace invariants_test
}  // namespace vinculum

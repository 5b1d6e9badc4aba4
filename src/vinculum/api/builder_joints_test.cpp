#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "vinculum/builder.hpp"
#include "vinculum/vinculum.hpp"

// Joints, laws and tables of a Builder: the same bits as from a text, and diagnostics.
namespace vinculum::builder_joints_test {
namespace {

void expect_same(Builder b, const std::string& text) {
  const Model built = Model::from_builder(std::move(b), {.backend = Backend::kTape}).value();
  const Model read = Model::from_text(text, {.backend = Backend::kTape}).value();
  const Trajectory one = built.run().value(), other = read.run().value();
  ASSERT_EQ(one.names(), other.names());
  ASSERT_EQ(one.stopped(), nullptr);
  for (const std::string& name : one.names())
    EXPECT_EQ(one.column(name).value().values, other.column(name).value().values) << name;
}

TEST(BuilderJoints, GiveTheBitsOfATextWithTwoRevoluteJoints) {
  Builder b("double");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  std::vector<Builder::Body> bodies;
  std::vector<Term> angles;
  for (const std::string i : {"1", "2"}) {
    const Term x = b.coordinate("x" + i), y = b.coordinate("y" + i), a = b.coordinate("a" + i);
    const auto F = b.frame("F" + i, N, a, 2);
    const Term J = b.number(0.1);
    bodies.push_back(b.body("B" + i, F, b.number(2.0), {J, J, J}, O, x * b.axis(N, 0) + y * b.axis(N, 1)));
    angles.push_back(a);
  }
  const auto top1 = b.point("T1", bodies[0].center, 0.5 * b.axis(bodies[0].frame, 1));
  const auto low1 = b.point("L1", bodies[0].center, -0.5 * b.axis(bodies[0].frame, 1));
  const auto top2 = b.point("T2", bodies[1].center, 0.5 * b.axis(bodies[1].frame, 1));
  b.gravity(-9.81 * b.axis(N, 1));
  b.joint("upper", "revolute", {O, N}, {top1, bodies[0].frame}, {.axis = b.axis(N, 2)});
  b.joint("lower", "revolute", {low1, bodies[0].frame}, {top2, bodies[1].frame}, {.axis = b.axis(bodies[0].frame, 2)});
  b.start(angles[0], 1.0);
  b.start(angles[1], -0.5);
  b.run(1.0, {.step = 0.1, .tolerance = 1e-9});
  expect_same(std::move(b), R"(model double
frame N newtonian
point O fixed in N
coord x1, y1, a1
frame F1 = N rotated a1 about z
body B1 frame F1 mass 2 inertia (0.1, 0.1, 0.1) at O + x1*N.x + y1*N.y
coord x2, y2, a2
frame F2 = N rotated a2 about z
body B2 frame F2 mass 2 inertia (0.1, 0.1, 0.1) at O + x2*N.x + y2*N.y
point T1 = center(B1) + 0.5*F1.y
point L1 = center(B1) + -0.5*F1.y
point T2 = center(B2) + 0.5*F2.y
gravity -9.81*N.y
joint upper: revolute between O of N and T1 of B1 axis N.z
joint lower: revolute between L1 of B1 and T2 of B2 axis F1.z
start a1 = 1, a2 = -0.5
run 1 step 0.1 tolerance 1e-9
)");
}

TEST(BuilderJoints, GiveTheBitsOfATextWithALawThatHasAnArgument) {
  Builder b("stiff");
  const auto N = b.newtonian();
  const Term x = b.coordinate("x"), y = b.coordinate("y");
  const auto O = b.fixed_point("O", N);
  const auto P = b.particle("P", b.number(2.0), O, x * b.axis(N, 0) + y * b.axis(N, 1));
  b.gravity(-9.81 * b.axis(N, 1));
  const auto rod = b.constraint("rod", norm(b.pos(P, O)) - 1.0);
  b.law(rod, "stiff", {{"kappa", {b.number(1000.0)}}});
  b.start(x, 1.0);
  b.run(0.5);
  expect_same(std::move(b), R"(model stiff
frame N newtonian
coord x, y
point O fixed in N
particle P mass 2 at O + x*N.x + y*N.y
gravity -9.81*N.y
constraint rod: norm(pos(P, O)) - 1 = 0
    law stiff kappa = 1000
start x = 1
run 0.5
)");
}

TEST(BuilderJoints, InterpolateATableOfDataWithStraightLines) {
  Builder b("load");
  const auto N = b.newtonian();
  const Term x = b.coordinate("x");
  const auto P = b.particle("P", b.number(2.0), b.fixed_point("O", N), x * b.axis(N, 0));
  const Term F = b.table("pull", {0.0, 1.0, 2.0}, {0.0, 4.0, 4.0}, b.time(), {TableOptions::Kind::kLinear});
  b.force(P, F * b.axis(N, 0));
  b.run(2.0);
  const Trajectory run = Model::from_builder(std::move(b), {.backend = Backend::kTape}).value().run().value();
  // x'' = 2t up to t = 1, then 2: x(2) = 1/3 + 1 + 1
  EXPECT_NEAR(run.column("x").value().values.back(), 7.0 / 3.0, 1e-8);
}

/// A force from a table of which the motion leaves the range: the value at the end is held.
TEST(BuilderTables, HoldTheirValueOutside) {
  Builder b("m");
  const auto O = b.fixed_point("O", b.newtonian());
  const Term x = b.coordinate("x"), X = b.axis(b.newtonian(), 0);
  const auto P = b.particle("P", b.number(1.0), O, x * X);
  b.force(P, b.table("F", {0.0, 1.0, 2.0}, {0.0, 4.0, 4.0}, x,
                     {.kind = TableOptions::Kind::kLinear, .outside = TableOptions::Outside::kHold}) *
                 X);
  b.start(x, 1.0);
  b.run(2.0, {.tolerance = 1e-11});
  const auto model = Model::from_builder(std::move(b));
  ASSERT_TRUE(model) << model.error().text();
  const auto run = model->run();
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_NEAR(run->column("x").value().values.back(), 1.0 + 0.5 * 4.0 * 4.0, 1e-8);
}

TEST(BuilderJoints, GiveConstraintsThatKnowTheirNumberOfRows) {
  Builder b("m");
  const auto N = b.newtonian(), F = b.frame("F", N, b.coordinate("a"), 2);
  const auto O = b.fixed_point("O", N);
  const Term J = b.number(1.0), x = b.coordinate("x");
  const auto B = b.body("B", F, J, {J, J, J}, O, x * b.axis(N, 0));
  EXPECT_EQ(b.joint("hinge", "revolute", {O, N}, {B.center, F}, {.axis = b.axis(N, 2)}).rows, 5);
  EXPECT_EQ(b.joint("without axis", "revolute", {O, N}, {B.center, F}).rows, 5);
  EXPECT_EQ(b.joint("unknown", "revolut", {O, N}, {B.center, F}).rows, 1);
  EXPECT_EQ(b.constraint("scalar", x - 1.0).rows, 1);
  EXPECT_EQ(b.constraint("vector", b.pos(B.center, O)).rows, 3);
  EXPECT_EQ(b.constraint("along", b.pos(B.center, O), {b.axis(N, 0), b.axis(N, 1)}).rows, 2);
}

class BuilderMistakes : public testing::Test {
 protected:
  Builder b{"m"};
  Builder::Frame N = b.newtonian(), F = b.frame("F", N, b.coordinate("a"), 2);
  Term J = b.number(1.0), x = b.coordinate("x");
  Builder::Point O = b.fixed_point("O", N);
  Builder::Body B = b.body("B", F, J, {J, J, J}, O, x* b.axis(N, 0));
  Builder::Constraint rod = b.constraint("rod", x - 1.0);
  void expect(const std::string& kind, const std::string& message) {
    const auto model = Model::from_builder(std::move(b));
    ASSERT_FALSE(model);
    ASSERT_FALSE(model.error().diagnostics.all.empty());
    EXPECT_EQ(model.error().diagnostics.all[0].kind, kind);
    EXPECT_EQ(model.error().diagnostics.all[0].message, message);
  }
};

TEST_F(BuilderMistakes, UnknownJoint) {
  b.joint("j", "revolut", {O, N}, {B.center, F});
  expect("unknown-name", "unknown joint `revolut`");
}
TEST_F(BuilderMistakes, JointWithoutItsAxis) {
  b.joint("j", "revolute", {O, N}, {B.center, F});
  expect("wrong-argument-count", "a `revolute` joint needs `axis`");
}
TEST_F(BuilderMistakes, JointWithAPartThatItDoesNotTake) {
  b.joint("j", "spherical", {O, N}, {B.center, F}, {.pitch = J});
  expect("not-allowed-here", "a `spherical` joint takes no `pitch`");
}
TEST_F(BuilderMistakes, JointOfOneBody) {
  b.joint("j", "spherical", {B.center, F}, {B.center, F});
  expect("bad-value", "a joint connects two different bodies");
}
TEST_F(BuilderMistakes, JointPointThatMovesInItsBody) {
  b.joint("j", "spherical", {B.center, N}, {B.center, F});
  expect("not-allowed-here", "`B` is not fixed in `N`");
}
TEST_F(BuilderMistakes, JointAxisThatMovesInItsBody) {
  b.joint("j", "revolute", {B.center, F}, {O, N}, {.axis = b.axis(N, 0)});
  expect("not-allowed-here", "the axis of a joint moves in `F`");
}
TEST_F(BuilderMistakes, JointThatUsesDirectionsOfAParticle) {
  const auto P = b.particle("P", J, O, x * b.axis(N, 1));
  b.joint("j", "revolute", {P, N}, {B.center, F}, {.axis = b.axis(N, 2)});
  expect("not-allowed-here", "a `revolute` joint uses directions, and a particle has none");
}
TEST_F(BuilderMistakes, JointAtAPointOfAFrameWithoutABody) {
  const auto G = b.frame("G", N, b.coordinate("g"), 2);
  b.joint("j", "rolling", {O, N}, {O, G}, {.axis = b.axis(N, 1), .surface = "sphere", .surface_lengths = {J}});
  expect("not-allowed-here", "a `rolling` joint acts at points of matter, and no body is fixed in the frame `G`");
}
TEST_F(BuilderMistakes, EllipsoidOnASphere) {
  b.joint("j", "rolling", {O, N}, {B.center, F}, {.radius = J, .surface = "ellipsoid", .surface_lengths = {J, J, J}});
  expect("not-allowed-here", "an ellipsoid does not roll on a sphere");
}
TEST_F(BuilderMistakes, RatioThatChanges) {
  b.joint("j", "gear", {O, N}, {B.center, F}, {.axis = b.axis(N, 2), .ratio = x});
  expect("not-allowed-here", "the ratio of a gear is constant");
}
TEST_F(BuilderMistakes, LengthOfAStrutThatHoldsAVelocity) {
  b.joint("j", "distance", {O, N}, {B.center, F}, {.length = b.rate(x)});
  expect("not-allowed-here", "the length of a strut depends on the time and coordinates only");
}
TEST_F(BuilderMistakes, PrescribedPositionThatHoldsAVelocity) {
  b.joint("j", "prescribed_position", {O, N}, {B.center, F}, {.prescribed = b.vel(B.center)});
  expect("not-allowed-here", "what a joint prescribes depends on the time and coordinates only");
}
TEST_F(BuilderMistakes, DirectionThatIsZero) {
  b.law(rod, "directed", {{"along", {0.0 * b.axis(N, 0)}}});
  expect("bad-value", "the zero vector has no direction");
}
TEST_F(BuilderMistakes, TwoLawsOfOneConstraint) {
  b.law(rod, "stiff", {{"kappa", {J}}});
  b.variational(rod);
  expect("misplaced-statement", "a constraint has one law");
}
TEST_F(BuilderMistakes, LawWithAWhenClause) {
  b.law(rod, "stiff", {{"kappa", {J}}});
  b.when(rod, b.time() > b.number(1.0));
  expect("not-supported",
         "`when` is for constraints of the ideal law, without `nonideal`, `friction` and `via`: at the instant when "
         "`rod` begins to act, the impulse of another law is not known");
}
TEST_F(BuilderMistakes, LawWithANonidealForce) {
  b.nonideal(rod, x, J);
  b.law(rod, "stiff", {{"kappa", {J}}});
  expect("not-allowed-here", "a `nonideal` clause is allowed only with the ideal law");
}
TEST_F(BuilderMistakes, LawOfAConstraintOfAnotherBuilder) {
  b.law({7}, "stiff", {{"kappa", {J}}});
  expect("bad-value", "`law stiff` of a constraint of another builder");
}
TEST_F(BuilderMistakes, StiffnessThatIsSetAfterItWasRead) {
  b.law(rod, "stiff", {{"kappa", {b.parameter("k", 10.0)}}});
  Settings settings;
  settings.set = {{"k", -10.0}};
  const auto model = Model::from_builder(std::move(b), std::move(settings));
  ASSERT_FALSE(model);
}
TEST_F(BuilderMistakes, RatioThatIsSetToMinusOne) {
  b.joint("j", "gear", {O, N}, {B.center, F}, {.axis = b.axis(N, 2), .ratio = b.parameter("n", 2.0)});
  Settings settings;
  settings.set = {{"n", -1.0}};
  const auto model = Model::from_builder(std::move(b), std::move(settings));
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find("the ratio of a gear is neither 0 nor -1"), std::string::npos);
}
TEST_F(BuilderMistakes, LawArgumentStatedTwice) {
  b.law(rod, "stiff", {{"kappa", {J}}, {"kappa", {J}}});
  expect("duplicate-name", "`kappa` of `law stiff` is stated twice");
}
TEST_F(BuilderMistakes, LawArgumentWithTwoValues) {
  b.law(rod, "stiff", {{"kappa", {J, J}}});
  expect("wrong-argument-count", "`kappa` is one value");
}
TEST_F(BuilderMistakes, UnknownLaw) {
  b.law(rod, "stif");
  expect("unknown-name", "unknown law `stif`");
}
TEST_F(BuilderMistakes, LawWithoutItsArgument) {
  b.law(rod, "stiff");
  expect("wrong-argument-count", "`law stiff` needs `kappa`");
}
TEST_F(BuilderMistakes, LawWithANegativeNumber) {
  b.law(rod, "stiff", {{"kappa", {b.number(-1.0)}}});
  expect("bad-value", "`kappa` must be positive");
}
TEST_F(BuilderMistakes, LawForRowsOfVelocityLevel) {
  b.law(rod, "viscous", {{"kappa", {J}}});
  expect("not-allowed-here", "`law viscous` needs rows of velocity level, `rod` is of position level");
}
TEST_F(BuilderMistakes, TableThatDoesNotIncrease) {
  b.force(O, b.table("T", {0.0, 0.0}, {1.0, 2.0}, b.time()) * b.axis(N, 0));
  expect("bad-table", "`T`, the first column must increase strictly");
}
TEST_F(BuilderMistakes, TableWithDifferentLengths) {
  b.force(O, b.table("T", {0.0, 1.0}, {1.0}, b.time()) * b.axis(N, 0));
  expect("bad-table", "`T`, there are 2 arguments and 1 values");
}
TEST_F(BuilderMistakes, TwoRuns) {
  b.run(1.0);
  b.run(2.0);
  expect("misplaced-statement", "a model has one `run`");
}
TEST_F(BuilderMistakes, RunOfNegativeLength) {
  b.run(-1.0);
  expect("bad-value", "the length of a run is 0 or more");
}
TEST_F(BuilderMistakes, ToleranceOutOfRange) {
  b.run(1.0, {.tolerance = 1.0});
  expect("bad-value", "the tolerance is between 1e-15 and 0.1");
}
TEST_F(BuilderMistakes, NegativeMass) {
  b.particle("P", b.number(-2.0), O, x * b.axis(N, 1));
  expect("bad-value", "the mass of `P` is negative");
}

}  // namespace
}  // namespace vinculum::builder_joints_test

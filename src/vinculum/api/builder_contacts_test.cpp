#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "vinculum/builder.hpp"
#include "vinculum/vinculum.hpp"

// Unilateral constraints, limits, contacts and friction of a Builder: the same bits as from a text, and diagnostics.
namespace vinculum::builder_contacts_test {
namespace {

/// Compares all columns and the events of a built model with those of a text.
void expect_same(Builder b, const std::string& text) {
  const auto built = Model::from_builder(std::move(b), {.backend = Backend::kTape});
  ASSERT_TRUE(built) << built.error().text();
  const auto read = Model::from_text(text, {.backend = Backend::kTape});
  ASSERT_TRUE(read) << read.error().text();
  const auto one = built->run(), other = read->run();
  ASSERT_TRUE(one) << one.error().text();
  ASSERT_TRUE(other) << other.error().text();
  ASSERT_EQ(one->names(), other->names());
  ASSERT_EQ(one->stopped(), nullptr);
  for (const std::string& name : one->names())
    EXPECT_EQ(one->column(name).value().values, other->column(name).value().values) << name;
  ASSERT_EQ(one->events().size(), other->events().size());
  EXPECT_FALSE(one->events().empty());
  for (std::size_t i = 0; i < one->events().size(); ++i) EXPECT_EQ(one->events()[i].t, other->events()[i].t);
}

TEST(BuilderContacts, GiveTheBitsOfATextWithARoughFloor) {
  Builder b("rod");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  const Term e = b.parameter("e", 0.4), mu = b.parameter("mu", 0.3);
  const Term x = b.coordinate("x"), y = b.coordinate("y"), a = b.coordinate("a");
  const auto B = b.frame("B", N, a, 2);
  const Term J = b.number(1.0 / 6.0);
  const auto rod = b.body("rod", B, b.number(2.0), {J, J, J}, O, x * b.axis(N, 0) + y * b.axis(N, 1));
  const auto low = b.point("low", rod.center, -0.5 * b.axis(B, 0));
  const auto high = b.point("high", rod.center, 0.5 * b.axis(B, 0));
  b.gravity(-9.81 * b.axis(N, 1));
  std::vector<Builder::Constraint> ends;
  for (const auto& [name, end] : {std::pair{"first", low}, std::pair{"second", high}}) {
    const Term gap = dot(b.pos(end, O), b.axis(N, 1));
    ends.push_back(b.unilateral(name, gap, {.restitution = {.e = e, .law = Restitution::Law::kPoisson}}));
    b.friction(ends.back(), end, {.mu = mu, .static_mu = b.number(0.4)});
  }
  b.output("normal", b.multiplier(ends[0]));
  b.output("F", b.force_of(ends[0], low));
  b.start(y, 1.0);
  b.start(a, 0.6);
  b.start(b.rate(x), 0.7);
  b.run(2.0, {.step = 0.1, .tolerance = 1e-9});
  expect_same(std::move(b), R"(model rod
frame N newtonian
point O fixed in N
param e = 0.4, mu = 0.3
coord x, y, a
frame B = N rotated a about z
body rod frame B mass 2 inertia (1/6, 1/6, 1/6) at O + x*N.x + y*N.y
point low = rod + -0.5*B.x
point high = rod + 0.5*B.x
gravity -9.81*N.y
constraint first: dot(pos(low, O), N.y) >= 0
    restitution e poisson
    friction on low mu = mu static 0.4
constraint second: dot(pos(high, O), N.y) >= 0
    restitution e poisson
    friction on high mu = mu static 0.4
output normal = multiplier(first)
output F = force(first, low)
start y = 1, a = 0.6, x' = 0.7
run 2 step 0.1 tolerance 1e-9
)");
}

TEST(BuilderContacts, GiveTheBitsOfATextWithAMovingBelt) {
  Builder b("belt");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  const Term x = b.coordinate("x", "m"), y = b.coordinate("y", "m"), s = b.coordinate("s", "m");
  const auto P = b.particle("P", b.number(2.0), O, x * b.axis(N, 0) + y * b.axis(N, 1));
  const auto belt = b.particle("belt", b.number(5.0), O, s * b.axis(N, 0));
  b.gravity(-9.81 * b.axis(N, 1));
  const auto floor = b.unilateral("floor", dot(b.pos(P, O), b.axis(N, 1)), {}, "m");
  b.friction(floor, P, {.mu = b.number(0.3)}, belt, b.vel(P) - b.vel(belt));
  b.start(y, 0.2);
  b.start(b.rate(x), 1.0);
  b.run(1.5, {.step = 0.05});
  expect_same(std::move(b), R"(model belt
frame N newtonian
point O fixed in N
coord x, y, s [m]
particle P mass 2 [kg] at O + x*N.x + y*N.y
particle belt mass 5 [kg] at O + s*N.x
gravity -9.81 [m/s^2] * N.y
constraint floor: dot(pos(P, O), N.y) >= 0
    friction on P mu = 0.3 from belt sliding vel(P) - vel(belt)
start y = 0.2, x' = 1
run 1.5 [s] step 0.05 [s]
)");
}

TEST(BuilderContacts, GiveTheBitsOfATextWithFrictionOfABilateralConstraint) {
  Builder b("block");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  const Term x = b.coordinate("x"), y = b.coordinate("y");
  const auto P = b.particle("P", b.number(2.0), O, x * b.axis(N, 0) + y * b.axis(N, 1));
  b.gravity(-9.81 * b.axis(N, 1));
  const auto floor = b.constraint("floor", dot(b.pos(P, O), b.axis(N, 1)));
  b.friction(floor, P, {.mu = b.number(0.2), .static_mu = b.number(0.3)});
  b.start(b.rate(x), 1.0);
  b.run(1.0, {.step = 0.1});
  expect_same(std::move(b), R"(model block
frame N newtonian
point O fixed in N
coord x, y
particle P mass 2 at O + x*N.x + y*N.y
gravity -9.81*N.y
constraint floor: dot(pos(P, O), N.y) = 0
    friction on P mu = 0.2 static 0.3
start x' = 1
run 1 step 0.1
)");
}

TEST(BuilderContacts, GiveTheBitsOfATextWithFrictionOnACoordinate) {
  Builder b("oscillator");
  const auto N = b.newtonian();
  const Term x = b.coordinate("x");
  b.particle("P", b.number(2.0), b.fixed_point("O", N), x * b.axis(N, 0));
  b.generalized_force(x, -50.0 * x);
  b.friction(x, b.number(3.0), b.number(4.0), b.number(0.5));
  b.start(x, 1.0);
  b.run(5.0, {.step = 0.1});
  expect_same(std::move(b), R"(model oscillator
frame N newtonian
coord x
point O fixed in N
particle P mass 2 at O + x*N.x
generalized force on x = -50*x
friction on x = 3 static 4 viscous 0.5
start x = 1
run 5 step 0.1
)");
}

TEST(BuilderLimits, GiveTheBitsOfAText) {
  Builder b("stops");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  const Term wide = b.parameter("wide", 0.3, "m");
  const Term x = b.coordinate("x", "m"), y = b.coordinate("y", "m");
  b.particle("P", b.number(2.0), O, x * b.axis(N, 0));
  b.particle("Q", b.number(1.0), O, y * b.axis(N, 1));
  const auto stops = b.limits(x, {.lower = b.number(-0.2), .upper = wide, .restitution = {.e = b.number(0.8)}});
  const auto floor = b.limits(y, {.lower = b.number(0.0), .name = "floor"});
  ASSERT_TRUE(stops.min && stops.max && floor.min);
  EXPECT_FALSE(floor.max);
  EXPECT_EQ(stops.max->rows, 1);
  b.gravity(-9.81 * b.axis(N, 1));
  b.output("push", b.multiplier(*floor.min), "N");
  b.start(y, 0.5);
  b.start(b.rate(x), 1.0);
  b.run(1.5, {.step = 0.05});
  expect_same(std::move(b), R"(model stops
frame N newtonian
point O fixed in N
param wide = 0.3 [m]
coord x, y [m]
particle P mass 2 [kg] at O + x*N.x
particle Q mass 1 [kg] at O + y*N.y
limits of x = -0.2 .. wide restitution 0.8
limits floor of y = 0 ..
gravity -9.81 [m/s^2] * N.y
output push = multiplier(floor.min)
start y = 0.5, x' = 1
run 1.5 [s] step 0.05 [s]
)");
}

TEST(BuilderJointClauses, GiveTheBitsOfATextForEachJointWithOneMotion) {
  for (const std::string kind : {"revolute", "prismatic", "screw"}) {
    SCOPED_TRACE(kind);
    const bool turns = kind != "prismatic", advances = kind != "revolute";
    const std::string unit = turns ? "N*m" : "N", of_position = kind == "revolute" ? "" : " [m]";
    Builder b("joint");
    const auto N = b.newtonian();
    const auto O = b.fixed_point("O", N);
    const Term x = b.coordinate("x", "m"), a = b.coordinate("a", "rad");
    const auto B = b.frame("B", N, a, 0);
    const Term J = b.number(0.02);
    const auto bar = b.body("bar", B, b.number(2.0), {J, J, J}, O, x * b.axis(N, 0));
    const auto j = b.joint("j", kind, {O, N}, {bar.center, B},
                           {.axis = b.axis(N, 0), .pitch = kind == "screw" ? b.number(0.3) : Term()});
    b.friction(j, b.number(0.05), b.number(0.06), b.number(0.01));
    const auto stops = b.limits(j, {.lower = b.number(-0.1), .upper = b.number(0.2), .restitution = {b.number(0.7)}});
    ASSERT_TRUE(stops.min && stops.max);
    b.output("push", b.multiplier(*stops.max), advances ? "N" : "N*m");
    if (advances) b.start(b.rate(x), 1.0);
    if (kind == "revolute") b.start(b.rate(a), 2.0);
    if (kind == "screw") b.guess(b.rate(a), 20.0);
    b.run(1.5, {.step = 0.05});
    expect_same(std::move(b),
                "model joint\nframe N newtonian\npoint O fixed in N\ncoord x [m], a [rad]\n"
                "frame B = N rotated a about x\n"
                "body bar frame B mass 2 [kg] inertia (0.02, 0.02, 0.02) [kg*m^2] at O + x*N.x\n"
                "joint j: " +
                    kind + " between O of N and bar of bar axis N.x" + (kind == "screw" ? " pitch 0.3 [m]" : "") +
                    "\n    friction 0.05 [" + unit + "] static 0.06 [" + unit + "] viscous 0.01 [" +
                    (turns ? "N*m*s" : "N*s/m") + "]\n    limits -0.1 .. 0.2" + of_position +
                    " restitution 0.7\n"
                    "output push = multiplier(j.max)\n" +
                    (kind == "screw"      ? "start x' = 1, a' ~ 20\n"
                     : kind == "revolute" ? "start a' = 2\n"
                                          : "start x' = 1\n") +
                    "run 1.5 [s] step 0.05 [s]\n");
  }
}

TEST(BuilderJointClauses, BoundAnAngleThatAQuaternionGives) {
  Builder b("wheel");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  const Term x = b.coordinate("x"), y = b.coordinate("y"), z = b.coordinate("z");
  const std::array<Term, 4> e = {b.coordinate("e0"), b.coordinate("e1"), b.coordinate("e2"), b.coordinate("e3")};
  const auto B = b.frame("B", N, e);
  const Term J = b.number(0.4);
  const auto wheel =
      b.body("wheel", B, b.number(2.0), {J, J, J}, O, x * b.axis(N, 0) + y * b.axis(N, 1) + z * b.axis(N, 2));
  const auto Q = b.point("Q", wheel.center, -0.5 * b.axis(B, 0));
  const auto pin = b.joint("pin", "revolute", {O, N}, {Q, B}, {.axis = b.axis(N, 2)});
  b.friction(pin, b.number(0.3));
  b.limits(pin, {.lower = b.number(-1.0), .upper = b.number(1.0), .restitution = {b.number(0.8)}, .name = "stop"});
  b.start(x, 0.5);
  b.start(e[0], 1.0);
  b.start(b.rate(e[3]), 1.0);
  b.run(1.5, {.step = 0.05});
  const auto model = Model::from_builder(std::move(b));
  ASSERT_TRUE(model) << model.error().text();
  const auto run = model->run();
  ASSERT_TRUE(run) << run.error().text();
  const double I = 0.9, w1 = std::sqrt(4.0 - 2.0 * 0.3 / I), t1 = (2.0 - w1) * I / 0.3;
  ASSERT_FALSE(run->events().empty());
  EXPECT_NEAR(run->events().front().t, t1, 1e-8);
}

/// A box that falls onto a floor: eight contacts, of which four close together.
TEST(BuilderContacts, GiveTheBitsOfATextWithABoxOnAFloor) {
  Builder b("box");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  const Term x = b.coordinate("x", "m"), y = b.coordinate("y", "m"), z = b.coordinate("z", "m"),
             a = b.coordinate("a", "rad");
  const auto B = b.frame("B", N, a, 2);
  const auto box = b.body("box", B, b.number(2.0), {b.number(0.02), b.number(0.03), b.number(0.04)}, O,
                          x * b.axis(N, 0) + y * b.axis(N, 1) + z * b.axis(N, 2));
  b.gravity(-10.0 * b.axis(N, 2));
  const auto corners = b.contact(
      "ground", {O, N}, {box.center, B},
      {.surface = "plane", .surface2 = "box", .surface2_lengths = {b.number(0.4), b.number(0.3), b.number(0.2)}},
      {.restitution = {b.number(0.5)}, .friction = {.mu = b.number(0.4)}, .compliance = b.number(1.0)});
  ASSERT_EQ(corners.size(), 8U);
  b.output("F", b.force_of(corners[0].constraint, corners[0].Q), "N");
  b.start(z, 0.3);
  b.start(b.rate(x), 0.5);
  b.start(b.rate(a), 1.0);
  b.run(0.6, {.step = 0.05, .tolerance = 1e-9});
  expect_same(std::move(b), R"(model box
frame N newtonian
point O fixed in N
coord x, y, z [m], a [rad]
frame B = N rotated a about z
body box frame B mass 2 [kg] inertia (0.02, 0.03, 0.04) [kg*m^2] at O + x*N.x + y*N.y + z*N.z
gravity -10 [m/s^2] * N.z
joint ground: contact between O of N and center(box) of box surface plane surface2 box(0.4, 0.3, 0.2)
    restitution 0.5
    friction mu = 0.4
    compliance 1
output F = force(ground[1], ground[1].Q)
start z = 0.3 [m], x' = 0.5 [m/s], a' = 1 [rad/s]
run 0.6 [s] step 0.05 [s] tolerance 1e-9
)");
}

TEST(BuilderContacts, GiveTheBitsOfATextWithATriangleOnATable) {
  Builder b("triangle");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  const Term x = b.coordinate("x"), y = b.coordinate("y"), a = b.coordinate("a");
  const auto B = b.frame("B", N, a, 2);
  const Term J = b.number(0.1);
  const auto body = b.body("body", B, b.number(2.0), {J, J, J}, O, x * b.axis(N, 0) + y * b.axis(N, 1));
  b.gravity(-9.81 * b.axis(N, 1));
  const auto corners =
      b.contact("table", {O, N}, {body.center, B},
                {.surface = "polygon",
                 .surface_lengths = {-2.0 * b.axis(N, 0) - b.axis(N, 1), 2.0 * b.axis(N, 0) - b.axis(N, 1),
                                     2.0 * b.axis(N, 0), -2.0 * b.axis(N, 0)},
                 .surface2 = "polygon",
                 .surface2_lengths = {-0.2 * b.axis(B, 0), 0.2 * b.axis(B, 0), 0.3 * b.axis(B, 1)}},
                {.restitution = {b.number(0.5)}});
  ASSERT_EQ(corners.size(), 7U);
  b.output("F", b.force_of(corners[0].constraint, corners[0].Q));
  b.start(y, 1.0);
  b.start(a, 0.2);
  b.run(0.6, {.step = 0.05});
  expect_same(std::move(b), R"(model triangle
frame N newtonian
point O fixed in N
coord x, y, a
frame B = N rotated a about z
body body frame B mass 2 inertia (0.1, 0.1, 0.1) at O + x*N.x + y*N.y
gravity -9.81*N.y
joint table: contact between O of N and center(body) of body
    surface polygon(-2*N.x - N.y, 2*N.x - N.y, 2*N.x, -2*N.x)
    surface2 polygon(-0.2*B.x, 0.2*B.x, 0.3*B.y)
    restitution 0.5
output F = force(table[1], table[1].Q)
start y = 1, a = 0.2
run 0.6 step 0.05
)");
}

TEST(BuilderContacts, GiveTheBitsOfATextWithAStoneOnAHill) {
  Builder b("stone");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  const Term k = b.parameter("k", 0.8), x = b.coordinate("x"), y = b.coordinate("y"), z = b.coordinate("z");
  const auto B = b.frame("B", N, b.coordinate("a"), 2);
  const Term J = b.number(0.1);
  const auto stone =
      b.body("stone", B, b.number(2.0), {J, J, J}, O, x * b.axis(N, 0) + y * b.axis(N, 1) + z * b.axis(N, 2));
  b.gravity(-9.81 * b.axis(N, 2));
  const auto along = [&](int axis) { return dot(b.pos(stone.center, O), b.axis(N, axis)); };
  const auto hill =
      b.contact("hill", {O, N}, {stone.center, B},
                {.surface = "ground", .surface_lengths = {cos(k * along(0)) - along(1)}, .surface2 = "point"},
                {.restitution = {b.number(0.5)}, .friction = {b.number(0.2)}});
  ASSERT_EQ(hill.size(), 1U);
  b.output("F", b.force_of(hill[0].constraint, hill[0].Q));
  b.start(z, 2.0);
  b.start(b.rate(x), 0.3);
  b.run(1.0, {.step = 0.05});
  expect_same(std::move(b), R"(model stone
frame N newtonian
point O fixed in N
param k = 0.8
coord x, y, z, a
frame B = N rotated a about z
body stone frame B mass 2 inertia (0.1, 0.1, 0.1) at O + x*N.x + y*N.y + z*N.z
gravity -9.81*N.z
joint hill: contact between O of N and center(stone) of stone surface ground(cos(k*x) - y) surface2 point
    restitution 0.5
    friction mu = 0.2
output F = force(hill, hill.Q)
start z = 2, x' = 0.3
run 1 step 0.05
)");
}

TEST(BuilderContacts, GiveTheBitsOfATextWithABallInATiltedPlane) {
  Builder b("ball");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  const Term R = b.parameter("R", 0.1);
  const Term x = b.coordinate("x"), y = b.coordinate("y"), a = b.coordinate("a");
  const auto B = b.frame("B", N, a, 2);
  const Term J = b.number(0.008);
  const auto ball = b.body("ball", B, b.number(2.0), {J, J, J}, O, x * b.axis(N, 0) + y * b.axis(N, 1));
  b.gravity(-9.81 * b.axis(N, 1));
  const auto ground = b.contact(
      "ground", {O, N}, {ball.center, B},
      {.axis = 0.1 * b.axis(N, 0) + b.axis(N, 1), .surface = "plane", .surface2 = "sphere", .surface2_lengths = {R}},
      {.restitution = {b.number(0.6), Restitution::Law::kNewton}, .friction = {b.number(0.2)}});
  ASSERT_EQ(ground.size(), 1U);
  b.output("normal", b.multiplier(ground[0].constraint));
  b.start(y, 0.5);
  b.run(1.0, {.step = 0.05});
  expect_same(std::move(b), R"(model ball
frame N newtonian
point O fixed in N
param R = 0.1
coord x, y, a
frame B = N rotated a about z
body ball frame B mass 2 inertia (0.008, 0.008, 0.008) at O + x*N.x + y*N.y
gravity -9.81*N.y
joint ground: contact between O of N and center(ball) of ball surface plane axis 0.1*N.x + N.y surface2 sphere(R)
    restitution 0.6 newton
    friction mu = 0.2
output normal = multiplier(ground)
start y = 0.5
run 1 step 0.05
)");
}

class BuilderContactMistakes : public testing::Test {
 protected:
  Builder b{"m"};
  Builder::Frame N = b.newtonian(), F = b.frame("F", N, b.coordinate("a"), 2);
  Term one = b.number(1.0), x = b.coordinate("x"), e = b.parameter("e", 0.5);
  Builder::Point O = b.fixed_point("O", N);
  Builder::Body B = b.body("B", F, one, {one, one, one}, O, x* b.axis(N, 0));
  Term gap = dot(b.pos(B.center, O), b.axis(N, 0));
  void expect(const std::string& kind, const std::string& message) {
    const auto model = Model::from_builder(std::move(b));
    ASSERT_FALSE(model);
    ASSERT_EQ(model.error().diagnostics.all.size(), 1U) << model.error().text();
    EXPECT_EQ(model.error().diagnostics.all[0].kind, kind);
    EXPECT_EQ(model.error().diagnostics.all[0].message, message);
  }
  void ground(const std::string& surface, const std::vector<Term>& lengths, Term axis2 = {}) {
    b.contact("ground", {O, N}, {B.center, F},
              {.axis2 = axis2, .surface = "plane", .surface2 = surface, .surface2_lengths = lengths});
  }
  void expect_refused(double value, const std::string& message) {
    Settings settings;
    settings.set = {{"e", value}};
    const auto model = Model::from_builder(std::move(b), std::move(settings));
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().message.find(message), std::string::npos) << model.error().message;
  }
};

TEST_F(BuilderContactMistakes, RestitutionAboveOne) {
  b.unilateral("c", gap, {.restitution = {b.number(1.5)}});
  expect("bad-value", "a coefficient of restitution is a number from 0 to 1");
}
TEST_F(BuilderContactMistakes, RestitutionThatIsNotFinite) {
  b.unilateral("c", gap, {.restitution = {b.number(std::numeric_limits<double>::infinity())}});
  expect("bad-value", "a coefficient of restitution is a finite number");
}
TEST_F(BuilderContactMistakes, RestitutionThatChanges) {
  b.unilateral("c", gap, {.restitution = {x}});
  expect("not-allowed-here",
         "`x` changes with the coordinates, but a coefficient of restitution may contain only numbers and parameters");
}
TEST_F(BuilderContactMistakes, RestitutionThatIsSetAboveOne) {
  b.unilateral("c", gap, {.restitution = {e}});
  expect_refused(2.0, "a coefficient of restitution is a number from 0 to 1");
}
TEST_F(BuilderContactMistakes, RestitutionOfAnotherBuilder) {
  Builder other("other");
  b.unilateral("c", gap, {.restitution = {other.number(0.5)}});
  expect("bad-value", "a coefficient of restitution is not a term of this builder");
}
TEST_F(BuilderContactMistakes, ComplianceThatIsNotPositive) {
  b.unilateral("c", gap, {.compliance = b.number(0.0)});
  expect("bad-value", "a compliance must be positive");
}
TEST_F(BuilderContactMistakes, GapThatIsAVector) {
  b.unilateral("c", b.pos(B.center, O));
  expect("wrong-kind", "a relation with `>=` or `<=` is between two scalars");
}
TEST_F(BuilderContactMistakes, GapThatHoldsAVelocity) {
  b.unilateral("c", b.rate(x));
  expect("not-allowed-here",
         "`c` is of velocity level; a relation with `>=` or `<=` limits a gap, which contains positions and the time "
         "only");
}
TEST_F(BuilderContactMistakes, GapThatHoldsAState) {
  b.unilateral("c", x - b.state("z", one));
  expect("not-allowed-here", "`c` contains a state; a relation with `>=` or `<=` contains positions and the time only");
}
TEST_F(BuilderContactMistakes, GapThatHoldsAReaction) {
  const auto rod = b.constraint("rod", x - 1.0);
  b.unilateral("c", x + b.multiplier(rod));
  expect("not-allowed-here", "multipliers and forces of constraints cannot be used in the relation of a constraint");
}
TEST_F(BuilderContactMistakes, GapWithoutACoordinate) {
  b.unilateral("c", b.time() - 1.0);
  expect("contradiction", "the gap of `c` contains no coordinate, so no force can keep it from closing");
}
TEST_F(BuilderContactMistakes, GapOfNoBuilder) {
  b.unilateral("c", Term());
  expect("bad-value", "the gap of `c` is not a term of this builder");
}
TEST_F(BuilderContactMistakes, FrictionOfAUnilateralConstraintWithoutItsPoint) {
  b.unilateral("c", gap, {.friction = {.mu = one}});
  expect("wrong-argument-count", "friction with a coefficient names its point");
}
TEST_F(BuilderContactMistakes, MuBelowZero) {
  b.friction(b.unilateral("c", gap), B.center, {.mu = b.number(-0.1)});
  expect("bad-value", "a coefficient of friction must not be negative");
}
TEST_F(BuilderContactMistakes, StaticMuBelowZero) {
  b.friction(b.unilateral("c", gap), B.center, {.mu = one, .static_mu = b.number(-0.1)});
  expect("bad-value", "a coefficient of static friction must not be negative");
}
TEST_F(BuilderContactMistakes, MuThatIsSetBelowZero) {
  b.friction(b.unilateral("c", gap), B.center, {.mu = e});
  expect_refused(-1.0, "a coefficient of friction must not be negative");
}
TEST_F(BuilderContactMistakes, MuThatHoldsAnAcceleration) {
  b.friction(b.unilateral("c", gap), B.center, {.mu = norm(b.acc(B.center))});
  expect("not-allowed-here",
         "`norm(acc(B))` is of acceleration level, but a coefficient of friction may contain only coordinates, speeds, "
         "states, parameters and `t`");
}
TEST_F(BuilderContactMistakes, FrictionWithoutMu) {
  b.friction(b.unilateral("c", gap), B.center, {});
  expect("wrong-argument-count", "`friction` needs a coefficient `mu`");
}
TEST_F(BuilderContactMistakes, TwoFrictionsOfOneUnilateralConstraint) {
  const auto c = b.unilateral("c", gap);
  b.friction(c, B.center, {.mu = one});
  b.friction(c, B.center, {.mu = one});
  expect("not-supported", "a constraint with `>=` or `<=` has one `friction`");
}
TEST_F(BuilderContactMistakes, FrictionOnAPointThatTheConstraintDoesNotPush) {
  const auto P = b.particle("P", one, O, b.coordinate("y") * b.axis(N, 1));
  b.friction(b.unilateral("c", gap), P, {.mu = one});
  expect("point-not-in-constraint", "constraint `c` puts no force on `P`");
}
TEST_F(BuilderContactMistakes, FrictionOfAGapInCoordinates) {
  b.friction(b.unilateral("c", x), B.center, {.mu = one});
  expect("point-not-in-constraint", "constraint `c` puts no force on `B`");
}
TEST_F(BuilderContactMistakes, FrictionOnAPointThatRests) {
  b.friction(b.unilateral("c", gap), O, {.mu = one});
  expect("not-allowed-here", "no coordinate moves `O`, so a force on it has no effect");
}
TEST_F(BuilderContactMistakes, FrictionFromThePointItself) {
  b.friction(b.unilateral("c", gap), B.center, {.mu = one}, B.center);
  expect("bad-value", "a force and its opposite act on the same point");
}
TEST_F(BuilderContactMistakes, SlidingWithoutAVelocity) {
  b.friction(b.unilateral("c", gap), B.center, {.mu = one}, {}, b.pos(B.center, O));
  expect("bad-value", "the velocity of sliding contains no velocity");
}
TEST_F(BuilderContactMistakes, FrictionOfAConstraintWithAMistakeIsNotReported) {
  b.friction(b.unilateral("c", b.rate(x)), B.center, {.mu = b.number(-1.0)});
  expect("not-allowed-here",
         "`c` is of velocity level; a relation with `>=` or `<=` limits a gap, which contains positions and the time "
         "only");
}
TEST_F(BuilderContactMistakes, FrictionOfAConstraintOfAnotherBuilder) {
  b.friction({7}, B.center, {.mu = one});
  expect("bad-value", "`friction` of a constraint or on a point of another builder");
}
TEST_F(BuilderContactMistakes, BoundOfFrictionBelowZero) {
  b.friction(x, b.number(-1.0));
  expect("bad-value", "a bound of dry friction must not be negative");
}
TEST_F(BuilderContactMistakes, BoundOfFrictionOnAnExpression) {
  b.friction(2.0 * x, one);
  expect("wrong-kind", "`friction` with a bound acts on a coordinate");
}
TEST_F(BuilderContactMistakes, OtherClausesOfAUnilateralConstraint) {
  for (int clause = 0; clause < 5; ++clause) {
    Builder each("m");
    const Term y = each.coordinate("y"), two = each.number(2.0);
    const auto P = each.particle("P", two, each.fixed_point("O", each.newtonian()), y * each.axis(each.newtonian(), 1));
    const auto c = each.unilateral("c", y);
    if (clause == 0) each.when(c, each.time() > two);
    if (clause == 1) each.law(c, "stiff", {{"kappa", {two}}});
    if (clause == 2) each.variational(c);
    if (clause == 3) each.nonideal(c, y, two);
    if (clause == 4) each.nonideal(c, P, each.axis(each.newtonian(), 1));
    const auto model = Model::from_builder(std::move(each));
    ASSERT_FALSE(model) << clause;
    EXPECT_EQ(model.error().diagnostics.all[0].message,
              "a constraint with `>=` or `<=` has no other clauses than `restitution`, `friction` and `compliance` in "
              "this version");
  }
}
TEST_F(BuilderContactMistakes, LawWithoutImpulsesInTheModel) {
  b.variational(b.constraint("line", x - 1.0));
  b.unilateral("floor", gap);
  expect("not-supported",
         "the law `vakonomic` of constraint `line` does not determine the impulse that the constraint exerts in an "
         "impact of `floor`");
}
TEST_F(BuilderContactMistakes, FrictionByTheReactionOfAnEquationInTheModel) {
  b.friction(b.constraint("line", dot(b.pos(B.center, O), b.axis(N, 0)) - 1.0), B.center, {.mu = one});
  b.unilateral("floor", gap);
  expect("not-supported",
         "a force of constraint `line` depends on its reaction, so it has an impulse in an impact of `floor`, which "
         "this version does not compute");
}
TEST_F(BuilderContactMistakes, FrictionOfAConstraintWithWhen) {
  const auto c = b.constraint("c", gap);
  b.friction(c, B.center, {.mu = one});
  b.when(c, b.time() > one);
  expect("not-supported",
         "`when` is for constraints of the ideal law, without `nonideal`, `friction` and `via`: at the instant when "
         "`c` begins to act, the impulse of another law is not known");
}
TEST_F(BuilderContactMistakes, LimitsInTheWrongOrder) {
  b.limits(x, {.lower = one, .upper = b.number(0.0)});
  expect("bad-value", "the lower limit of `x` is not below its upper limit");
}
TEST_F(BuilderContactMistakes, LimitsThatAreSetInTheWrongOrder) {
  b.limits(x, {.lower = e, .upper = one});
  expect_refused(1.0, "the lower limit of `x` must be below its upper limit");
}
TEST_F(BuilderContactMistakes, LimitThatMoves) {
  b.limits(x, {.upper = b.time()});
  expect("not-allowed-here", "a limit of `x` contains numbers and parameters only, so that it does not move");
}
TEST_F(BuilderContactMistakes, LimitThatIsNotFinite) {
  b.limits(x, {.upper = b.number(std::nan(""))});
  expect("bad-value", "a limit of `x` is a finite number");
}
TEST_F(BuilderContactMistakes, LimitsTwice) {
  b.limits(x, {.upper = one});
  const auto again = b.limits(x, {.upper = one});
  EXPECT_EQ(again.max->rows, 1);
  expect("duplicate-name", "`x.max` is declared twice");
}
TEST_F(BuilderContactMistakes, LimitsWithoutALimit) {
  b.limits(x, {});
  expect("missing-statement", "`limits` of `x` have no limit");
}
TEST_F(BuilderContactMistakes, LimitsOfAnExpression) {
  b.limits(x + 1.0, {.upper = one});
  expect("wrong-kind", "`limits` are those of a coordinate");
}
TEST_F(BuilderContactMistakes, FrictionWithABoundOfAConstraintThatIsNoJoint) {
  b.friction(b.constraint("c", x - 1.0), one);
  expect("not-allowed-here", "a bound of friction belongs to a joint with one motion");
}
TEST_F(BuilderContactMistakes, FrictionWithABoundOfAJointWithoutOneMotion) {
  b.friction(b.joint("c", "spherical", {O, N}, {B.center, F}), one);
  expect("not-allowed-here", "a `spherical` joint has no single motion that friction could act along");
}
TEST_F(BuilderContactMistakes, FrictionOfAJointOfAFrameWithoutBody) {
  const auto bare = b.frame("bare", N, b.coordinate("c"), 0);
  b.friction(b.joint("j", "revolute", {O, N}, {B.center, bare}, {.axis = b.axis(N, 0)}), one);
  expect("not-allowed-here", "no body is fixed in the frame `bare`");
}
TEST_F(BuilderContactMistakes, BoundOfJointFrictionBelowZero) {
  b.friction(b.joint("j", "prismatic", {O, N}, {B.center, F}, {.axis = b.axis(N, 0)}), b.number(-1.0));
  expect("bad-value", "a bound of dry friction must not be negative");
}
TEST_F(BuilderContactMistakes, BoundOfJointFrictionThatIsSetBelowZero) {
  b.friction(b.joint("j", "prismatic", {O, N}, {B.center, F}, {.axis = b.axis(N, 0)}), e);
  expect_refused(-1.0, "a bound of dry friction must not be negative");
}
TEST_F(BuilderContactMistakes, FrictionOfAJointOfAnotherBuilder) {
  b.friction(Builder::Constraint{7}, one);
  expect("bad-value", "`friction` of a joint of another builder");
}
TEST_F(BuilderContactMistakes, LimitsOfAJointOfAnotherBuilder) {
  b.limits(Builder::Constraint{7}, {.upper = one});
  expect("bad-value", "`limits` of a joint of another builder");
}
TEST_F(BuilderContactMistakes, FrictionAndLimitsOfAJointWithAMistakeAreNotReported) {
  const auto j = b.joint("j", "revolute", {O, N}, {B.center, F});
  b.friction(j, b.number(-1.0));
  const auto stops = b.limits(j, {.lower = one, .upper = one});
  EXPECT_TRUE(stops.min && stops.max);
  expect("wrong-argument-count", "a `revolute` joint needs `axis`");
}
TEST_F(BuilderContactMistakes, LimitsOfAConstraintThatIsNoJoint) {
  b.limits(b.constraint("c", x - 1.0), {.upper = one});
  expect("not-allowed-here", "the clause `limits` is for joints");
}
TEST_F(BuilderContactMistakes, LimitsOfAJointWithoutOnePosition) {
  b.limits(b.joint("c", "cylindrical", {O, N}, {B.center, F}, {.axis = b.axis(N, 0)}), {.upper = one});
  expect("not-allowed-here", "a `cylindrical` joint has no single advance or angle that limits could bound");
}
TEST_F(BuilderContactMistakes, LimitsOfAJointTwice) {
  const auto j = b.joint("j", "prismatic", {O, N}, {B.center, F}, {.axis = b.axis(N, 0)});
  b.limits(j, {.lower = b.number(0.0)});
  b.limits(j, {.upper = one});
  expect("misplaced-statement", "a joint has one `limits`");
}
TEST_F(BuilderContactMistakes, LimitsOfAJointInTheWrongOrder) {
  b.limits(b.joint("j", "prismatic", {O, N}, {B.center, F}, {.axis = b.axis(N, 0)}), {.lower = one, .upper = one});
  expect("bad-value", "the lower limit of the advance of `j` is not below its upper limit");
}
TEST_F(BuilderContactMistakes, LimitsOfAJointThatDoesNotMove) {
  const auto C = b.body("C", b.frame("G", N, b.number(0.2), 0), one, {one, one, one}, O, b.axis(N, 1));
  b.limits(b.joint("j", "revolute", {O, N}, {C.center, C.frame}, {.axis = b.axis(N, 0)}), {.upper = one});
  expect("contradiction", "the angle of `j` contains no coordinate, so no force can limit it");
}
TEST_F(BuilderContactMistakes, LimitsOfAJointWithWhen) {
  const auto j = b.joint("j", "prismatic", {O, N}, {B.center, F}, {.axis = b.axis(N, 0)});
  b.limits(j, {.upper = one});
  b.when(j, b.time() > one);
  expect("not-supported", "limits of a joint with `when` are not supported by this version");
}
TEST_F(BuilderContactMistakes, LimitsOfAnAngleUpToWholeTurns) {
  const std::array<Term, 4> q = {b.coordinate("e0"), b.coordinate("e1"), b.coordinate("e2"), b.coordinate("e3")};
  const auto G = b.frame("G", N, q);
  const auto C = b.body("C", G, one, {one, one, one}, O, b.number(0.0) * b.axis(N, 1));
  b.limits(b.joint("j", "revolute", {O, N}, {C.center, G}, {.axis = b.axis(N, 0)}), {.upper = one});
  expect("not-supported",
         "the angle of `j` is known up to whole turns only, because it is not a sum of angles of frames");
}
TEST_F(BuilderContactMistakes, ContactAsAnOrdinaryJoint) {
  b.joint("c", "contact", {O, N}, {B.center, F});
  expect("not-allowed-here", "a `contact` has one constraint for each place of contact");
}
TEST_F(BuilderContactMistakes, ContactWithOneSurface) {
  b.contact("c", {O, N}, {B.center, F}, {.surface = "plane"});
  expect("wrong-argument-count", "a `contact` joint needs `surface2`");
}
TEST_F(BuilderContactMistakes, OtherJointWithASecondSurface) {
  b.joint("j", "spherical", {O, N}, {B.center, F}, {.surface2 = "plane"});
  expect("not-allowed-here", "a `spherical` joint takes no `surface2`");
}
TEST_F(BuilderContactMistakes, ContactOfSurfacesThatCannotTouch) {
  ground("plane", {});
  expect("not-supported", "contacts between `plane` and `plane` are not supported by this version");
}
TEST_F(BuilderContactMistakes, ContactWithALengthThatIsNotPositive) {
  ground("sphere", {b.number(-1.0)});
  expect("bad-value", "a length of a surface must be positive");
}
TEST_F(BuilderContactMistakes, ContactWithAnAxisOfASphere) {
  ground("sphere", {one}, b.axis(F, 0));
  expect("not-allowed-here", "a sphere has no axis");
}
TEST_F(BuilderContactMistakes, ContactWithACornerThatMoves) {
  ground("polygon", {b.axis(F, 0), b.axis(F, 1), b.axis(N, 0)});
  expect("not-allowed-here", "a corner of a polygon is a vector fixed in `B`");
}
TEST_F(BuilderContactMistakes, ContactWithAPolygonThatIsNotConvex) {
  ground("polygon", {b.axis(F, 0), b.axis(F, 1), 0.1 * b.axis(F, 0), -b.axis(F, 1)});
  expect("bad-value", "the corners are not those of a plane convex polygon");
}
TEST_F(BuilderContactMistakes, ContactOfPolygonsInTwoPlanes) {
  b.contact("c", {O, N}, {B.center, F},
            {.surface = "polygon",
             .surface_lengths = {b.axis(N, 0), b.axis(N, 1), -b.axis(N, 0)},
             .surface2 = "polygon",
             .surface2_lengths = {b.axis(F, 0), b.axis(F, 2), -b.axis(F, 0)}});
  expect("not-supported", "two polygons touch only in a motion in their plane: these do not stay in one plane");
}
TEST_F(BuilderContactMistakes, ContactWithAHeightThatIsNotOfThePlace) {
  b.contact("ground", {O, N}, {B.center, F}, {.surface = "ground", .surface_lengths = {x}, .surface2 = "point"});
  expect("not-allowed-here", "the height of a ground contains numbers, parameters and its place only");
}
TEST_F(BuilderContactMistakes, ContactOfAParticle) {
  const auto P = b.particle("P", one, O, b.coordinate("y") * b.axis(N, 1));
  b.contact("c", {P, N}, {B.center, F}, {.surface = "plane", .surface2 = "sphere", .surface2_lengths = {one}});
  expect("not-allowed-here", "a `contact` joint uses directions, and a particle has none");
}
TEST_F(BuilderContactMistakes, ContactWhoseGapDoesNotChange) {
  const auto G = b.frame("G", N, b.number(0.3), 2);
  const auto fixed = b.body("fixed", G, one, {one, one, one}, O, b.axis(N, 2));
  b.contact("c", {O, N}, {fixed.center, G}, {.surface = "plane", .surface2 = "sphere", .surface2_lengths = {one}});
  expect("contradiction", "the gap of `c` contains no coordinate");
}
TEST_F(BuilderContactMistakes, FrictionOnAPointOfAContact) {
  const auto all =
      b.contact("c", {O, N}, {B.center, F},
                {.axis = b.axis(N, 0), .surface = "plane", .surface2 = "sphere", .surface2_lengths = {one}});
  b.friction(all[0].constraint, all[0].Q, {.mu = one});
  expect("not-allowed-here", "a joint `contact` finds its point of contact");
}

TEST(BuilderContacts, ThatCloseAndASampledStateGoTogether) {
  Builder b("m");
  const Term x = b.coordinate("x");
  b.particle("P", b.number(1.0), b.fixed_point("O", b.newtonian()), x * b.axis(b.newtonian(), 0));
  const Term s = b.sampled_state("s", b.number(0.1));
  b.sample(s, x);
  b.limits(x, {.lower = b.number(0.0)});
  b.start(x, 1.0);
  b.start(b.rate(x), -1.0);
  b.run(2.0);
  const auto model = Model::from_builder(std::move(b));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_NEAR(model->run().value().column("x").value().values.back(), 0.0, 1e-9);
}

}  // namespace
}  // namespace vinculum::builder_contacts_test

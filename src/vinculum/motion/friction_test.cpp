#include <cmath>

#include "support/motion/test_models.hpp"
#include "vinculum/model/inspect/inspection.hpp"

/// Friction with the actual normal reaction (theory.md §4.2) against closed forms.
namespace vinculum::sim {
namespace {

using model::PointId;
using model::Term;
using testing::kind_of;
using testing::reason;
using testing::run_for;
using testing::Sketch;

enum class Normal { kActual, kIdeal };

/// Adds the friction −μ |R| v/|v| on `point`, where R is the reaction of the constraint at that point, and the opposite
/// force on `from`.
void add_friction(Sketch& s, model::ConstraintId constraint, PointId point, double mu, Term v,
                  Normal normal = Normal::kActual, std::optional<PointId> from = {}) {
  const model::Model& model = s.builder.model();
  const Term R = normal == Normal::kActual ? model::reaction(model, constraint, point)
                                           : model::ideal_force(model, constraint, point);
  model::TermPool& pool = s.builder.terms();
  s.builder.add_nonideal_force(constraint, point, -(mu * pool.norm(R) * pool.unit(v)), from);
}

Sample sample_at_start(Dynamics& dynamics) {
  const auto start = assemble(dynamics);
  if (!start) throw std::runtime_error(start.error().message);
  Vector y(start->q.size() + start->u.size());
  y << start->q, start->u;
  Sample sample;
  const auto done = dynamics.report(start->t0, y.data(), sample);
  if (!done) throw std::runtime_error(done.error().message);
  return sample;
}

/// Block of mass 1 that slides down a free wedge of mass 3, at 30°. The contact row is multiplied by 2.
Sketch block_on_wedge(Normal normal) {
  Sketch s("wedge");
  const double angle = M_PI / 6.0;
  const PointId wedge = s.particle("w", 3.0, 1);
  const PointId block = s.particle("b", 1.0, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  const Term outward = s.number(std::sin(angle)) * s.axis(0) + s.number(std::cos(angle)) * s.axis(1);
  const auto contact = s.builder.add_constraint("contact", 2.0 * s.dot(s.builder.pos(block, wedge), outward));
  add_friction(s, contact, block, 0.2, s.builder.vel(block) - s.builder.vel(wedge), normal, wedge);
  s.builder.add_output("normal", s.builder.terms().norm(model::reaction(s.builder.model(), contact, block)));
  s.start_all({0.0, 0.0, 0.0}, {0.0, std::cos(angle), -std::sin(angle)});
  return s;
}

TEST(Friction, OfABlockOnAFreeWedgeTakesTheActualNormalForce) {
  Dynamics dynamics = block_on_wedge(Normal::kActual).dynamics();
  const Sample sample = sample_at_start(dynamics);
  EXPECT_NEAR(sample.outputs[0], 8.05688439682351, 1e-13);
  EXPECT_NEAR(sample.reaction.lambda()[0], 0.5 * 8.05688439682351, 1e-13);  // the row is doubled, so λ is halved
  const Vector& u_dot = sample.reaction.u_dot();
  EXPECT_NEAR(u_dot[0], -0.877649628603676, 1e-14);
  EXPECT_NEAR(std::hypot(u_dot[1] - u_dot[0], u_dot[2]), 4.05368999462806, 1e-13);
}

TEST(Friction, StatedWithTheIdealReactionIsAnotherLaw) {
  Dynamics dynamics = block_on_wedge(Normal::kIdeal).dynamics();
  const Sample sample = sample_at_start(dynamics);
  EXPECT_NEAR(2.0 * sample.reaction.lambda_ideal()[0], 7.84219311796186, 1e-13);
  EXPECT_NEAR(sample.reaction.u_dot()[0], -0.889091357924609, 1e-14);
}

TEST(Friction, OfABlockOnAWedgeKeepsTheMomentumOfThePairAndLosesItsPower) {
  Dynamics dynamics = block_on_wedge(Normal::kActual).dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.7, 1e-10));
  ASSERT_FALSE(run.stopped) << reason(run);
  const Sample& end = run.samples.back();
  EXPECT_NEAR(3.0 * end.u[0] + end.u[1], std::cos(M_PI / 6.0), 1e-12);
  EXPECT_NEAR(end.u[0], -0.877649628603676 * 0.7, 1e-12);
  const double slid = std::hypot(end.q[1] - end.q[0], end.q[2]);
  const double energy = 0.5 * (3.0 * end.u[0] * end.u[0] + end.u[1] * end.u[1] + end.u[2] * end.u[2]) + 9.81 * end.q[2];
  EXPECT_NEAR(energy, 0.5 - 0.2 * 8.05688439682351 * slid, 1e-11);
}

Sketch bead_on_hoop(double gravity, double speed) {
  Sketch s("hoop");
  const PointId bead = s.particle("p", 1.0, 2);
  s.builder.add_gravity(s.number(-gravity) * s.axis(1));
  const auto hoop = s.builder.add_constraint("hoop", s.square(s.from_origin(bead)) - s.number(0.64));
  add_friction(s, hoop, bead, 0.25, s.builder.vel(bead));
  s.start_all({0.0, -0.8}, {speed, 0.0});
  return s;
}

TEST(Friction, SlowsABeadOnAHorizontalRing) {
  for (const equations::Formulation formulation : equations::kFormulations) {
    Dynamics dynamics = bead_on_hoop(0.0, 3.0).dynamics();
    SimulateOptions options = run_for(5.0, 1e-11);
    options.formulation = formulation;
    const Trajectory run = simulate(dynamics, options);
    ASSERT_FALSE(run.stopped) << reason(run);
    const Sample& end = run.samples.back();
    EXPECT_NEAR(end.u.norm(), 0.52747252747252747, 1e-9) << to_string(formulation);
    const double angle = 6.953083137108275214;
    EXPECT_NEAR(end.q[0], 0.8 * std::sin(angle), 1e-8);
    EXPECT_NEAR(end.q[1], -0.8 * std::cos(angle), 1e-8);
  }
}

TEST(Friction, OfABeadOnAVerticalHoopFeelsGravityInTheNormalForce) {
  Dynamics dynamics = bead_on_hoop(9.81, 7.2).dynamics();  // θ' = 9
  const Trajectory run = simulate(dynamics, run_for(0.1341234948892448438, 1e-11));
  ASSERT_FALSE(run.stopped) << reason(run);
  const Sample& end = run.samples.back();
  EXPECT_NEAR(std::atan2(end.q[0], -end.q[1]), 1.0, 1e-10);
  EXPECT_NEAR(end.u.squaredNorm() / 0.64, 35.609762630649764515, 1e-8);
  EXPECT_NEAR(-end.reaction.lambda()[0] * 1.6, 33.78817572508626224, 1e-8);
}

// The normal force N has two rows: N²/m² = (v²/R)² + g². With w = v²/(R g), the speed satisfies dw/dθ = −2μ √(w² + 1).
TEST(Friction, TakesTheForceOfAllRowsOfItsConstraint) {
  Sketch s("ring");
  const double R = 0.5, g = 9.81, mu = 0.1, speed = 4.0;
  const PointId bead = s.particle("p", 2.0, 3);
  s.builder.add_gravity(s.number(-g) * s.axis(2));
  const Term r = s.from_origin(bead), z = s.dot(r, s.axis(2));
  const auto ring = s.builder.add_rows("ring", {s.square(r) - z * z - s.number(R * R), z});
  add_friction(s, ring, bead, mu, s.builder.vel(bead));
  s.start_all({R, 0.0, 0.0}, {0.0, speed, 0.0});
  Dynamics dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.15, 1e-11));
  ASSERT_FALSE(run.stopped) << reason(run);
  const Sample& end = run.samples.back();
  const double angle = std::atan2(end.q[1], end.q[0]);
  ASSERT_GT(angle, 0.5);
  const double w = std::sinh(std::asinh(speed * speed / (R * g)) - 2.0 * mu * angle);
  EXPECT_NEAR(end.u.squaredNorm(), w * R * g, 1e-8);
}

/// Uniform rod of mass 1 and half length 1. Its end slides in a rough guide at the angle θ to the rod (Painlevé), in
/// the direction in which friction presses the rod into the guide.
Sketch rod(double angle, double rate, double mu) {
  Sketch s("rod");
  const auto x = s.coordinate("x"), y = s.coordinate("y"), theta = s.coordinate("theta");
  model::ModelBuilder& b = s.builder;
  const auto frame = b.add_rotated_frame("R", Sketch::frame(), b.q(theta), 2);
  const Term zero = s.number(0.0), J = s.number(1.0 / 3.0);
  const auto body = b.add_body("rod", frame, s.number(1.0), {zero, J, J, zero, zero, zero}, s.origin,
                               b.q(x) * s.axis(0) + b.q(y) * s.axis(1));
  const PointId end = b.add_point("E", b.center_of(body), -b.axis(frame, 0));
  b.add_gravity(s.number(-9.81) * s.axis(1));
  const auto guide = b.add_constraint("guide", s.dot(b.pos(end, s.origin), s.axis(1)));
  add_friction(s, guide, end, mu, s.dot(b.vel(end), s.axis(0)) * s.axis(0));
  const double c = std::cos(angle), d = std::sin(angle);
  s.coordinates = {x, y, theta};
  s.start_all({c, d, angle}, {-100.0 - d * rate, c * rate, rate});
  return s;
}

/// Returns 1 + cos θ (cos θ − μ sin θ)/κ, the response of the end of the rod to the normal force and its friction, with
/// the moment of inertia κ = 1/3 about the center.
double response(double angle, double mu) {
  return 1.0 + 3.0 * std::cos(angle) * (std::cos(angle) - mu * std::sin(angle));
}

TEST(PainleveRod, HasOneNormalForceBelowTheCriticalFriction) {
  const double angle = std::atan(2.0);
  for (const double mu : {0.5, 1.3, 1.33}) {
    Dynamics dynamics = rod(angle, 0.0, mu).dynamics();
    const Sample sample = sample_at_start(dynamics);
    EXPECT_NEAR(sample.reaction.lambda()[0], 9.81 / response(angle, mu), 1e-9 * 9.81 / response(angle, mu)) << mu;
    EXPECT_NEAR(sample.reaction.Q_c[0], mu * sample.reaction.lambda()[0], 1e-9 * sample.reaction.lambda()[0]);
  }
}

FailureKind failure_of(Sketch s) {
  Dynamics dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.1, 1e-8));
  return kind_of(run);
}

TEST(PainleveRod, HasNoSolutionOrTwoAboveIt) {
  const double angle = std::atan(2.0);
  EXPECT_EQ(failure_of(rod(angle, 0.0, 1.4)), FailureKind::kFrictionNoSolution);
  // the other solution: the free end lifts off
  EXPECT_EQ(failure_of(rod(angle, 5.0, 1.4)), FailureKind::kFrictionManySolutions);
}

TEST(PainleveRod, IsReportedFromTheFirstCriticalAngleToTheSecond) {
  for (const auto& [mu, lower, upper] : {std::array{1.4, 0.97015541598827918041, 1.2208903967894389102},
                                         std::array{2.0, 0.652358139784368186, 1.3820857960113345495}}) {
    for (const double inside : {lower + 1e-6, upper - 1e-6}) {
      EXPECT_EQ(failure_of(rod(inside, 0.0, mu)), FailureKind::kFrictionNoSolution) << mu << " " << inside;
    }
    for (const double outside : {lower - 1e-6, upper + 1e-6}) {
      Dynamics dynamics = rod(outside, 0.0, mu).dynamics();
      const Sample sample = sample_at_start(dynamics);
      EXPECT_NEAR(sample.reaction.lambda()[0] * response(outside, mu), 9.81, 1e-6) << mu << " " << outside;
    }
  }
}

TEST(PainleveRod, RisesToTheCriticalAngleAndStopsThere) {
  // At the critical angle the numerator and the denominator of the normal force both vanish, for every start below this
  // angle (Genot & Brogliato, theorem 2). Just after it, rounding errors decide their signs, and so whether there are
  // two solutions or none.
  Dynamics dynamics = rod(0.75, 1.0, 1.6).dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-9));
  ASSERT_TRUE(run.stopped);
  EXPECT_TRUE(run.stopped->kind == FailureKind::kFrictionManySolutions ||
              run.stopped->kind == FailureKind::kFrictionNoSolution)
      << reason(run);
  EXPECT_NE(run.stopped->message.find("`guide`"), std::string::npos) << run.stopped->message;
  const double angle = run.samples.back().q[2], rate = run.samples.back().u[2];
  EXPECT_NEAR(angle, 0.82076098341003060337, 1e-3);
  EXPECT_NEAR(9.81 - rate * rate * std::sin(angle), 0.0, 0.2);
}

TEST(Friction, NotLinearInTheDirectionOfSlidingEndsTheRunAtRest) {
  Sketch s("incline");
  const PointId block = s.particle("b", 1.0, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  const auto floor = s.builder.add_constraint("floor", s.dot(s.from_origin(block), s.axis(1)));
  const Term v = s.builder.vel(block), e = s.builder.terms().unit(v);
  const Term R = s.builder.terms().norm(model::reaction(s.builder.model(), floor, block));
  s.builder.add_nonideal_force(floor, block, -(0.3 * R * s.dot(e, s.axis(0)) * s.dot(e, s.axis(0)) * e));
  s.start_all({0.0, 0.0}, {4.0, 0.0});
  Dynamics dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-10));
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->kind, FailureKind::kFrictionNoSolution) << reason(run);
  EXPECT_NEAR(run.stopped->t, 4.0 / (0.3 * 9.81), 1e-8) << reason(run);
}

TEST(Friction, OnARowStatedTwiceHasNoReactionOfItsOwn) {
  Sketch s("twice");
  const PointId bead = s.particle("p", 1.0, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  const Term height = s.dot(s.from_origin(bead), s.axis(1));
  const auto floor = s.builder.add_constraint("floor", height);
  s.builder.add_constraint("again", 2.0 * height);
  add_friction(s, floor, bead, 0.25, s.builder.vel(bead));
  s.start_all({0.0, 0.0}, {2.0, 0.0});
  Dynamics dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.1, 1e-9));
  EXPECT_EQ(kind_of(run), FailureKind::kFrictionManySolutions);
}

}  // namespace
}  // namespace vinculum::sim

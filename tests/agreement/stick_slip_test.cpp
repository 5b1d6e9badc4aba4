#include <cmath>

#include "support/motion/test_models.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/verify/audit/audit.hpp"

/// Stick and slip (theory.md §4.6), compared with closed forms.
namespace vinculum::sim {
namespace stick_slip_test {

using model::ConstraintId;
using model::PointId;
using model::Term;
using testing::kind_of;
using testing::reason;
using testing::run_for;
using testing::Sketch;
using To = FrictionChange::To;

constexpr double kG = 9.81;

/// Adds friction −μ|R| v/|v| at the point, optionally with a larger coefficient of static friction.
void add_friction(Sketch& s, ConstraintId constraint, PointId point, double mu, Term v,
                  std::optional<PointId> from = {}, double mu_static = 0.0) {
  model::TermPool& pool = s.builder.terms();
  const Term R = model::reaction(s.builder.model(), constraint, point);
  model::Nonideal clause{model::ForceOn{point, -(mu * pool.norm(R) * pool.unit(v)), from}, {}};
  if (mu_static > 0.0) clause.static_ratio = s.number(mu_static / mu);
  s.builder.add_nonideal(constraint, std::move(clause));
}

Trajectory run_of(Sketch& s, double duration, double tolerance,
                  equations::Formulation formulation = equations::Formulation::kExplicit) {
  Dynamics dynamics = s.dynamics();
  SimulateOptions options = run_for(duration, tolerance);
  options.formulation = formulation;
  const Trajectory run = simulate(dynamics, options);
  const audit::Audit audited = audit::audit(dynamics.binding(), run, {});
  for (const audit::AuditLine& line : audited.lines) {
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken)
        << line.identity << ": " << line.worst << " " << line.where;
  }
  return run;
}

std::vector<To> changes_of(const Trajectory& run) {
  std::vector<To> all;
  for (const FrictionChange& change : run.all<FrictionChange>()) all.push_back(change.to);
  return all;
}

/// A block on an incline, with coordinates along and perpendicular to the slope.
Sketch block_on_incline(double angle, double mu, double speed) {
  Sketch s("incline");
  const PointId block = s.particle("b", 1.0, 2);
  s.builder.add_gravity(s.number(-kG * std::sin(angle)) * s.axis(0) + s.number(-kG * std::cos(angle)) * s.axis(1));
  const auto slope = s.builder.add_constraint("slope", 2.0 * s.dot(s.from_origin(block), s.axis(1)));
  add_friction(s, slope, block, mu, s.builder.vel(block));
  s.builder.add_output("friction", s.dot(model::total_force(s.builder.model(), slope, block), s.axis(0)));
  s.start_all({0.0, 0.0}, {speed, 0.0});
  return s;
}

TEST(Sticking, OfABlockOnARoughInclineEndsAtOnceWhereItIsSteep) {
  for (const equations::Formulation formulation : equations::kFormulations) {
    Sketch s = block_on_incline(0.5, 0.3, 4.0);
    const Trajectory run = run_of(s, 2.0, 1e-11, formulation);
    ASSERT_FALSE(run.stopped) << reason(run);
    ASSERT_EQ(changes_of(run), std::vector{To::kSlidesOn}) << to_string(formulation);
    EXPECT_NEAR(run.all<FrictionChange>()[0].t, 0.54900636609534820348, 1e-14);
    const double back = kG * (std::sin(0.5) - 0.3 * std::cos(0.5)), t = 2.0 - 0.54900636609534820348;
    EXPECT_NEAR(run.end().q[0], 1.098012732190696407 - 0.5 * back * t * t, 1e-12);
    EXPECT_NEAR(run.end().u[0], -back * t, 1e-12);
    EXPECT_NEAR(run.end().outputs[0], 0.3 * kG * std::cos(0.5), 1e-12);
  }
}

TEST(Sticking, OfABlockOnARoughInclineLastsWhereItIsFlat) {
  for (const equations::Formulation formulation : equations::kFormulations) {
    Sketch s = block_on_incline(0.5, 0.8, 4.0);
    const Trajectory run = run_of(s, 2.0, 1e-11, formulation);
    ASSERT_FALSE(run.stopped) << reason(run);
    ASSERT_EQ(changes_of(run), std::vector{To::kSticks});
    const double deceleration = kG * (std::sin(0.5) + 0.8 * std::cos(0.5));
    EXPECT_NEAR(run.all<FrictionChange>()[0].t, 4.0 / deceleration, 1e-14);
    EXPECT_NEAR(run.end().q[0], 8.0 / deceleration, 1e-13);
    EXPECT_EQ(run.end().u[0], 0.0);
    EXPECT_NEAR(run.end().outputs[0], kG * std::sin(0.5), 1e-12);  // the force in equilibrium, not the bound
    EXPECT_NEAR(run.end().reaction.Q_nonideal[0], kG * std::sin(0.5), 1e-12);
    EXPECT_EQ(run.end().friction.sticks, std::vector<char>{1});
    EXPECT_NEAR(run.end().friction.direction[0], -std::tan(0.5) / 0.8, 1e-12);
  }
}

TEST(Sticking, IsDecidedAtTheStart) {
  Sketch steep = block_on_incline(0.5, 0.3, 0.0), flat = block_on_incline(0.5, 0.8, 0.0);
  const Trajectory slides = run_of(steep, 1.0, 1e-10), sticks = run_of(flat, 1.0, 1e-10);
  ASSERT_FALSE(slides.stopped) << reason(slides);
  ASSERT_FALSE(sticks.stopped) << reason(sticks);
  EXPECT_NEAR(slides.end().q[0], -0.5 * kG * (std::sin(0.5) - 0.3 * std::cos(0.5)), 1e-12);
  EXPECT_EQ(slides.start().friction.sticks, std::vector<char>{0});
  EXPECT_EQ(sticks.end().q[0], 0.0);
  EXPECT_EQ(sticks.start().friction.sticks, std::vector<char>{1});
}

// A pull that grows as k t: the block begins to slip at t = μs m g/k, and then x'' = k t/m − μ g.
TEST(Sticking, EndsWhereStaticFrictionDoes) {
  Sketch s("pulled");
  const double mass = 2.0, rate = 3.0, mu = 0.2, mu_static = 0.35;
  const PointId block = s.particle("b", mass, 2);
  s.builder.add_gravity(s.number(-kG) * s.axis(1));
  s.builder.add_force(block, rate * s.builder.time() * s.axis(0));
  const auto floor = s.builder.add_constraint("floor", s.dot(s.from_origin(block), s.axis(1)));
  add_friction(s, floor, block, mu, s.builder.vel(block), {}, mu_static);
  s.start_all({0.0, 0.0}, {0.0, 0.0});
  const Trajectory run = run_of(s, 4.0, 1e-11);
  ASSERT_FALSE(run.stopped) << reason(run);
  ASSERT_EQ(changes_of(run), std::vector{To::kSlides});
  const double begin = mu_static * mass * kG / rate;
  EXPECT_NEAR(run.all<FrictionChange>()[0].t, begin, 1e-12);
  const double t = 4.0;
  const auto speed = [&](double at) { return 0.5 * rate * at * at / mass - mu * kG * at; };
  const auto place = [&](double at) { return rate * at * at * at / (6.0 * mass) - 0.5 * mu * kG * at * at; };
  EXPECT_NEAR(run.end().u[0], speed(t) - speed(begin), 1e-11);
  EXPECT_NEAR(run.end().q[0], place(t) - place(begin) - speed(begin) * (t - begin), 1e-11);
}

TEST(Sticking, SetsOffWithoutAJerkWhereThereIsOneCoefficient) {
  Sketch s("pulled");
  const PointId block = s.particle("b", 1.0, 2);
  s.builder.add_gravity(s.number(-kG) * s.axis(1));
  s.builder.add_force(block, s.builder.time() * s.axis(0));
  const auto floor = s.builder.add_constraint("floor", s.dot(s.from_origin(block), s.axis(1)));
  add_friction(s, floor, block, 0.1, s.builder.vel(block));
  s.start_all({0.0, 0.0}, {0.0, 0.0});
  const Trajectory run = run_of(s, 3.0, 1e-11);
  ASSERT_FALSE(run.stopped) << reason(run);
  ASSERT_EQ(changes_of(run), std::vector{To::kSlides});
  const double t = 3.0 - 0.981;
  EXPECT_NEAR(run.end().q[0], t * t * t / 6.0, 1e-10);
}

// A mass on a spring, on a belt with speed v. It sticks until k x = μs m g. Then it slips in a harmonic motion about x
// = μ g/ω².
TEST(StickSlip, OfAMassOnABeltIsPeriodic) {
  const double mass = 1.5, stiffness = 40.0, mu = 0.25, mu_static = 0.4, belt = 0.3;
  Sketch s("belt");
  const PointId block = s.particle("b", mass, 2);
  s.builder.add_gravity(s.number(-kG) * s.axis(1));
  s.builder.add_force(block, -stiffness * s.dot(s.from_origin(block), s.axis(0)) * s.axis(0));
  const auto contact = s.builder.add_constraint("contact", s.dot(s.from_origin(block), s.axis(1)));
  add_friction(s, contact, block, mu, s.builder.vel(block) - belt * s.axis(0), {}, mu_static);
  s.start_all({0.0, 0.0}, {belt, 0.0});
  const double omega = std::sqrt(stiffness / mass);
  const double release = mu_static * mass * kG / stiffness, middle = mu * mass * kG / stiffness;
  // During slip, x = middle + a cos ω τ + (belt/ω) sin ω τ with the time τ since slip began. It reaches the speed of
  // the belt again at ω τ = 2π − 2 atan(a ω/belt).
  const double a = release - middle;
  const double slip = (2.0 * M_PI - 2.0 * std::atan(a * omega / belt)) / omega;
  const double caught = middle - a, stick = (release - caught) / belt;
  const Trajectory run = run_of(s, 5.0, 1e-11);
  ASSERT_FALSE(run.stopped) << reason(run);
  double t = release / belt;
  ASSERT_GE(run.all<FrictionChange>().size(), 6U);
  for (std::size_t i = 0; i < run.all<FrictionChange>().size(); ++i) {
    EXPECT_EQ(run.all<FrictionChange>()[i].to, i % 2 == 0 ? To::kSlides : To::kSticks) << i;
    EXPECT_NEAR(run.all<FrictionChange>()[i].t, t, 1e-9) << i;
    t += i % 2 == 0 ? slip : stick;
  }
}

// On a belt that moves transversely, friction acts along the relative velocity, so the relative motion is straight.
TEST(StickSlip, InThePlaneComesToRestOnTheBelt) {
  Sketch s("crossing");
  const PointId puck = s.particle("p", 0.7, 3);
  s.builder.add_gravity(s.number(-kG) * s.axis(2));
  const auto belt = s.builder.add_constraint("belt", s.dot(s.from_origin(puck), s.axis(2)));
  add_friction(s, belt, puck, 0.3, s.builder.vel(puck) - 1.2 * s.axis(1));
  s.start_all({0.0, 0.0, 0.0}, {0.5, 0.0, 0.0});
  const Trajectory run = run_of(s, 1.0, 1e-10);
  ASSERT_FALSE(run.stopped) << reason(run);
  ASSERT_EQ(changes_of(run), std::vector{To::kSticks});
  const double stop = 1.3 / (0.3 * kG);
  EXPECT_NEAR(run.all<FrictionChange>()[0].t, stop, 1e-9);
  EXPECT_NEAR(run.end().q[0], 0.5 * 0.5 * stop, 1e-9);
  EXPECT_NEAR(run.end().q[1], 1.2 - 0.5 * 1.2 * stop, 1e-9);
  EXPECT_NEAR(run.end().u[1], 1.2, 1e-12);
}

// A puck slips obliquely down a slope. Friction turns its velocity towards the line of steepest descent. It comes to
// rest, because tan α < μ. Reference: an integral over the angle between the velocity and that line.
TEST(StickSlip, InThePlaneOnASlopeTurnsAndThenRests) {
  const double angle = 0.3, mu = 0.5;
  Sketch s("slope");
  const PointId puck = s.particle("p", 1.0, 3);
  s.builder.add_gravity(kG * std::sin(angle) * s.axis(0) - kG * std::cos(angle) * s.axis(2));
  const auto slope = s.builder.add_constraint("slope", s.dot(s.from_origin(puck), s.axis(2)));
  add_friction(s, slope, puck, mu, s.builder.vel(puck));
  s.start_all({0.0, 0.0, 0.0}, {0.0, 2.0, 0.0});
  const Trajectory run = run_of(s, 3.0, 1e-9);
  ASSERT_FALSE(run.stopped) << reason(run);
  ASSERT_EQ(changes_of(run), std::vector{To::kSticks});
  // With the angle θ to the line of steepest descent: v' = g (sin α cos θ − μ cos α), v θ' = −g sin α sin θ. So t = ∫ v
  // dθ/(g sin α sin θ), with v = v0 (tan(θ/2))^p/sin θ and p = μ/tan α.
  const double p = mu / std::tan(angle);
  double time = 0.0;
  const int steps = 200000;
  for (int i = 0; i < steps; ++i) {
    const double s_i = std::pow(M_PI_2, 0.25) * (i + 0.5) / steps,
                 theta = s_i * s_i * s_i * s_i;  // the integrand is θ^(p − 2) at 0
    time += std::pow(M_PI_2, 0.25) / steps * 4.0 * s_i * s_i * s_i * 2.0 * std::pow(std::tan(0.5 * theta), p) /
            (std::sin(theta) * kG * std::sin(angle) * std::sin(theta));
  }
  EXPECT_NEAR(run.all<FrictionChange>()[0].t, time, 1e-6);
  EXPECT_LT(run.end().u.norm(), 1e-12);
}

/// A block on another block on the floor; the lower block is pulled.
Sketch stack(double pull) {
  Sketch s("stack");
  const PointId lower = s.particle("a", 2.0, 2), upper = s.particle("b", 1.0, 2);
  s.builder.add_gravity(s.number(-kG) * s.axis(1));
  s.builder.add_force(lower, pull * s.axis(0));
  const auto floor = s.builder.add_constraint("floor", s.dot(s.from_origin(lower), s.axis(1)));
  const auto between =
      s.builder.add_constraint("between", s.dot(s.builder.pos(upper, lower), s.axis(1)) - s.number(0.2));
  add_friction(s, floor, lower, 0.1, s.builder.vel(lower));
  add_friction(s, between, upper, 0.3, s.builder.vel(upper) - s.builder.vel(lower), lower);
  s.start_all({0.0, 0.0, 0.0, 0.2}, {0.0, 0.0, 0.0, 0.0});
  return s;
}

TEST(StickSlip, OfAStackIsDecidedContactByContact) {
  struct Case {
    double pull;
    char floor, between;
    double lower, upper;
  };
  const double floor = 0.1 * 3.0 * kG;
  for (const Case& c : {Case{2.0, 1, 1, 0.0, 0.0}, Case{6.0, 0, 1, (6.0 - floor) / 3.0, (6.0 - floor) / 3.0},
                        Case{15.0, 0, 0, (15.0 - floor - 0.3 * kG) / 2.0, 0.3 * kG}}) {
    Sketch s = stack(c.pull);
    const Trajectory run = run_of(s, 1.0, 1e-10);
    ASSERT_FALSE(run.stopped) << reason(run);
    EXPECT_EQ(run.start().friction.sticks, (std::vector<char>{c.floor, c.between})) << c.pull;
    EXPECT_NEAR(run.end().q[0], 0.5 * c.lower, 1e-10) << c.pull;
    EXPECT_NEAR(run.end().q[2], 0.5 * c.upper, 1e-10) << c.pull;
    EXPECT_TRUE(run.all<FrictionChange>().empty());
  }
}

TEST(StickSlip, OfTwoContactsThatHoldOnePointHoldsItTogether) {
  Sketch s("slot");
  const PointId block = s.particle("b", 1.0, 2);
  s.builder.add_gravity(s.number(-kG) * s.axis(1));
  const auto floor = s.builder.add_constraint("floor", s.dot(s.from_origin(block), s.axis(1)));
  add_friction(s, floor, block, 0.3, s.builder.vel(block));
  add_friction(s, floor, block, 0.2, s.builder.vel(block));  // uses the same velocity, so both are one contact
  EXPECT_EQ(s.builder.model().slides.size(), 1U);
  // The same velocity in another notation is another contact.
  add_friction(s, floor, block, 0.2, s.dot(s.builder.vel(block), s.axis(0)) * s.axis(0));
  EXPECT_EQ(s.builder.model().slides.size(), 2U);
  s.start_all({0.0, 0.0}, {0.0, 0.0});
  Dynamics dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-9));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_EQ(run.end().q[0], 0.0);
  EXPECT_EQ(run.end().friction.sticks, (std::vector<char>{1, 1}));
}

// A wheel with a spring and a brake of constant torque k: each half period reduces the amplitude by 2k/stiffness.
TEST(StickSlip, OfABrakeOnACoordinateNeedsNoReaction) {
  const double inertia = 0.5, stiffness = 8.0, brake = 0.6;
  Sketch s("wheel");
  const auto angle = s.coordinate("angle"), x = s.coordinate("x");
  model::ModelBuilder& b = s.builder;
  const auto frame = b.add_rotated_frame("W", Sketch::frame(), b.q(angle), 2);
  const Term zero = s.number(0.0), J = s.number(inertia);
  b.add_body("wheel", frame, s.number(1.0), {J, J, J, zero, zero, zero}, s.origin, b.q(x) * s.axis(0));
  b.add_generalized_force(angle, -stiffness * b.q(angle));
  const auto pin = b.add_constraint("pin", b.q(x));
  const Term rate = b.q_dot(angle);
  b.add_nonideal(pin,
                 {model::GeneralizedForceOn{angle, -(brake * s.builder.terms().function(expr::Op::kSign, rate))}, {}});
  s.coordinates = {angle, x};
  s.start_all({1.0, 0.0}, {0.0, 0.0});
  const Trajectory run = run_of(s, 6.0, 1e-11);
  ASSERT_FALSE(run.stopped) << reason(run);
  const double offset = brake / stiffness, half = M_PI * std::sqrt(inertia / stiffness);
  double amplitude = 1.0, t = 0.0;
  for (std::size_t i = 0; i < run.all<FrictionChange>().size(); ++i) {
    amplitude -= 2.0 * offset;
    t += half;
    EXPECT_NEAR(run.all<FrictionChange>()[i].t, t, 1e-9) << i;
    EXPECT_EQ(run.all<FrictionChange>()[i].to, std::abs(amplitude) <= offset ? To::kSticks : To::kSlidesOn) << i;
  }
  ASSERT_EQ(run.all<FrictionChange>().size(), 7U);
  EXPECT_NEAR(std::abs(run.end().q[0]), std::abs(1.0 - 14.0 * offset), 1e-9);
}

/// A uniform rod of mass 1 and half length 1 that rotates; its end is at rest in a rough guide.
Sketch resting_rod(double angle, double rate, double mu) {
  Sketch s("rod");
  const auto x = s.coordinate("x"), y = s.coordinate("y"), theta = s.coordinate("theta");
  model::ModelBuilder& b = s.builder;
  const auto frame = b.add_rotated_frame("R", Sketch::frame(), b.q(theta), 2);
  const Term zero = s.number(0.0), J = s.number(1.0 / 3.0);
  const auto body = b.add_body("rod", frame, s.number(1.0), {zero, J, J, zero, zero, zero}, s.origin,
                               b.q(x) * s.axis(0) + b.q(y) * s.axis(1));
  const PointId end = b.add_point("E", b.center_of(body), -b.axis(frame, 0));
  b.add_gravity(s.number(-kG) * s.axis(1));
  const auto guide = b.add_constraint("guide", s.dot(b.pos(end, s.origin), s.axis(1)));
  add_friction(s, guide, end, mu, b.vel(end));
  s.coordinates = {x, y, theta};
  s.start_all({std::cos(angle), std::sin(angle), angle}, {-std::sin(angle) * rate, std::cos(angle) * rate, rate});
  return s;
}

// If the end slipped from rest in either direction, there would be no solution or several, and the slip would be
// decelerated. So only sticking satisfies the law.
TEST(Sticking, OfAPainleveRodIsTheOnlyAnswer) {
  const double angle = std::atan(2.0);
  for (const double rate : {0.0, 2.0, -5.0}) {
    Sketch s = resting_rod(angle, rate, 1.4);
    const Trajectory run = run_of(s, 0.02, 1e-9);
    ASSERT_FALSE(run.stopped) << rate << reason(run);
    EXPECT_EQ(run.start().friction.sticks, std::vector<char>{1}) << rate;
    // θ'' = −(3/4) g cos θ. The force on the end is m (acceleration of the center − gravity).
    const double alpha = -0.75 * kG * std::cos(angle), c = std::cos(angle), d = std::sin(angle);
    const double F = -d * alpha - c * rate * rate, N = kG + c * alpha - d * rate * rate;
    EXPECT_NEAR(run.start().reaction.lambda()[0], N, 1e-12);
    EXPECT_NEAR(run.start().reaction.Q_c[0], F, 1e-12);
    ASSERT_LT(std::abs(F), 1.4 * std::abs(N));
  }
}

TEST(FrictionAudit, FindsADirectionAndABoundThatAreWrong) {
  Sketch s = block_on_incline(0.5, 0.8, 1.0);
  Dynamics dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-10));
  const auto verdict_of = [&](const Trajectory& judged) {
    for (const audit::AuditLine& line : audit::audit(dynamics.binding(), judged, {}).lines) {
      if (line.section == "4.6") return line.verdict;
    }
    return audit::AuditLine::Verdict::kDoesNotApply;
  };
  EXPECT_EQ(verdict_of(run), audit::AuditLine::Verdict::kHolds);
  Trajectory turned = run, strong = run;
  turned.samples.front().friction.direction *= -1.0;
  EXPECT_EQ(verdict_of(turned), audit::AuditLine::Verdict::kBroken);
  strong.samples.back().friction.direction *= 2.0;
  EXPECT_EQ(verdict_of(strong), audit::AuditLine::Verdict::kBroken);
}

// A bead on a vertical hoop with μ = 1/2 comes to rest within the angle atan μ from the lowest point.
TEST(StickSlip, OfABeadOnAHoopEndsWithinTheConeOfFriction) {
  Sketch s("hoop");
  const PointId bead = s.particle("p", 1.0, 2);
  s.builder.add_gravity(s.number(-kG) * s.axis(1));
  const auto hoop = s.builder.add_constraint("hoop", s.square(s.from_origin(bead)) - s.number(0.64));
  add_friction(s, hoop, bead, 0.5, s.builder.vel(bead));
  const double begin = -1.4;
  s.start_all({0.8 * std::sin(begin), -0.8 * std::cos(begin)}, {0.0, 0.0}, model::StartKind::kGuess);
  const Trajectory run = run_of(s, 5.0, 1e-11);
  ASSERT_FALSE(run.stopped) << reason(run);
  ASSERT_EQ(changes_of(run), std::vector{To::kSticks});
  // w(θ) of the closed form, with w = 0 at the begin, is zero again at the position of rest. N > 0 until then.
  const double mu = 0.5;
  const auto w = [&](double theta) {
    const auto particular = [&](double at) {
      return 2.0 * kG / 0.8 * ((1.0 - 2.0 * mu * mu) * std::cos(at) - 3.0 * mu * std::sin(at)) / (1.0 + 4.0 * mu * mu);
    };
    return -particular(begin) * std::exp(-2.0 * mu * (theta - begin)) + particular(theta);
  };
  double low = -1.0, high = 1.0;
  for (int i = 0; i < 60; ++i) (w(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
  EXPECT_NEAR(std::atan2(run.end().q[0], -run.end().q[1]), low, 1e-9);
  EXPECT_LT(std::abs(low), std::atan(mu));
}

}  // namespace stick_slip_test
}  // namespace vinculum::sim

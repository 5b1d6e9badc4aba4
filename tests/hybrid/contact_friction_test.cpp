// Unilateral constraints with friction: impacts, sliding, sticking, lift-off, compared with closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::sim {
namespace contact_friction_test {

/// A run with all that the audit needs; no line of the audit may be broken.
Trajectory audited(const std::string& text, double tolerance = 1e-11) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  options.tolerance = tolerance;
  options.accounts = audit_accounts;
  Trajectory run = simulate(dynamics, options);
  EXPECT_FALSE(run.stopped) << run.stopped->message;
  for (const audit::AuditLine& line : audit::audit(*bound, run).lines)
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken) << line.identity << " at " << line.where;
  return run;
}

std::string plane(const std::string& rest) {
  return "model m\nframe N newtonian\npoint O fixed in N\n" + rest + "gravity -10*N.z\n";
}

std::string block(const std::string& clauses, const std::string& rest) {
  return plane("coord x, z\nparticle P mass 2 at O + x*N.x + z*N.z\n") +
         "constraint ground: dot(pos(P, O), N.z) >= 0\n" + clauses + "output push = force(ground, P)\n" + rest;
}

/// A rigid block in a vertical plane, 2a wide and 2b high, with a contact at each lower corner.
std::string box(const std::string& width, const std::string& rest) {
  return plane("param a = " + width +
               ", b = 0.4, m = 2, mu = 0.9\ncoord x, z, th\nframe B = N rotated th about y\n"
               "body K frame B mass m inertia (m*(a^2 + b^2)/3, m*(a^2 + b^2)/3, m*(a^2 + b^2)/3)"
               " at O + x*N.x + z*N.z\n"
               "point C on K = center(K) - a*B.x - b*B.z\npoint D on K = center(K) + a*B.x - b*B.z\n") +
         "constraint left: dot(pos(C, O), N.z) >= 0\n    friction on C mu = mu\n" +
         "constraint right: dot(pos(D, O), N.z) >= 0\n    friction on D mu = mu\n" +
         "output F = force(left, C)\noutput G = force(right, D)\n" + rest;
}

/// A block falls from 0.2 m at 10 m/s² with 3 m/s along the floor. Friction takes the part mu of each normal impulse.
/// The impacts end after 0.6 s, having given m (1 + e) Σ 2 e^k = 12 N s together; then it slides for 0.6 s.
TEST(ContactFriction, BlockIsSlowedByImpactsThenBySliding) {
  const Trajectory run =
      audited(block("    restitution 0.5\n    friction on P mu = 0.25\n", "start z = 0.2, x' = 3\nrun 2 step 0.1\n"));
  const auto impulses = run.all<Impulse>();
  ASSERT_GT(impulses.size(), 8u);
  double v = 2.0, t = 0.2;
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_NEAR(impulses[k].t, t, 1e-10);
    EXPECT_NEAR(impulses[k].rows[0], 2.0 * 1.5 * v, 1e-9);
    ASSERT_EQ(impulses[k].friction.size(), 1u);
    EXPECT_NEAR(impulses[k].friction[0][0], -0.25 * 2.0 * 1.5 * v, 1e-9);
    v *= 0.5;
    t += 2.0 * v / 10.0;
  }
  const auto changes = run.all<FrictionChange>();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_NEAR(changes[0].t, 1.2, 1e-9);
  EXPECT_EQ(changes[0].to, FrictionChange::To::kSticks);
  double x = 3.0 * 0.2, speed = 3.0;  // up to the limit of the impacts: piecewise constant speeds
  v = 2.0;
  for (int k = 0; k < 60; ++k) {
    speed -= 0.25 * 1.5 * v;
    v *= 0.5;
    x += speed * 2.0 * v / 10.0;
  }
  EXPECT_NEAR(speed, 1.5, 1e-12);
  x += speed * speed / (2.0 * 2.5);
  EXPECT_NEAR(run.samples.back().q[0], x, 1e-9);
  EXPECT_NEAR(run.samples.back().u[0], 0.0, 1e-12);
}

/// A block on a spring passes rest at the quarter periods. Only friction makes this a change.
TEST(ContactFriction, FrictionlessBlockRecordsNoChangesOfFriction) {
  const std::string spring = "force on P = -8*x*N.x\nstart z = 0, x = 0.1\nrun 7 step 0.1\n";
  const Trajectory smooth = audited(block("    friction on P mu = 0\n", spring));
  EXPECT_TRUE(smooth.all<FrictionChange>().empty());
  EXPECT_NEAR(smooth.samples.back().q[0], 0.1 * std::cos(14.0), 1e-9);
  const Trajectory rough = audited(block("    friction on P mu = 0.005\n", spring));
  EXPECT_GE(rough.all<FrictionChange>().size(), 3u);
}

/// A load that grows lifts a block while it slides.
TEST(ContactFriction, BlockIsLiftedWhileItSlides) {
  const Trajectory run = audited(
      block("    friction on P mu = 0.5\n", "force on P = 40*sin(t)*N.z\nstart z = 0, x' = 9\nrun 1 step 0.1\n"));
  const auto changes = run.all<ActingChange>();
  ASSERT_EQ(changes.size(), 1u);
  const double lift = std::numbers::pi / 6.0;  // 40 sin t = 20
  EXPECT_NEAR(changes[0].t, lift, 1e-10);
  // x'' = −0.5 (10 − 20 sin t) up to the lift-off
  const double speed = 9.0 - 5.0 * lift + 10.0 * (1.0 - std::cos(lift));
  EXPECT_NEAR(run.samples.back().u[0], speed, 1e-9);
  EXPECT_TRUE(run.all<FrictionChange>().empty());
}

/// Housner's block: each impact about the other corner leaves the part 1 − 3/2 sin²α of the angular velocity, with
/// tan α = a/b.
TEST(ContactFriction, BlockRocks) {
  const Trajectory run = audited(box("0.1",
                                     "start th = 0.15, x = a*cos(0.15) - a + b*sin(0.15), "
                                     "z = b*cos(0.15) + a*sin(0.15)\nrun 2.5 step 0.05\noutput w = th'\n"),
                                 1e-12);
  const auto impulses = run.all<Impulse>();
  ASSERT_GT(impulses.size(), 3u);
  const double part = 1.0 - 1.5 / 17.0;
  const auto& samples = run.samples;
  for (const Impulse& impulse : impulses) {
    const auto after = std::ranges::find_if(samples, [&](const Sample& one) { return one.t > impulse.t; });
    ASSERT_NE(after, samples.end());
    // Energy about the corner: ½ J w² + m g h, J = 4/3 m (a² + b²), measured beside the impact.
    const auto energy = [&](const Sample& one) {
      const double th = std::abs(one.q[2]);
      return 0.5 * (4.0 / 3.0) * 2.0 * 0.17 * one.u[2] * one.u[2] +
             20.0 * (0.4 * std::cos(th) + 0.1 * std::sin(th) - 0.4);
    };
    EXPECT_NEAR(energy(*after) / energy(*(after - 1)), part * part, 1e-8) << impulse.t;
  }
}

/// A wide block slides on both corners: friction at the height 0 turns it, so the front corner carries more.
TEST(ContactFriction, SlidingBoxCarriesItsWeightOnBothCorners) {
  const Trajectory run = audited(box("0.6", "start z = b, x' = 1\nrun 0.05 step 0.01\n"));
  for (const Sample& sample : run.samples) {
    const double f = sample.outputs[0], n = sample.outputs[2], g = sample.outputs[3], m = sample.outputs[5];
    EXPECT_NEAR(n + m, 20.0, 1e-9);
    EXPECT_NEAR(m - n, 0.9 * 20.0 * 0.4 / 0.6, 1e-8);
    EXPECT_GE(n, -1e-9);
    EXPECT_GE(m, -1e-9);
    EXPECT_NEAR(f + g, -0.9 * 20.0, 1e-8);
  }
}

/// A spinning wheel that is dropped gains speed by friction until it rolls.
TEST(ContactFriction, SpinningWheelIsDropped) {
  const Trajectory run =
      audited(plane("param r = 0.3\ncoord x, z, th\nframe W = N rotated th about y\n"
                    "body wheel frame W mass 2 inertia (0.09, 0.09, 0.09) at O + x*N.x + (z + r)*N.z\n"
                    "point C on wheel = center(wheel) - r*N.z\n") +
              "constraint ground: dot(pos(C, O), N.z) >= 0\n    restitution 0.5\n    friction on C mu = 0.25\n"
              "output F = force(ground, C)\nstart z = 0.2, th' = 30\nrun 2 step 0.1\n");
  const auto changes = run.all<FrictionChange>();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_NEAR(changes[0].t, 1.2, 1e-8);  // impulses of friction as if it slid all the time: (2.5 m/s²) t = 0.3 ω
  EXPECT_NEAR(run.samples.back().u[0], 3.0, 1e-9);
  EXPECT_NEAR(run.samples.back().u[2], 10.0, 1e-8);
  EXPECT_NEAR(run.samples.back().outputs[0], 0.0, 1e-9);
  EXPECT_NEAR(run.samples.back().outputs[2], 20.0, 1e-9);
}

/// In space: a ball with spin about an oblique axis is dropped. The slip keeps its direction in each impact, since a
/// sphere has equal inertias; a part of the impacts ends in rolling.
TEST(ContactFriction, BallWithSpinBounces) {
  const Trajectory run =
      audited(plane("param r = 0.1\ncoord x, y, z\ncoord e0, e1, e2, e3\nframe B = N quaternion(e0, e1, e2, e3)\n"
                    "body ball frame B mass 2 inertia (0.008, 0.008, 0.008) at O + x*N.x + y*N.y + (z + r)*N.z\n"
                    "point C on ball = center(ball) - r*N.z\n") +
              "constraint ground: dot(pos(C, O), N.z) >= 0\n    restitution 0.5\n    friction on C mu = 0.2\n"
              "start z = 0.2, x' = 3, y' = 1, B.wx = 20, B.wy = -10, B.wz = 3\nrun 0.3 step 0.1\n");
  const auto impulses = run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 1u);
  // Slip: vel(C) = v + ω × (−r N.z) = (3 + 1, 1 + 2) m/s. The impulse 2 · 1.5 · 2 = 6 N s slides with 0.2 · 6 N s; the
  // slip falls by 3.5 · 1.2/2 = 2.1 < 5.
  EXPECT_NEAR(impulses[0].rows[0], 6.0, 1e-9);
  EXPECT_NEAR(impulses[0].friction[0][0], -1.2 * 0.8, 1e-9);
  EXPECT_NEAR(impulses[0].friction[0][1], -1.2 * 0.6, 1e-9);
  EXPECT_NEAR(run.samples.back().u[0], 3.0 - 0.6 * 0.8, 1e-9);
  EXPECT_NEAR(run.samples.back().u[1], 1.0 - 0.6 * 0.6, 1e-9);
}

/// A table on four legs slides and stops. Its forces are not unique, its motion is.
TEST(ContactFriction, TableOnFourLegsSlidesToRest) {
  std::string text = plane(
      "param h = 0.6, a = 0.5, b = 0.4\ncoord x, y, z\ncoord e0, e1, e2, e3\nframe B = N quaternion(e0, e1, e2, e3)\n"
      "body K frame B mass 2 inertia (0.3, 0.4, 0.5) at O + x*N.x + y*N.y + z*N.z\n"
      "point P1 on K = center(K) + a*B.x + b*B.y - h*B.z\npoint P2 on K = center(K) + a*B.x - b*B.y - h*B.z\n"
      "point P3 on K = center(K) - a*B.x + b*B.y - h*B.z\npoint P4 on K = center(K) - a*B.x - b*B.y - h*B.z\n");
  for (const char* k : {"1", "2", "3", "4"})
    text +=
        std::string("constraint c") + k + ": dot(pos(P" + k + ", O), N.z) >= 0\n    friction on P" + k + " mu = 0.25\n";
  const Trajectory run = audited(text + "start z = h, x' = 0.8, y' = 0.6, e0 = 1\nrun 1 step 0.1\n", 1e-10);
  const auto changes = run.all<FrictionChange>();
  ASSERT_EQ(changes.size(), 4u);
  for (const FrictionChange& change : changes) EXPECT_NEAR(change.t, 0.4, 1e-8);
  EXPECT_NEAR(run.samples.back().q[0], 0.8 * 0.2, 1e-8);
  EXPECT_NEAR(run.samples.back().q[1], 0.6 * 0.2, 1e-8);
  EXPECT_TRUE(run.all<ActingChange>().empty());
}

/// A block on an incline that is shaken across its plane: it leaves where the acceleration of the plane exceeds that of
/// gravity, and friction follows the actual normal force.
TEST(ContactFriction, BlockHopsOnAShakenTable) {
  const Trajectory run =
      audited(plane("coord x, z\nparticle P mass 2 at O + x*N.x + z*N.z\npoint T = O + 0.02*sin(30*t)*N.z\n") +
                  "constraint c: dot(pos(P, T), N.z) >= 0\n    friction on P mu = 0.3 sliding x'*N.x\n"
                  "output push = multiplier(c)\nstart z = 0, x' = 5\nrun 0.2 step 0.01\n",
              1e-11);
  const auto changes = run.all<ActingChange>();
  ASSERT_GE(changes.size(), 2u);
  EXPECT_FALSE(changes[0].acts);
  const double lift = std::asin(10.0 / 18.0) / 30.0;  // 0.02 · 900 sin 30t = 10
  EXPECT_NEAR(changes[0].t, lift, 1e-10);
  // The momentum along the table changes by −0.3 times that across: both are integrals of the same force. This
  // includes the impact at the start, where the table already moves.
  const Sample& last = run.samples.back();
  EXPECT_NEAR(last.u[0] - 5.0, -0.3 * (last.u[1] + 10.0 * 0.2), 1e-9);
}

}  // namespace contact_friction_test
}  // namespace vinculum::sim

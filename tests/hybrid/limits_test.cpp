// Limits of coordinates and of joints: impacts and rest at stops, compared with closed forms and with relations.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::sim {
namespace limits_test {

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180.0;

Trajectory run_of(const std::string& text) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  options.tolerance = 1e-11;
  options.accounts = audit_accounts;
  Trajectory run = simulate(dynamics, options);
  if (run.stopped) return run;
  for (const audit::AuditLine& line : audit::audit(*bound, run).lines)
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken) << line.identity << " at " << line.where;
  return run;
}

Trajectory completed(const std::string& text) {
  Trajectory run = run_of(text);
  EXPECT_FALSE(run.stopped) << run.stopped->message;
  return run;
}

/// Expects the same samples and impulses in both runs, to the bit.
void expect_same(const Trajectory& a, const Trajectory& b) {
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (std::size_t k = 0; k < a.samples.size(); ++k) {
    EXPECT_EQ(a.samples[k].t, b.samples[k].t);
    EXPECT_EQ(a.samples[k].q, b.samples[k].q) << "at " << a.samples[k].t;
    EXPECT_EQ(a.samples[k].u, b.samples[k].u) << "at " << a.samples[k].t;
    EXPECT_EQ(a.samples[k].outputs, b.samples[k].outputs) << "at " << a.samples[k].t;
  }
  const auto first = a.all<Impulse>(), second = b.all<Impulse>();
  ASSERT_EQ(first.size(), second.size());
  EXPECT_FALSE(first.empty());
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_EQ(first[k].t, second[k].t);
    EXPECT_EQ(first[k].rows, second[k].rows);
  }
}

/// A mass of 2 kg on a straight rail.
std::string slider(const std::string& rest) {
  return "model m\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 2 at O + x*N.x\n" + rest;
}

/// Between the stops the speed is constant; each impact leaves the part e of the speed.
TEST(Limits, SliderBouncesBetweenTwoStops) {
  for (const double e : {0.5, 0.9, 1.0}) {
    const Trajectory run = completed(slider("limits of x = -0.2 .. 0.3 restitution " + std::to_string(e) +
                                            "\nstart x = 0, x' = 1\nrun 8 step 0.5\n"));
    const auto impulses = run.all<Impulse>();
    double t = 0.3, v = 1.0;
    std::size_t k = 0;
    for (; t < 8.0; ++k) {
      ASSERT_LT(k, impulses.size()) << "e = " << e;
      EXPECT_NEAR(impulses[k].t, t, 1e-10) << "e = " << e << ", impact " << k;
      // the rows are x.min and x.max; the first impact is on x.max
      EXPECT_NEAR(impulses[k].rows[1 - k % 2], 2.0 * (1.0 + e) * v, 1e-10);
      EXPECT_EQ(impulses[k].rows[k % 2], 0.0);
      v *= e;
      t += 0.5 / v;
    }
    EXPECT_EQ(impulses.size(), k);
    EXPECT_NEAR(run.samples.back().u[0], (k % 2 == 0 ? 1.0 : -1.0) * v, 1e-10);
  }
}

TEST(Limits, OfACoordinateAreTheSameAsTwoRelations) {
  const std::string pendulum =
      "model m\nframe N newtonian\npoint O fixed in N\nparam l = 1 [m], wide = 20 [deg]\ncoord a [deg], b [rad]\n"
      "frame R = N rotated a about z\nframe S = N rotated b about z\nparticle P mass 2 [kg] at O - l*R.y\n"
      "particle Q mass 1 [kg] at P - l*S.y\ngravity -9.81 [m/s^2]*N.y\n";
  const std::string rest = "start a = 60, b = 0.2\nrun 4 [s] step 0.05 [s]\n";
  const auto limits = completed(pendulum +
                                "limits of a = -wide .. 70 restitution 0.6 newton\nlimits knee of b = -0.3 .. 0.4\n"
                                "output F = multiplier(a.min)\noutput G = multiplier(knee.max)\n" +
                                rest);
  const auto relations = completed(pendulum +
                                   "constraint a_min: a >= -wide\n    restitution 0.6 newton\n"
                                   "constraint a_max: a <= 70 [deg]\n    restitution 0.6 newton\n"
                                   "constraint b_min: b >= -0.3\nconstraint b_max: b <= 0.4\n"
                                   "output F = multiplier(a_min)\noutput G = multiplier(b_max)\n" +
                                   rest);
  expect_same(limits, relations);
}

/// The speed at the stop follows from the energy; the pendulum returns to the height that it leaves.
TEST(Limits, PendulumSwingsAgainstALimitOfItsJoint) {
  const Trajectory run = completed(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord a\nframe R = N rotated a about z\n"
      "body bar frame R mass 2 inertia plane 0.5 at O - R.y\npoint top = bar + R.y\ngravity -10*N.y\n"
      "joint hinge: revolute between O of N and top of bar axis N.z\n    limits -0.2 .. restitution 0.7\n"
      "output E = kinetic_energy - 20*cos(a)\noutput M = dot(torque(hinge.min, bar), N.z)\noutput push = "
      "multiplier(hinge.min)\n"
      "start a = 1\nrun 2 step 0.1\n");
  const auto impulses = run.all<Impulse>();
  ASSERT_GE(impulses.size(), 1u);
  const double inertia = 2.5, gained = 20.0 * (std::cos(0.2) - std::cos(1.0));
  const double speed = std::sqrt(2.0 * gained / inertia);
  EXPECT_NEAR(impulses[0].rows[impulses[0].rows.size() - 1], 1.7 * inertia * speed, 1e-9);
  for (const Sample& sample : run.samples) {
    const double loss = sample.t < impulses[0].t ? 0.0 : (1.0 - 0.49) * gained;
    if (impulses.size() == 1 || sample.t < impulses[1].t) {
      EXPECT_NEAR(sample.outputs[0], -20.0 * std::cos(1.0) - loss, 1e-8);
    }
    EXPECT_GE(sample.q[0], -0.2 - 1e-9);
  }
}

/// A weight rests on the lower limit from the start, and the limit carries it.
TEST(Limits, AStartAtALimitIsAContact) {
  const std::string weight =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord z\nparticle P mass 2 at O + z*N.z\ngravity -10*N.z\n";
  const Trajectory run =
      completed(weight + "limits of z = 0.5 .. 1\noutput push = multiplier(z.min)\nstart z = 0.5\nrun 1 step 0.1\n");
  EXPECT_TRUE(run.all<Impulse>().empty());
  for (const Sample& sample : run.samples) {
    EXPECT_EQ(sample.q[0], 0.5);
    EXPECT_NEAR(sample.outputs[0], 20.0, 1e-12);
  }
}

TEST(Limits, AStartBeyondALimitIsAnError) {
  const Trajectory below = run_of(slider("limits of x = 0 .. 1\nstart x = -0.01\nrun 1\n"));
  ASSERT_TRUE(below.stopped);
  EXPECT_NE(below.stopped->message.find("unilateral constraint `x.min`: its gap is -0.01"), std::string::npos)
      << below.stopped->message;
  const Trajectory above = run_of(slider("limits stop of x = .. 1\nstart x = 1.5\nrun 1\n"));
  ASSERT_TRUE(above.stopped);
  EXPECT_NE(above.stopped->message.find("unilateral constraint `stop.max`: its gap is -0.5"), std::string::npos)
      << above.stopped->message;
}

/// A limit that is left out limits nothing.
TEST(Limits, OneSideMayBeOpen) {
  const Trajectory run =
      completed(slider("limits of x = -1 ..\n    restitution 1\nstart x = 0, x' = -2\nrun 3 step 1\n"));
  ASSERT_EQ(run.all<Impulse>().size(), 1u);
  EXPECT_NEAR(run.all<Impulse>()[0].t, 0.5, 1e-12);
  EXPECT_NEAR(run.samples.back().q[0], 4.0, 1e-11);
}

/// A body that a quaternion turns, on a hinge without gravity. It turns with constant speed between the limits.
std::string turning(const std::string& hinge, const std::string& axis, double from, double speed,
                    const std::string& end) {
  const std::string w = std::to_string(speed);
  return "model m\nframe N newtonian\npoint O fixed in N\ncoord e0, e1, e2, e3\nframe B = N quaternion(e0, e1, e2, "
         "e3)\n"
         "body bar frame B mass 2 inertia (0.3, 0.4, 0.5) at O\n" +
         hinge + "start B = rotated " + std::to_string(from) + " about " + axis + "\n" + end;
}

/// The axis of the hinge and of the body, and the attitude at which the angle is 0.
TEST(Limits, OfAHingeInSpaceAreReachedAtTheRightAngle) {
  struct Case {
    std::string axes, axis, speeds;
    double offset;  ///< angle of the joint less the angle of the rotation at the start
  };
  // With axis2 B.x, e1 is B.y. At the start B.x is along N.x; e1 of N.x is N.y, so the angle is that of the rotation.
  const Case cases[] = {
      {"axis N.z", "N.z", "B.wz = 2", 0.0},
      {"axis -N.z", "-N.z", "B.wz = -2", 0.0},
      {"axis N.x axis2 B.x", "N.x", "B.wx = 2", 0.0},
      {"axis N.x + 2*N.y - N.z", "N.x + 2*N.y - N.z", "B.wx = 2/sqrt(6), B.wy = 4/sqrt(6), B.wz = -2/sqrt(6)", 0.0},
  };
  for (const Case& one : cases) {
    for (const double from : {-0.4, 0.1}) {
      const Trajectory run = completed(turning("joint hinge: revolute between O of N and bar of bar " + one.axes +
                                                   "\n    limits -0.5 .. 0.8 restitution 0.5\n",
                                               one.axis, from, 2.0, "start " + one.speeds + "\nrun 2 step 0.1\n"));
      const auto impulses = run.all<Impulse>();
      ASSERT_GE(impulses.size(), 2u) << one.axes;
      EXPECT_NEAR(impulses[0].t, (0.8 - one.offset - from) / 2.0, 1e-8) << one.axes << " from " << from;
      EXPECT_NEAR(impulses[1].t - impulses[0].t, 1.3, 1e-8) << one.axes << " from " << from;
    }
  }
}

/// The limits leave a gap of 0.2° at the place where the angle from their middle jumps.
TEST(Limits, OfNearlyAWholeTurnAreNotJumpedOver) {
  const Trajectory run =
      completed(turning("joint hinge: revolute between O of N and bar of bar axis N.z\n    limits -179.9*pi/180 .. "
                        "179.9*pi/180 restitution 1\n",
                        "N.z", 0.0, 0.0, "start B.wz = 50\nrun 1 step 0.1\n"));
  const auto impulses = run.all<Impulse>();
  const double limit = 179.9 * kDegree;
  ASSERT_EQ(impulses.size(), static_cast<std::size_t>(std::floor((50.0 + limit) / (2.0 * limit))));
  for (std::size_t k = 0; k < impulses.size(); ++k)
    EXPECT_NEAR(impulses[k].t, (2.0 * static_cast<double>(k) + 1.0) * limit / 50.0, 1e-8);
}

/// In a plane the angle of a joint is a difference of coordinates, and counts turns.
TEST(Limits, OfAHingeInAPlaneMayBeTurnsApart) {
  const Trajectory run = completed(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord a [rad], b [rad]\nframe A = N rotated a about z\n"
      "frame B = N rotated b about -N.z\nbody disk frame A mass 1 [kg] inertia plane 0.5 [kg*m^2] at O\n"
      "body bar frame B mass 1 [kg] inertia plane 0.5 [kg*m^2] at O\n"
      "joint hinge: revolute between disk of disk and bar of bar axis -A.z\n    limits -1 .. 3 [rev] restitution 1\n"
      "start a = 0, b = 0, b' = 4\nrun 12 [s] step 1 [s]\n");
  // The angle about -A.z is a + b, and its rate 4 rad/s. Both bodies have the same inertia, so they exchange speeds.
  const auto impulses = run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 2u);
  EXPECT_NEAR(impulses[0].t, 6.0 * kPi / 4.0, 1e-9);
  EXPECT_NEAR(impulses[1].t, 14.0 * kPi / 4.0, 1e-9);
}

/// A linkage in space: a crank on a hinge, and a rod from its end to a slider. Limits of the hinge and of the slider.
std::string linkage(const std::string& hinge, const std::string& slide, const std::string& relations) {
  return "model m\nframe N newtonian\npoint O fixed in N\ncoord e0, e1, e2, e3, x, y, z\n"
         "frame B = N quaternion(e0, e1, e2, e3)\nbody crank frame B mass 2 inertia (0.3, 0.4, 0.5) at O + x*N.x + "
         "y*N.y "
         "+ z*N.z\npoint pin = crank - 0.3*B.x\npoint end = crank + 0.3*B.x\ncoord s, p, r\n"
         "frame C = N axes x N.x, y N.y\nbody block frame C mass 1 inertia (0.1, 0.1, 0.1) at O + s*N.x + p*N.y + "
         "r*N.z\n"
         "gravity -9.81*N.z\njoint hinge: revolute between O of N and pin of crank axis N.y\n" +
         hinge + "joint slide: prismatic between O of N and center(block) of block axis N.x\n" + slide +
         "joint rod: distance between end of crank and center(block) of block length 1.1\n" + relations +
         "start B = rotated 0.6 about y, s ~ 1.5, x ~ 0.3, B.wy = -4\nrun 3 step 0.1\n";
}

TEST(Limits, OfJointsInALoopAreTheSameAsRelations) {
  const auto outputs = [](const std::string& hinge, const std::string& slide) {
    return "output M = multiplier(" + hinge + ")\noutput F = multiplier(" + slide + ")\n";
  };
  const Trajectory limits =
      completed(linkage("    limits -0.7 .. 0.9 restitution 0.4\n", "    limits 1.2 .. 1.68 restitution 0.8\n",
                        outputs("hinge.max", "slide.max")));
  // The middle of the limits is 0.1; the angle from it is that of the vector B.z from N.z, turned.
  const std::string angle =
      "atan2(dot(B.z, N.x)*cos(0.5*(-0.7 + 0.9)) - dot(B.z, N.z)*sin(0.5*(-0.7 + 0.9)), "
      "dot(B.z, N.z)*cos(0.5*(-0.7 + 0.9)) + dot(B.z, N.x)*sin(0.5*(-0.7 + 0.9)))";
  const std::string half = "0.5*(0.9 + 0.7)";
  const Trajectory relations = completed(
      linkage("constraint h_min: " + angle + " + " + half + " >= 0\n    restitution 0.4\nconstraint h_max: " + half +
                  " - " + angle + " >= 0\n    restitution 0.4\n",
              "let travel = dot(pos(center(block), O), N.x)\nconstraint s_min: travel >= 1.2\n    restitution 0.8\n"
              "constraint s_max: travel <= 1.68\n    restitution 0.8\n",
              outputs("h_max", "s_max")));
  expect_same(limits, relations);
  EXPECT_GT(limits.all<Impulse>().size(), 3u);
}

/// A bar of weight 20 N rests on the limit of its hinge, which carries its moment of 20 N m.
TEST(Limits, OfAHingeCarryAMoment) {
  for (const std::string frame :
       {"coord a\nframe R = N rotated a about z\n", "coord e0, e1, e2, e3\nframe R = N quaternion(e0, e1, e2, e3)\n"}) {
    for (const std::string limits : {"limits 0 .. 1", "limits -1 .. 0"}) {
      const bool is_lower = limits == "limits 0 .. 1";
      const Trajectory run = completed(
          "model m\nframe N newtonian\npoint O fixed in N\n" + frame +
          "body bar frame R mass 2 inertia (0.1, 0.5, 0.5) at O + R.x\npoint top = bar - R.x\ngravity " +
          (is_lower ? "-" : "") + "10*N.y\njoint hinge: revolute between O of N and top of bar axis N.z\n    " +
          limits + "\noutput M = dot(torque(hinge." + (is_lower ? "min" : "max") +
          ", bar), N.z)\noutput push = multiplier(hinge." + (is_lower ? "min" : "max") + ")\nrun 1 step 0.5\n");
      for (const Sample& sample : run.samples) {
        EXPECT_NEAR(sample.outputs[0], is_lower ? 20.0 : -20.0, 1e-11) << frame;
        EXPECT_NEAR(sample.outputs[1], 20.0, 1e-11) << frame;
      }
    }
  }
}

/// The advance of a nut that turns on a fixed screw.
TEST(Limits, OfAScrewBoundItsAdvance) {
  const Trajectory run = completed(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord a [rad], z [m]\nframe B = N rotated a about z\n"
      "body nut frame B mass 2 [kg] inertia plane 0.01 [kg*m^2] at O + z*N.z\n"
      "joint thread: screw between O of N and nut of nut axis N.z pitch 10 [mm]\n    limits -10 .. 20 [mm] restitution "
      "0.5\nstart a' = 2*pi [rad/s]\nrun 6 [s] step 1 [s]\n");
  const auto impulses = run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 1u);
  EXPECT_NEAR(impulses[0].t, 2.0, 1e-9);
  EXPECT_NEAR(run.samples.back().q[1], 0.02 - 0.005 * 4.0, 1e-9);
}

}  // namespace limits_test
}  // namespace vinculum::sim

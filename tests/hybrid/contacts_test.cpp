// Unilateral constraints: landings, impacts, rest, lift-off, ropes and stops, compared with closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::sim {
namespace contacts_test {

constexpr double kPi = std::numbers::pi;

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

std::vector<ActingChange> changes_of(const Trajectory& run) { return run.all<ActingChange>(); }

/// A point mass on a vertical line above a floor.
std::string ball(const std::string& clauses, const std::string& rest) {
  return "model m\nframe N newtonian\npoint O fixed in N\ncoord z\nparticle P mass 2 at O + z*N.z\ngravity -10*N.z\n"
         "constraint ground: z >= 0\n" +
         clauses + "output push = multiplier(ground)\n" + rest;
}

/// A point mass in a vertical plane.
std::string in_plane(const std::string& rest) {
  return "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 2 at O + x*N.x + y*N.y\n"
         "gravity -10*N.y\n" +
         rest;
}

/// A ball falls from 1 m at 10 m/s². It hits the floor at √0.2 s, then after flights 2 v e^k/10, and rests after the
/// sum of the geometric series.
TEST(Contact, BallBouncesUntilItRests) {
  for (const double e : {0.2, 0.5, 0.8}) {
    const Trajectory run =
        audited(ball("    restitution " + std::to_string(e) + "\n", "start z = 1\nrun 6 step 0.5\n"));
    const auto impulses = run.all<Impulse>();
    ASSERT_GT(impulses.size(), 5u);
    double t = std::sqrt(0.2), v = std::sqrt(20.0);
    for (std::size_t k = 0; k + 1 < impulses.size(); ++k) {
      EXPECT_NEAR(impulses[k].t, t, 1e-10) << "e = " << e << ", impact " << k;
      EXPECT_NEAR(impulses[k].rows[0], 2.0 * (1.0 + e) * v, 1e-9);
      v *= e;
      t += 2.0 * v / 10.0;
    }
    const double limit = std::sqrt(0.2) * (1.0 + 2.0 * e / (1.0 - e));
    const auto changes = changes_of(run);
    ASSERT_EQ(changes.size(), 1u) << "e = " << e;
    EXPECT_TRUE(changes[0].acts);
    EXPECT_NEAR(changes[0].t, limit, 1e-4);
    EXPECT_NEAR(run.samples.back().q[0], 0.0, 1e-12);
    EXPECT_NEAR(run.samples.back().u[0], 0.0, 1e-12);
    EXPECT_NEAR(run.samples.back().outputs[0], 20.0, 1e-9);
  }
}

TEST(Contact, BallWithoutLossBouncesOn) {
  const Trajectory run = audited(ball("    restitution 1\n", "start z = 1\nrun 20 step 1\n"));
  const double half = std::sqrt(0.2);
  const auto impulses = run.all<Impulse>();
  ASSERT_EQ(impulses.size(), static_cast<std::size_t>(std::floor((20.0 / half + 1.0) / 2.0)));
  for (std::size_t k = 0; k < impulses.size(); ++k)
    EXPECT_NEAR(impulses[k].t, (2.0 * static_cast<double>(k) + 1.0) * half, 1e-8);
  EXPECT_TRUE(changes_of(run).empty());
}

/// A load that grows lifts a ball off the floor when it exceeds the weight; a load that falls sets it down again.
TEST(Contact, BallIsLiftedAndSetDown) {
  const Trajectory run = audited(ball("", "force on P = 40*sin(t)*N.z\nstart z = 0\nrun 6 step 0.1\n"));
  const double lift = kPi / 6.0;  // 40 sin t = 20
  const auto changes = changes_of(run);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_FALSE(changes[0].acts);
  EXPECT_NEAR(changes[0].t, lift, 1e-10);
  // z'' = 20 sin t − 10, with z = z' = 0 at the lift-off
  const auto height = [&](double t) {
    return -20.0 * (std::sin(t) - std::sin(lift)) + 20.0 * std::cos(lift) * (t - lift) - 5.0 * (t - lift) * (t - lift);
  };
  const auto speed = [&](double t) { return -20.0 * (std::cos(t) - std::cos(lift)) - 10.0 * (t - lift); };
  EXPECT_TRUE(changes[1].acts);
  EXPECT_NEAR(height(changes[1].t), 0.0, 1e-8);
  const auto impulses = run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 1u);
  EXPECT_NEAR(impulses[0].rows[0], -2.0 * speed(changes[1].t), 1e-8);
}

/// The mass of a pendulum on a rope is thrown up: the rope goes slack where v² = −g y, y being the height above the
/// center, and the mass flies along a parabola until the rope is taut again.
TEST(Contact, RopeGoesSlackAndTaut) {
  const Trajectory run =
      audited(in_plane("constraint rope: norm(pos(P, O)) <= 1\nstart y = -1, x' = sqrt(35)\nrun 1.5 step 0.1\n"));
  const auto changes = changes_of(run);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_FALSE(changes[0].acts);
  EXPECT_TRUE(changes[1].acts);
  // Slack at height y: v² = 35 − 20 (1 + y) and tension 2 (v² − 10 y) = 0, so y = 1/2 and v² = 5. From there
  // x = √3/2 − v t/2, y = 1/2 + v t √3/2 − 5 t²; taut again after t = 2√3 v/10.
  const double flight = 2.0 * std::sqrt(3.0) * std::sqrt(5.0) / 10.0;
  EXPECT_NEAR(changes[1].t - changes[0].t, flight, 1e-8);
  const auto impulses = run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 1u);
  EXPECT_GT(impulses[0].rows[0], 0.0);
  EXPECT_NEAR(std::hypot(run.samples.back().q[0], run.samples.back().q[1]), 1.0, 1e-11);
}

/// A mass slides off a round hill of radius 1 at the height where v² = v₀² + 20 (1 − y) = 10 y.
TEST(Contact, BallLeavesItsHill) {
  const Trajectory run = audited(
      in_plane("constraint hill: norm(pos(P, O)) >= 1\noutput height = y\nstart y = 1, x' = 0.5\nrun 1 step 0.01\n"));
  const auto changes = changes_of(run);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_FALSE(changes[0].acts);
  const double y = (20.0 + 0.25) / 30.0, v = std::sqrt(10.0 * y), x = std::sqrt(1.0 - y * y);
  for (const Sample& sample : run.samples) {
    const double t = sample.t - changes[0].t;
    if (t < 0.0) continue;
    EXPECT_NEAR(sample.q[0], x + v * y * t, 1e-8);
    EXPECT_NEAR(sample.q[1], y - v * x * t - 5.0 * t * t, 1e-8);
  }
}

/// Newton's cradle: with the simultaneous law the balls share the impulse, with the sequential one the last flies off.
TEST(Contact, CradleByBothLaws) {
  const auto cradle = [](const std::string& law) {
    return "model m\nframe N newtonian\npoint O fixed in N\ncoord x1, x2, x3\nparticle A mass 1 at O + x1*N.x\n"
           "particle B mass 1 at O + x2*N.x\nparticle C mass 1 at O + x3*N.x\n"
           "constraint ab: x2 - x1 >= 0.1\n    restitution 1 " +
           law +
           "\nconstraint bc: x3 - x2 >= 0.1\n"
           "    restitution 1 " +
           law + "\nstart x1 = -1, x2 = 0, x3 = 0.1, x1' = 1\nrun 2 step 0.5\n";
  };
  const Vector sequential = audited(cradle("energetic sequential")).samples.back().u;
  EXPECT_NEAR(sequential[0], 0.0, 1e-12);
  EXPECT_NEAR(sequential[1], 0.0, 1e-12);
  EXPECT_NEAR(sequential[2], 1.0, 1e-12);
  const Vector together = audited(cradle("")).samples.back().u;
  EXPECT_NEAR(together[0], -1.0 / 3.0, 1e-12);
  EXPECT_NEAR(together[1], 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(together[2], 2.0 / 3.0, 1e-12);
}

/// A pendulum swings against a stop and loses the part 1 − e² of its energy at each impact.
TEST(Contact, PendulumAtAStop) {
  const Trajectory run = audited(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord a\nframe R = N rotated a about z\n"
      "particle P mass 2 at O - R.y\ngravity -10*N.y\nconstraint stop: a >= -0.2\n    restitution 0.7\n"
      "output E = 0.5*2*a'^2 - 20*cos(a)\nstart a = 1\nrun 2 step 0.05\n");
  const auto impulses = run.all<Impulse>();
  ASSERT_GT(impulses.size(), 0u);
  const double v = std::sqrt(20.0 * (std::cos(0.2) - std::cos(1.0)));
  EXPECT_NEAR(impulses[0].rows[0], 2.0 * 1.7 * v, 1e-8);
  double E = -20.0 * std::cos(1.0);
  for (const Sample& sample : run.samples) {
    if (sample.t <= impulses[0].t) {
      EXPECT_NEAR(sample.outputs[0], E, 1e-8);
    }
    if (sample.t > impulses[0].t && (impulses.size() < 2 || sample.t < impulses[1].t)) {
      EXPECT_NEAR(sample.outputs[0], E - (1.0 - 0.49) * v * v, 1e-8);
    }
    EXPECT_GE(sample.q[0], -0.2 - 1e-12);
  }
}

/// A mass without gravity in a box: ten thousand impacts without loss.
TEST(Contact, BilliardKeepsItsEnergy) {
  const std::string text =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n"
      "constraint l: x >= 0\n    restitution 1\nconstraint r: x <= 1\n    restitution 1\n"
      "constraint b: y >= 0\n    restitution 1\nconstraint top: y <= 1\n    restitution 1\n"
      "start x = 0.3, y = 0.4, x' = 13, y' = 7\nrun 500 step 50\n";
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  Dynamics dynamics(bound);
  const Trajectory run = simulate(dynamics, options_of(*bound->compiled->model));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(static_cast<double>(run.all<Impulse>().size()), 500.0 * 20.0, 2.0);
  const Vector& u = run.samples.back().u;
  EXPECT_NEAR(u.squaredNorm(), 218.0, 218.0 * 1e-9);
  // The unfolded motion is uniform.
  const auto folded = [](double x) { return std::abs(std::remainder(x, 2.0)); };
  EXPECT_NEAR(run.samples.back().q[0], folded(0.3 + 13.0 * 500.0), 1e-7);
  EXPECT_NEAR(run.samples.back().q[1], folded(0.4 + 7.0 * 500.0), 1e-7);
}

/// A table on four legs: the motion is unique, the forces of the legs are not. A load lifts it.
TEST(Contact, TableStandsOnFourLegsAndIsLifted) {
  std::string text =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord z, a, b\nframe B = N body123(a, b, 0)\n"
      "body T frame B mass 4 inertia (1, 1, 2) at O + z*N.z\ngravity -10*N.z\nforce on T = 10*t*N.z\n";
  const char* const signs[] = {"+ B.x + B.y", "- B.x + B.y", "- B.x - B.y", "+ B.x - B.y"};
  for (int k = 0; k < 4; ++k) text += "point P" + std::to_string(k) + " on T = center(T) " + signs[k] + " - B.z\n";
  for (int k = 0; k < 4; ++k)
    text += "constraint c" + std::to_string(k) + ": dot(pos(P" + std::to_string(k) + ", O), N.z) >= 0\n";
  const Trajectory run = audited(text + "start z = 1\nrun 5 step 0.5\n");
  const auto changes = changes_of(run);
  ASSERT_EQ(changes.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_FALSE(changes[k].acts);
    EXPECT_NEAR(changes[k].t, 4.0, 1e-8);
  }
  EXPECT_NEAR(run.samples.back().q[0], 1.0 + 10.0 / 4.0 / 6.0, 1e-8);
  EXPECT_EQ(run.samples.front().row_unique[0], 0);
}

/// Kane's double pendulum strikes a rough floor, once with each law: the works of the impulses, and the note about the
/// law that creates energy.
TEST(Contact, WorksOfImpactsShowTheLawThatCreatesEnergy) {
  const auto file = std::filesystem::path(VINCULUM_SOURCE) / "tests/contacts/double_pendulum_strikes_a_rough_floor.vin";
  const Trajectory run = audited(test_support::read_text(file));
  const auto impulses = run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 1u);
  ASSERT_EQ(impulses[0].contacts.size(), 3u);
  const double works[] = {-0.007925892857255964, 0.006909944121411694, -0.009290101847672086};
  for (std::size_t i = 0; i < 3; ++i) {
    const ContactImpact& contact = impulses[0].contacts[i];
    EXPECT_NEAR(contact.work.total(), works[i], 1e-13);
    EXPECT_LT(contact.work.compression, 0.0);
    EXPECT_GT(contact.work.restitution, 0.0);
    EXPECT_EQ(contact.creates_energy(), contact.law == model::RestitutionLaw::kNewton);
  }
  const auto note = std::ranges::find(run.notes, "impact", &Note::kind);
  ASSERT_NE(note, run.notes.end());
  EXPECT_EQ(note->term, "floor2");
  EXPECT_NE(note->text.find("creates the energy 0.00691 J"), std::string::npos) << note->text;
}

/// A ball that bounces loses 1 − e² of its energy at each impact, and all that is left where its bounces end.
TEST(Contact, WorksOfImpactsAddUpToTheEnergy) {
  const Trajectory run = audited(ball("    restitution 0.5\n", "start z = 1\nrun 3 step 0.5\n"));
  double energy = 20.0;
  for (const Impulse& impulse : run.all<Impulse>()) {
    EXPECT_NEAR(impulse.contacts.at(0).work.compression, -energy, 1e-9);
    energy += impulse.contacts[0].work.total();
    EXPECT_FALSE(impulse.contacts[0].creates_energy());
  }
  EXPECT_NEAR(energy, 0.0, 1e-12);
  EXPECT_TRUE(std::ranges::none_of(run.notes, [](const Note& note) { return note.kind == "impact"; }));
}

/// A ball on a table that moves as a sin(ωt): with aω² < g it stays; with more it is thrown where aω² sin ωt = g.
TEST(Contact, BallOnAMovingTable) {
  const auto text = [](double a) {
    return "model m\nframe N newtonian\npoint O fixed in N\ncoord z\nparticle P mass 2 at O + z*N.z\ngravity -10*N.z\n"
           "constraint table: z >= " +
           std::to_string(a) + "*sin(2*t)\nstart z = 0, z' = " + std::to_string(2.0 * a) + "\nrun 6 step 0.1\n";
  };
  const Trajectory stays = audited(text(2.4));
  EXPECT_TRUE(changes_of(stays).empty());
  for (const Sample& sample : stays.samples) EXPECT_NEAR(sample.q[0], 2.4 * std::sin(2.0 * sample.t), 1e-9);
  const Trajectory thrown = audited(text(5.0));
  const auto changes = changes_of(thrown);
  ASSERT_GE(changes.size(), 2u);
  EXPECT_FALSE(changes[0].acts);
  EXPECT_NEAR(changes[0].t, std::asin(0.5) / 2.0, 1e-9);
}

/// A ball under a ceiling: the side of the gap does not depend on how its relation is written.
TEST(Contact, CeilingIsAGapOfEitherForm) {
  for (const char* const relation : {"z <= 0", "0 >= z", "-z >= 0", "sin(z) <= 0"}) {
    const Trajectory run = audited(std::string("model m\nframe N newtonian\npoint O fixed in N\ncoord z\n"
                                               "particle P mass 2 at O + z*N.z\ngravity -10*N.z\nconstraint c: ") +
                                   relation + "\n    restitution 0.5\nstart z = -1, z' = 6\nrun 0.5 step 0.1\n");
    const auto impulses = run.all<Impulse>();
    ASSERT_EQ(impulses.size(), 1u) << relation;
    EXPECT_NEAR(impulses[0].t, 0.2, 1e-10);  // 6 t − 5 t² = 1
    EXPECT_NEAR(impulses[0].rows[0], 2.0 * 1.5 * 4.0, 1e-9);
  }
}

/// A ball falls on a ball that rests on the floor; the upper one bounces until it rests.
TEST(Contact, BallBouncesOnARestingBall) {
  const Trajectory run = audited(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord z1, z2\nparticle A mass 1 at O + z1*N.z\n"
      "particle B mass 1 at O + z2*N.z\ngravity -10*N.z\nconstraint ground: z1 >= 0\nconstraint on_it: z2 - z1 >= 0.1\n"
      "    restitution 0.5\noutput f = multiplier(ground)\nstart z1 = 0, z2 = 1\nrun 4 step 0.5\n");
  EXPECT_LT(run.all<Impulse>().size(), 100u);
  EXPECT_NEAR(run.samples.back().q[1], 0.1, 1e-9);
  EXPECT_NEAR(run.samples.back().outputs[0], 20.0, 1e-8);
}

/// Three equal pendulums side by side without loss: the energy lasts.
TEST(Contact, CradleOfPendulumsKeepsItsEnergy) {
  std::string text = "model m\nframe N newtonian\ncoord a1, a2, a3\ngravity -10*N.y\npoint O1 fixed in N\n";
  for (int k = 1; k <= 3; ++k) {
    const std::string i = std::to_string(k);
    if (k > 1) text += "point O" + i + " = O1 + " + std::to_string(0.1 * (k - 1)) + "*N.x\n";
    text +=
        "frame R" + i + " = N rotated a" + i + " about z\nparticle P" + i + " mass 1 at O" + i + " - R" + i + ".y\n";
  }
  const Trajectory run =
      audited(text +
              "constraint ab: norm(pos(P2, P1)) >= 0.1\n    restitution 1 sequential\n"
              "constraint bc: norm(pos(P3, P2)) >= 0.1\n    restitution 1 sequential\n"
              "output E = kinetic_energy - 10*cos(a1) - 10*cos(a2) - 10*cos(a3)\nstart a1 = -0.5\nrun 10 step 0.5\n");
  for (const Sample& sample : run.samples) EXPECT_NEAR(sample.outputs[0], -20.0 - 10.0 * std::cos(0.5), 1e-6);
}

/// An event sets a speed that a tie shares with another body: first the impulse of the tie, then the impact.
TEST(Contact, EventKicksATiedBodyIntoTheFloor) {
  const Trajectory run = audited(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, z\nparticle P mass 1 at O + x*N.x\n"
      "particle Q mass 1 at O + z*N.z\nconstraint floor: z >= 0\n    restitution 0.5\nconstraint tie: x' = z'\n"
      "event a: at 1 set z' = -4\nstart x = 0, z = 0\nrun 2 step 0.5\n");
  EXPECT_NEAR(run.samples.back().u[0], 1.0, 1e-12);
  EXPECT_NEAR(run.samples.back().u[1], 1.0, 1e-12);
}

/// A contact that another constraint holds as well opens once that constraint has ceased to act.
TEST(Contact, OpensAfterAnotherConstraintHasHeldIt) {
  const Trajectory run = audited(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord z\nparticle P mass 2 at O + z*N.z\ngravity -10*N.z\n"
      "force on P = 20*t*N.z\nconstraint held: z = 0\n    when t < 0.5\nconstraint ground: z >= 0\nstart z = 0\n"
      "run 3 step 0.5\n");
  const double t = 3.0 - 1.0;  // z'' = 10 (t − 1) from t = 1 on
  EXPECT_NEAR(run.samples.back().q[0], 10.0 * t * t * t / 6.0, 1e-8);
}

/// Velocities and gaps that jump while contacts are closed end a run; no wrong motion follows.
TEST(Contact, JumpsThatAreNotComputedEndTheRun) {
  const auto message_of = [](const std::string& text) {
    const auto bound = test_support::compiled(test_support::model_of_text(text));
    Dynamics dynamics(bound);
    const Trajectory run = simulate(dynamics, options_of(*bound->compiled->model));
    return run.stopped ? run.stopped->message : std::string("no failure");
  };
  const auto floor = [](const std::string& height, const std::string& restitution, const std::string& z) {
    return "model m\nframe N newtonian\npoint O fixed in N\ncoord z\nparticle P mass 2 at O + z*N.z\n"
           "gravity -10*N.z\nconstraint floor: z >= " +
           height + restitution + "\nstart z = " + z + "\nrun 2 step 0.1\n";
  };
  const std::string jump =
      "velocities jump here by other constraints while the unilateral constraint `floor` is closed";
  EXPECT_NE(message_of(floor("-2*max(0, t - 1)", "", "0")).find(jump), std::string::npos);
  EXPECT_NE(message_of(floor("2*max(0, t - 1)", "\n    restitution 0.5", "0")).find(jump), std::string::npos);
  EXPECT_EQ(message_of(floor("2*max(0, t - 1)", "", "0")), "no failure");  // inelastic: the floor takes the ball along
  EXPECT_NE(message_of(floor("(2 if t > 0.1 else 0)", "", "1")).find("the gap of unilateral constraint `floor` jumps"),
            std::string::npos);
}

/// Contacts whose gap the start violates, on either side of the relation.
TEST(Contact, StartInsideIsAnError) {
  for (const char* const relation : {"z >= 1", "1 <= z", "-z <= -1"}) {
    const auto bound = test_support::compiled(test_support::model_of_text(
        std::string("model m\nframe N newtonian\npoint O fixed in N\ncoord z\nparticle P mass 2 at O + z*N.z\n"
                    "constraint c: ") +
        relation + "\nstart z = 0\nrun 1\n"));
    Dynamics dynamics(bound);
    const Trajectory run = simulate(dynamics, options_of(*bound->compiled->model));
    ASSERT_TRUE(run.stopped) << relation;
    EXPECT_EQ(run.stopped->kind, FailureKind::kInconsistent);
    EXPECT_NE(run.stopped->message.find("its gap is -1"), std::string::npos) << run.stopped->message;
  }
}

/// All formulations and a stiff method find the same impacts and the same end.
TEST(Contact, MovesAlikeInEveryFormulation) {
  const std::string text = in_plane(
      "constraint rope: norm(pos(P, O)) <= 1\n    restitution 0.3\nconstraint wall: x >= -0.4\n    restitution 0.6\n"
      "start y = -1, x' = sqrt(35)\nrun 2 step 0.5");
  const Trajectory expected = audited(text + "\n");
  for (const char* const other : {" formulation augmented", " formulation minimal", " method radau"}) {
    const Trajectory run = audited(text + other + "\n");
    ASSERT_EQ(run.all<Impulse>().size(), expected.all<Impulse>().size()) << other;
    EXPECT_LT((run.samples.back().q - expected.samples.back().q).norm(), 1e-6) << other;
  }
}

/// Random balls above random floors with random loads: the motion is compared with a dense scan of the gap.
TEST(Contact, NoGapIsEverNegative) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0.2, 3.0);
  for (int seed = 0; seed < 40; ++seed) {
    const double a = uniform(random), w = uniform(random), e = uniform(random) / 3.0, f = 20.0 * uniform(random);
    const std::string floor = std::to_string(0.1 * a) + "*sin(" + std::to_string(w) + "*t)";
    const Trajectory run = audited(ball("    restitution " + std::to_string(e) + "\n",
                                        "constraint other: z >= " + floor + "\n    restitution " + std::to_string(e) +
                                            "\nforce on P = " + std::to_string(f) +
                                            "*sin(3*t)*N.z\nstart z = 1\n"
                                            "run 8 step 0.01\n"),
                                   1e-9);
    for (const Sample& sample : run.samples) {
      EXPECT_GE(sample.q[0], -1e-9) << seed << " at " << sample.t;
      EXPECT_GE(sample.q[0], 0.1 * a * std::sin(w * sample.t) - 1e-5) << seed << " at " << sample.t;
      EXPECT_GE(sample.outputs[0], -1e-8) << seed << " at " << sample.t;
    }
  }
}

}  // namespace contacts_test
}  // namespace vinculum::sim

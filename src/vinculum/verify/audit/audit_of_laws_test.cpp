// Tests the audit of actuator efforts, of reaction laws other than ideal, and of invariants. Correct motions pass, and
// errors are found.
#include "support/audit/subject.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::audit {
namespace {

/// A disk in space on a revolute joint; its attitude is a quaternion. A motor keeps its speed constant, by a servo
/// constraint or by an ideal one.
Sketch driven_arm(bool is_directed) {
  Sketch s("driven_arm");
  ModelBuilder& b = s.builder;
  const auto a = s.coordinate("a"), c = s.coordinate("c");
  const auto A = b.add_rotated_frame("A", Sketch::frame(), b.q(a), 2);
  const auto B = b.add_rotated_frame("B", A, b.q(c), 2);
  const auto I = [&](double xx, double yy, double zz) {
    return model::Inertia{s.number(xx), s.number(yy), s.number(zz), s.number(0.0), s.number(0.0), s.number(0.0)};
  };
  b.add_body("arm", A, s.number(2.0), I(0.1, 0.3, 0.3), s.origin, 0.5 * b.axis(A, 0));
  const auto elbow = b.add_point("elbow", s.origin, 1.0 * b.axis(A, 0));
  b.add_body("hand", B, s.number(1.0), I(0.05, 0.1, 0.12), elbow, 0.4 * b.axis(B, 0));
  b.add_gravity(s.number(-9.81) * s.axis(1));
  const auto keep = b.add_constraint("keep", s.dot(b.omega(B, Sketch::frame()), s.axis(2)) - s.number(0.5));
  if (is_directed) {
    model::Actuator motor;
    motor.torques.push_back({B, b.axis(B, 2), std::optional(A)});
    b.set_law(keep, reaction_laws::directed({motor}, true));
  }
  b.add_start({StartCondition::On::kCoordinate, a.value, StartKind::kHeld, s.number(0.3), {}});
  b.add_start({StartCondition::On::kCoordinate, c.value, StartKind::kHeld, s.number(0.2), {}});
  b.add_start({StartCondition::On::kCoordinateRate, a.value, StartKind::kHeld, s.number(0.7), {}});
  return s;
}

TEST(Audit, HoldsOnBodiesInEmbeddedJoints) {
  const Audit audit = subject(driven_arm(false)).judged();
  EXPECT_TRUE(audit.holds()) << broken(audit);
  EXPECT_FALSE(line(audit, kBodies).reason.empty());
}

TEST(Audit, BalancesWhatHangsFromARevealedForce) {
  const auto arm = [](double mass_of_hand) {
    Sketch s = driven_arm(false);
    ModelBuilder& b = s.builder;
    model::Model& model = b.model();
    model.bodies[1].mass = s.number(mass_of_hand);
    model::Reveal at_elbow{"elbow_force", {}, {}, {s.axis(0), b.axis(model.bodies[0].frame, 1)}, {}},
        at_hand = at_elbow;
    for (std::size_t p = 0; p < model.points.size(); ++p) {
      if (model.points[p].name == "elbow") at_elbow.point = model::PointId(p);
    }
    b.add_reveal(at_elbow);
    at_hand.name = "hand_torque";
    at_hand.body = model.bodies[1].frame;
    at_hand.along = {s.axis(0), s.axis(2)};
    b.add_reveal(at_hand);
    b.add_output("F", model::revealed(model, model::RevealId(std::size_t{0}), 0));
    b.add_output("T", model::revealed(model, model::RevealId(std::size_t{1}), 1));
    return s;
  };
  Subject one = subject(arm(1.0));
  const Audit right = one.judged();
  EXPECT_TRUE(right.holds()) << broken(right);
  EXPECT_EQ(line(right, kRevealed).verdict, Verdict::kHolds) << line(right, kRevealed).reason;
  for (Sample& sample : one.trajectory.samples) sample.outputs[0] *= 1.0001;
  expect_broken(one.judged(), {kRevealed});
  EXPECT_EQ(line(one.judged(), kRevealed).where, "elbow_force[1]");
}

TEST(Audit, OfEffortsLeavesOutWhatHoldsForIdealAndNonidealLawsOnly) {
  Subject one = subject(driven_arm(true));
  const Audit audit = one.judged();
  EXPECT_TRUE(audit.holds()) << broken(audit);
  for (const char* name : {kIdealWork, kWork, kGauss}) {
    EXPECT_EQ(line(audit, name).verdict, Verdict::kDoesNotApply);
    EXPECT_NE(line(audit, name).reason.find("along stated directions"), std::string::npos);
  }
  // Error: the direction of the motor's effort is changed.
  one.system.directed[0].Gamma[0][0] = one.system.directed[0].Gamma[0][0] + 0.1;
  const Audit wrong = one.judged();
  expect_broken(wrong, {kMotion, kInspection});
  EXPECT_TRUE(line(wrong, kInspection).where.starts_with("effort of keep")) << line(wrong, kInspection).where;
  expect_unbroken(wrong, {kEnergy, kKane});
}

/// A blade on an inclined plane. `set_law` chooses the reaction law of its constraint.
Subject blade(const std::function<void(ModelBuilder&, model::ConstraintId)>& set_law) {
  Sketch s("blade");
  ModelBuilder& b = s.builder;
  const auto x = s.coordinate("x"), y = s.coordinate("y"), a = s.coordinate("a");
  const auto B = b.add_rotated_frame("B", Sketch::frame(), b.q(a), 2);
  const auto I = s.number(0.4);
  const auto body = b.add_body("blade", B, s.number(1.3), {I, I, I, s.number(0.0), s.number(0.0), s.number(0.0)},
                               s.origin, b.q(x) * s.axis(0) + b.q(y) * s.axis(1));
  b.add_gravity(s.number(2.0) * s.axis(0));
  const auto edge = b.add_constraint("edge", s.dot(b.vel(b.center_of(body)), b.axis(B, 1)));
  set_law(b, edge);
  s.start_all({0.1, -0.2, 0.3}, {std::cos(0.3), std::sin(0.3), 0.8}, StartKind::kGuess);
  return subject(std::move(s));
}

TEST(Audit, OfFurtherLawsRebuildsTheirReactions) {
  using Set = std::function<void(ModelBuilder&, model::ConstraintId)>;
  const std::vector<std::pair<std::string, Set>> laws = {
      {"vakonomic",
       [](ModelBuilder& b, model::ConstraintId id) {
         reaction_laws::set_vakonomic(b, id, std::vector{b.number(0.7)}, {});
       }},
      {"kozlov",
       [](ModelBuilder& b, model::ConstraintId id) {
         reaction_laws::set_vakonomic(b, id, std::vector{b.number(0.7)}, b.number(2.0));
       }},
      {"adiabatic",
       [](ModelBuilder& b, model::ConstraintId id) { b.set_law(id, reaction_laws::adiabatic({b.sin(b.time())})); }},
      {"viscous",
       [](ModelBuilder& b, model::ConstraintId id) { b.set_law(id, reaction_laws::viscous(b.number(5.0))); }},
      {"inertial",
       [](ModelBuilder& b, model::ConstraintId id) { b.set_law(id, reaction_laws::inertial(b.number(5.0))); }},
  };
  for (const auto& [name, set] : laws) {
    Subject one = blade(set);
    const Audit audit = one.judged();
    EXPECT_TRUE(audit.holds()) << name << "\n" << broken(audit);
    EXPECT_NE(line(audit, kIdealWork).verdict, Verdict::kBroken) << name;
    EXPECT_EQ(line(audit, kKane).verdict, Verdict::kHolds) << name;
    // The force and the torque of the reaction act on the body, so its balance can be judged.
    EXPECT_EQ(line(audit, kBodies).verdict, Verdict::kHolds) << name;
    EXPECT_EQ(line(audit, kGauss).verdict, Verdict::kDoesNotApply) << name;
  }
}

TEST(Audit, FindsAMultiplierOfTheVakonomicLaw) {
  Subject one = blade([](ModelBuilder& b, model::ConstraintId id) {
    reaction_laws::set_vakonomic(b, id, std::vector{b.number(0.7)}, {});
  });
  one.trajectory.samples[0].z[0] *= 1.001;
  const Audit audit = one.judged();
  expect_broken(audit, {kMotion, kKane, kFormulations});
  // For every value of μ the force of the multiplier μ does no work, because the row is homogeneous in the velocities
  // and does not depend on time.
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kInspection, kEnergy});
}

TEST(Audit, FindsWhatALawAddsToTheEquations) {
  Subject one = blade([](ModelBuilder& b, model::ConstraintId id) {
    reaction_laws::set_vakonomic(b, id, std::vector{b.number(0.7)}, {});
  });
  one.system.changes[0].f[2] = 1.001 * one.system.changes[0].f[2];
  const Audit audit = one.judged();
  expect_broken(audit, {kInspection});
  EXPECT_TRUE(line(audit, kInspection).where.starts_with("law of edge")) << line(audit, kInspection).where;
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kMotion, kEnergy, kKane, kBodies});
}

/// A particle in the plane that moves across the level lines of a potential. Its row contains partial derivatives of
/// the potential.
Subject across() {
  Sketch s("across");
  ModelBuilder& b = s.builder;
  const auto P = s.particle("p", 1.0, 2);
  b.add_force(P, s.number(0.6) * s.axis(0));
  const Term x = b.q(s.coordinates[0]), y = b.q(s.coordinates[1]);
  const Term V = x * x * y + b.sin(y);
  b.add_constraint("along", b.terms().partial(V, x) * b.q_dot(s.coordinates[0]) +
                                b.terms().partial(V, y) * b.q_dot(s.coordinates[1]));
  s.start_all({0.7, 0.4}, {0.3, 0.1}, StartKind::kGuess);
  return subject(std::move(s));
}

TEST(Audit, JudgesRowsOfPartialDerivativesByTheirGradient) {
  Subject one = across();
  const Audit right = one.judged();
  EXPECT_TRUE(right.holds()) << broken(right);
  EXPECT_EQ(line(right, kInspection).verdict, Verdict::kHolds);
  one.system.rows[0].A.set(1, 1.0001 * one.system.rows[0].A[1]);
  expect_broken(one.judged(), {kInspection});
}

/// A double pendulum with `conserve energy`. With `keeps`, a projection enforces the energy.
Subject conserving(bool keeps) {
  Sketch s = testing::double_pendulum(1, 1.2);
  s.builder.model().conserved.push_back(
      {model::Conserved::What::kEnergy, model::total_energy(s.builder.model()), {}, {}, "energy", {}});
  const auto bound = *s.try_compile();
  Subject one(bound, 1.0);
  Dynamics dynamics(bound);
  auto options = run_for(5.0, 1e-7);
  options.conserve = keeps;
  one.trajectory = simulate(dynamics, options);
  return one;
}

TEST(Audit, FollowsInvariantsAlongTheRun) {
  const Audit kept = conserving(true).judged();
  EXPECT_EQ(line(kept, kInvariants).verdict, Verdict::kHolds);
  EXPECT_EQ(line(kept, kKept).verdict, Verdict::kHolds) << broken(kept);
  const Audit drifting = conserving(false).judged();
  EXPECT_EQ(line(drifting, kInvariants).verdict, Verdict::kHolds);  // the drift is within the tolerance
  expect_broken(drifting, {kKept});
  EXPECT_EQ(line(drifting, kKept).where, "energy");
}

TEST(Audit, FindsWhatAConstraintDoesNotGiveBack) {
  const auto vakonomic = [](ModelBuilder& b, model::ConstraintId id) {
    reaction_laws::set_vakonomic(b, id, std::vector{b.number(0.7)}, {});
  };
  const auto kozlov = [](ModelBuilder& b, model::ConstraintId id) {
    reaction_laws::set_vakonomic(b, id, std::vector{b.number(0.7)}, b.number(2.0));
  };
  for (const bool is_kozlov : {false, true}) {
    const Audit right = (is_kozlov ? blade(kozlov) : blade(vakonomic)).judged();
    EXPECT_EQ(line(right, kStored).verdict, Verdict::kHolds) << broken(right);
  }
  Subject one = blade(vakonomic);
  one.system.changes[0].f[0] = 1.001 * one.system.changes[0].f[0];
  expect_broken(one.judged(), {kStored});
}

/// A mass in a plane with the prescribed speed 1. For its constraint F = 0, F_q'·q' is not 0 along the motion, so the
/// law stores energy.
Subject paced(double mu) {
  Sketch s("paced");
  ModelBuilder& b = s.builder;
  const auto P = s.particle("p", 1.0, 2);
  b.add_gravity(s.number(-2.0) * s.axis(1));
  const auto pace = b.add_constraint("pace", s.square(b.vel(P)) - 1.0);
  reaction_laws::set_vakonomic(b, pace, std::vector{b.number(mu)}, {});
  s.start_all({0.0, 0.0}, {0.6, 0.8}, StartKind::kGuess);
  return subject(std::move(s));
}

TEST(Audit, FindsAMultiplierThatRunsAtAnotherRate) {
  Subject one = paced(0.4);
  const Audit right = one.judged();
  EXPECT_TRUE(right.holds()) << broken(right);
  EXPECT_EQ(line(right, kStored).verdict, Verdict::kHolds);
  EXPECT_EQ(line(right, kInvariants).verdict, Verdict::kHolds);  // the effective energy is constant
  for (Sample& sample : one.trajectory.samples) sample.z_dot *= 1.0001;
  expect_broken(one.judged(), {kStored});
}

}  // namespace
}  // namespace vinculum::audit

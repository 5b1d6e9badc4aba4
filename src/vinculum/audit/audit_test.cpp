// The audit passes right motions, and each thing broken by itself is found at the line that is there for it.
#include "vinculum/audit/audit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/sim/test_models.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/law/laws.hpp"
#include "vinculum/mechanics/inspect/inspection.hpp"

namespace vinculum::audit {
namespace {

using namespace sim;

using mechanics::ModelBuilder;
using mechanics::StartCondition;
using mechanics::StartKind;
using mechanics::Term;
using testing::run_for;
using testing::Sketch;
using Verdict = AuditLine::Verdict;

/// A compiled model and a run of it, both to be broken at will: nothing is shared with the right ones but what stays as
/// it is.
struct Subject {
  explicit Subject(std::shared_ptr<const CompiledModel> of, double duration = 1.0)
      : compiled(*of), system(*of->system) {
    Dynamics dynamics(of);
    trajectory = simulate(dynamics, run_for(duration, 1e-10));
    EXPECT_FALSE(trajectory.stopped) << testing::reason(trajectory);
  }
  Audit judged() {
    compiled.system = std::make_shared<dynamics::System>(system);
    return audit(compiled, trajectory, {.samples = 6});
  }
  CompiledModel compiled;
  dynamics::System system;
  Trajectory trajectory;
};

Subject subject(Sketch sketch, double duration = 1.0) { return Subject(*sketch.try_compile(), duration); }

const AuditLine& line(const Audit& audit, const std::string& beginning) {
  for (const AuditLine& one : audit.lines) {
    if (one.identity.starts_with(beginning)) return one;
  }
  throw std::runtime_error("no line " + beginning);
}

std::string broken(const Audit& audit, bool all = false) {
  std::string names;
  for (const AuditLine& one : audit.lines) {
    if (one.verdict == Verdict::kBroken || all)
      names += one.section + " " + one.identity + ": " + one.where +
               fmt::format(" by {:.1e} of {:.1e}\n", one.worst, one.allowed);
  }
  return names;
}

// One name a line of the report.
constexpr const char* kSpeeds = "speeds";
constexpr const char* kResiduals = "constraint residuals";
constexpr const char* kRows = "A u' = b";
constexpr const char* kMotion = "M u' = f";
constexpr const char* kIdealWork = "ideal forces";
constexpr const char* kWork = "all constraint forces";
constexpr const char* kGauss = "Gauss";
constexpr const char* kInspection = "forces and torques of inspection";
constexpr const char* kReciprocity = "action = reaction";
constexpr const char* kEnergy = "dE/dt";
constexpr const char* kFormulations = "explicit = ";
constexpr const char* kKane = "Kane";
constexpr const char* kBodies = "Newton and Euler";
constexpr const char* kStored = "reactions give back";
constexpr const char* kInvariants = "invariants";
constexpr const char* kRevealed = "revealed";
constexpr const char* kKept = "what `conserve`";

void expect_broken(const Audit& audit, std::initializer_list<const char*> lines) {
  EXPECT_FALSE(audit.holds());
  for (const char* one : lines)
    EXPECT_EQ(line(audit, one).verdict, Verdict::kBroken) << one << "\nresiduals are\n" << broken(audit, true);
}
void expect_unbroken(const Audit& audit, std::initializer_list<const char*> lines) {
  for (const char* one : lines) EXPECT_NE(line(audit, one).verdict, Verdict::kBroken) << broken(audit);
}

/// A particle on a slide with friction by a force of its own, and one that a rod ties to it: forces of all kinds.
struct Pair {
  explicit Pair(double gravity = -9.81, bool has_from = true, double spring = 3.0, double friction = 0.7)
      : sketch("pair") {
    P = sketch.particle("p", 1.0, 3);
    Q = sketch.particle("q", 2.0, 3);
    ModelBuilder& b = sketch.builder;
    b.add_gravity(sketch.number(gravity) * sketch.axis(2));
    const Term pull = sketch.number(0.8) * b.axis(Sketch::frame(), 1);
    b.add_force(P, pull, has_from ? std::optional(Q) : std::nullopt);
    b.add_spring(P, sketch.origin, sketch.number(spring), sketch.number(0.5));
    slide = b.add_constraint("slide", sketch.dot(sketch.from_origin(P), sketch.axis(2)) -
                                          0.3 * sketch.dot(sketch.from_origin(P), sketch.axis(0)));
    rod = b.add_constraint("rod", sketch.square(b.pos(Q, P)) - sketch.number(1.0));
    b.add_nonideal_force(slide, P, sketch.number(-friction) * b.vel(P), std::nullopt);
    sketch.start_all({0.0, 0.4, 0.0, 0.8, 0.4, -0.6}, {0.5, 0.2, 0.15, 0.5, 0.2, 0.15}, StartKind::kGuess);
  }
  Sketch sketch;
  mechanics::PointId P, Q;
  mechanics::ConstraintId slide, rod;
};

Subject pair_of(Pair pair) { return Subject(*pair.sketch.try_compile(), 0.5); }

/// The motion and System of one model, said to be those of another with the same coordinates and rows.
Audit judged_as(Pair derived, Pair stated) {
  Subject subject = pair_of(std::move(derived));
  const auto other = *stated.sketch.try_compile();
  subject.compiled.model = other->model;
  subject.system.model = other->model;
  return subject.judged();
}

TEST(Audit, HoldsOnFreeAndConstrainedParticles) {
  for (Subject one : {pair_of(Pair()), subject(testing::parallel_pucks()), subject(testing::double_pendulum(3, 0.4)),
                      subject(testing::four_bar(1.0, 0.5))}) {
    const Audit audit = one.judged();
    EXPECT_TRUE(audit.holds()) << one.compiled.model->name << "\n" << broken(audit);
    EXPECT_EQ(audit.samples, 6);
    EXPECT_EQ(audit.lines.size(), 17u);
  }
}

TEST(Audit, JudgesEveryIdentityWhereAllApply) {
  // Friction works: no energy is constant, and nothing stores one.
  const Audit audit = pair_of(Pair()).judged();
  for (const AuditLine& one : audit.lines) {
    const bool is_of_constants =
        one.section == "9" || one.identity.starts_with(kStored) || one.identity.starts_with(kRevealed);
    EXPECT_EQ(one.verdict, is_of_constants ? Verdict::kDoesNotApply : Verdict::kHolds)
        << one.identity << ": " << one.reason;
  }
}

TEST(Audit, AtFactorZeroShowsTrueResiduals) {
  const Subject one = pair_of(Pair());
  const Audit limits = audit(one.compiled, one.trajectory),
              bare = audit(one.compiled, one.trajectory, {.factor = {0.0}});
  ASSERT_EQ(limits.lines.size(), bare.lines.size());
  for (std::size_t i = 0; i < bare.lines.size(); ++i) {
    EXPECT_EQ(bare.lines[i].worst, limits.lines[i].worst);
    EXPECT_EQ(bare.lines[i].verdict == Verdict::kBroken, bare.lines[i].worst > 0.0) << bare.lines[i].identity;
  }
}

TEST(Audit, SaysWhyALineDoesNotApply) {
  const Audit audit = subject(testing::parallel_pucks()).judged();
  EXPECT_EQ(line(audit, kReciprocity).verdict, Verdict::kDoesNotApply);
  EXPECT_NE(line(audit, kReciprocity).reason.find("newtonian frame"), std::string::npos)
      << line(audit, kReciprocity).reason;
}

TEST(Audit, FindsASignOfF) {
  Subject one = pair_of(Pair());
  one.system.f[2] = -one.system.f[2];
  const Audit audit = one.judged();
  expect_broken(audit, {kMotion, kGauss});
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kInspection, kEnergy, kKane, kBodies});
  EXPECT_EQ(line(audit, kMotion).where, "pz'");
}

TEST(Audit, FindsAnEntryOfM) {
  Subject one = pair_of(Pair());
  one.system.M[0] = 1.001 * one.system.M[0];
  const Audit audit = one.judged();
  expect_broken(audit, {kMotion});
  EXPECT_EQ(line(audit, kMotion).where, "px'");
  expect_unbroken(audit, {kResiduals, kRows, kInspection, kEnergy, kKane, kBodies});
}

TEST(Audit, FindsAnEntryOfARow) {
  Subject one = pair_of(Pair());
  one.system.rows[1].A[0] = 1.0001 * one.system.rows[1].A[0];
  const Audit audit = one.judged();
  expect_broken(audit, {kRows, kInspection, kMotion});
  EXPECT_EQ(line(audit, kRows).where, "rod");
  expect_unbroken(audit, {kSpeeds, kEnergy, kKane, kBodies});
}

TEST(Audit, FindsTheRightSideOfARow) {
  Subject one = pair_of(Pair());
  one.system.rows[1].b = one.system.rows[1].b + 1e-6;
  const Audit audit = one.judged();
  expect_broken(audit, {kRows});
  EXPECT_EQ(line(audit, kRows).where, "rod");
  expect_unbroken(audit, {kSpeeds, kMotion, kIdealWork, kWork, kGauss, kInspection, kEnergy, kKane, kBodies});
}

TEST(Audit, FindsTheSignOfC) {
  Subject one = pair_of(Pair());
  for (auto& C : one.system.C) C = -C;
  const Audit audit = one.judged();
  expect_broken(audit, {kMotion, kWork, kGauss, kInspection});
  EXPECT_TRUE(line(audit, kInspection).where.starts_with("C along")) << line(audit, kInspection).where;
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kIdealWork, kEnergy, kKane, kBodies});
}

TEST(Audit, FindsAMultiplier) {
  Subject one = pair_of(Pair());
  for (Sample& sample : one.trajectory.samples) sample.reaction.total.lambda[1] *= 1.0001;
  const Audit audit = one.judged();
  expect_broken(audit, {kMotion, kKane, kBodies});
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kIdealWork, kWork, kGauss, kInspection});
}

TEST(Audit, FindsAnIdealForceThatWorks) {
  Subject one = pair_of(Pair());
  for (Sample& sample : one.trajectory.samples) {
    sample.reaction.ideal.Q[1] += 1e-3;  // along the slide
    sample.reaction.Q_nonideal[1] -= 1e-3;
  }
  const Audit audit = one.judged();
  expect_broken(audit, {kIdealWork, kMotion});
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kWork, kGauss, kKane, kBodies});
}

TEST(Audit, FindsASpeedOfOneSample) {
  Subject one = pair_of(Pair());
  one.trajectory.samples.back().u[4] += 1e-5;
  const Audit audit = one.judged();
  expect_broken(audit, {kSpeeds});
  EXPECT_EQ(line(audit, kSpeeds).t, one.trajectory.samples.back().t);
}

TEST(Audit, FindsAnAccelerationOfOneSample) {
  Subject one = pair_of(Pair());
  one.trajectory.samples[0].reaction.total.u[1] += 1e-5;
  const Audit audit = one.judged();
  expect_broken(audit, {kMotion, kFormulations, kGauss, kBodies});
}

TEST(Audit, FindsADerivationThatIsWrongFromBeginningToEnd) {
  // Consistent in itself: a System and a motion of gravity upwards, of a model that states it downwards.
  const Audit audit = judged_as(Pair(+9.81), Pair(-9.81));
  expect_broken(audit, {kEnergy, kKane, kBodies});
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kMotion, kIdealWork, kWork, kGauss, kInspection, kReciprocity,
                          kFormulations});
}

TEST(Audit, FindsAForceWithoutItsOpposite) {
  const Audit audit = judged_as(Pair(-9.81, false), Pair(-9.81, true));
  expect_broken(audit, {kEnergy, kKane, kBodies});
  EXPECT_TRUE(line(audit, kBodies).where.starts_with("q,")) << line(audit, kBodies).where;
  expect_unbroken(audit, {kMotion, kInspection});
}

TEST(Audit, FindsATermOfTheEnergy) {
  const Audit audit = judged_as(Pair(-9.81, true, 3.0), Pair(-9.81, true, 3.01));
  expect_broken(audit, {kEnergy, kBodies});
}

TEST(Audit, FindsAFrictionThatIsNotTheOneStated) {
  const Audit audit = judged_as(Pair(-9.81, true, 3.0, 0.7), Pair(-9.81, true, 3.0, 0.71));
  expect_broken(audit, {kInspection, kEnergy, kKane, kBodies});
  EXPECT_TRUE(line(audit, kInspection).where.starts_with("C along"));
}

TEST(Audit, FindsADirectionThatInspectionWouldNotGive) {
  // The rod's row with half its factor exerts half the force for one multiplier.
  Pair half;
  Subject one = pair_of(Pair());
  Sketch& sketch = half.sketch;
  const auto other = *sketch.try_compile();
  auto& row = const_cast<mechanics::Model&>(*other->model).constraints[1].rows[0];  // a model of this test alone
  row = 0.5 * row;
  one.compiled.model = other->model;
  one.system.model = other->model;
  const Audit audit = one.judged();
  expect_broken(audit, {kInspection, kKane, kBodies});
  EXPECT_TRUE(line(audit, kInspection).where.starts_with("rod")) << line(audit, kInspection).where;
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kMotion});
}

/// A disk in space, by a quaternion, on a revolute joint with a motor that keeps its speed (directed) or ideally.
Sketch driven_arm(bool is_directed) {
  Sketch s("driven_arm");
  ModelBuilder& b = s.builder;
  const auto a = s.coordinate("a"), c = s.coordinate("c");
  const auto A = b.add_rotated_frame("A", Sketch::frame(), b.q(a), 2);
  const auto B = b.add_rotated_frame("B", A, b.q(c), 2);
  const auto I = [&](double xx, double yy, double zz) {
    return mechanics::Inertia{s.number(xx), s.number(yy), s.number(zz), s.number(0.0), s.number(0.0), s.number(0.0)};
  };
  b.add_body("arm", A, s.number(2.0), I(0.1, 0.3, 0.3), s.origin, 0.5 * b.axis(A, 0));
  const auto elbow = b.add_point("elbow", s.origin, 1.0 * b.axis(A, 0));
  b.add_body("hand", B, s.number(1.0), I(0.05, 0.1, 0.12), elbow, 0.4 * b.axis(B, 0));
  b.add_gravity(s.number(-9.81) * s.axis(1));
  const auto keep = b.add_constraint("keep", s.dot(b.omega(B, Sketch::frame()), s.axis(2)) - s.number(0.5));
  if (is_directed) {
    mechanics::Actuator motor;
    motor.torques.push_back({B, b.axis(B, 2), std::optional(A)});
    b.set_law(keep, law::directed({motor}, true));
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
    mechanics::Model& model = b.model();
    model.bodies[1].mass = s.number(mass_of_hand);
    mechanics::Reveal at_elbow{"elbow_force", {}, {}, {s.axis(0), b.axis(model.bodies[0].frame, 1)}, {}},
        at_hand = at_elbow;
    for (std::size_t p = 0; p < model.points.size(); ++p) {
      if (model.points[p].name == "elbow") at_elbow.point = mechanics::PointId(p);
    }
    b.add_reveal(at_elbow);
    at_hand.name = "hand_torque";
    at_hand.body = model.bodies[1].frame;
    at_hand.along = {s.axis(0), s.axis(2)};
    b.add_reveal(at_hand);
    b.add_output("F", mechanics::revealed(model, mechanics::RevealId(std::size_t{0}), 0));
    b.add_output("T", mechanics::revealed(model, mechanics::RevealId(std::size_t{1}), 1));
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
    EXPECT_NE(line(audit, name).reason.find("directions of its own"), std::string::npos);
  }
  one.system.directed[0].Gamma[0][0] = one.system.directed[0].Gamma[0][0] + 0.1;  // the motor pushes itself along
  const Audit wrong = one.judged();
  expect_broken(wrong, {kMotion, kInspection});
  EXPECT_TRUE(line(wrong, kInspection).where.starts_with("effort of keep")) << line(wrong, kInspection).where;
  expect_unbroken(wrong, {kEnergy, kKane});
}

/// A blade on an inclined plane whose constraint is kept by a law of one's choice.
Subject blade(const std::function<void(ModelBuilder&, mechanics::ConstraintId)>& set_law) {
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
  using Set = std::function<void(ModelBuilder&, mechanics::ConstraintId)>;
  const std::vector<std::pair<std::string, Set>> laws = {
      {"vakonomic",
       [](ModelBuilder& b, mechanics::ConstraintId id) { law::set_vakonomic(b, id, std::vector{b.number(0.7)}, {}); }},
      {"kozlov",
       [](ModelBuilder& b, mechanics::ConstraintId id) {
         law::set_vakonomic(b, id, std::vector{b.number(0.7)}, b.number(2.0));
       }},
      {"adiabatic",
       [](ModelBuilder& b, mechanics::ConstraintId id) { b.set_law(id, law::adiabatic({b.sin(b.time())})); }},
      {"viscous", [](ModelBuilder& b, mechanics::ConstraintId id) { b.set_law(id, law::viscous(b.number(5.0))); }},
      {"inertial", [](ModelBuilder& b, mechanics::ConstraintId id) { b.set_law(id, law::inertial(b.number(5.0))); }},
  };
  for (const auto& [name, set] : laws) {
    Subject one = blade(set);
    const Audit audit = one.judged();
    EXPECT_TRUE(audit.holds()) << name << "\n" << broken(audit);
    EXPECT_NE(line(audit, kIdealWork).verdict, Verdict::kBroken) << name;
    EXPECT_EQ(line(audit, kKane).verdict, Verdict::kHolds) << name;
    EXPECT_EQ(line(audit, kBodies).verdict, Verdict::kHolds) << name;  // by the reaction's force and torque on the body
    EXPECT_EQ(line(audit, kGauss).verdict, Verdict::kDoesNotApply) << name;
  }
}

TEST(Audit, FindsAMultiplierOfTheVakonomicLaw) {
  Subject one = blade(
      [](ModelBuilder& b, mechanics::ConstraintId id) { law::set_vakonomic(b, id, std::vector{b.number(0.7)}, {}); });
  one.trajectory.samples[0].z[0] *= 1.001;
  const Audit audit = one.judged();
  expect_broken(audit, {kMotion, kKane, kFormulations});
  // Whatever μ is, its part of the reaction does no work: the row is homogeneous in the velocities and the same at all
  // times.
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kInspection, kEnergy});
}

TEST(Audit, FindsWhatALawAddsToTheEquations) {
  Subject one = blade(
      [](ModelBuilder& b, mechanics::ConstraintId id) { law::set_vakonomic(b, id, std::vector{b.number(0.7)}, {}); });
  one.system.changes[0].f[2] = 1.001 * one.system.changes[0].f[2];
  const Audit audit = one.judged();
  expect_broken(audit, {kInspection});
  EXPECT_TRUE(line(audit, kInspection).where.starts_with("law of edge")) << line(audit, kInspection).where;
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kMotion, kEnergy, kKane, kBodies});
}

TEST(Audit, OfARunThatStopsLeavesOutItsLastSample) {
  Subject one = pair_of(Pair());
  one.trajectory.samples.back().u.setConstant(std::nan(""));
  EXPECT_FALSE(one.judged().holds());
  one.trajectory.stopped = Failure{};
  EXPECT_TRUE(one.judged().holds());
}

TEST(Audit, OfARunThatStopsUnexpectedlyIsNoSuccess) {
  Subject one = pair_of(Pair());
  EXPECT_TRUE(one.judged().is_success());
  one.trajectory.stopped = Failure{FailureKind::kNotUnique, "", 0.5};
  EXPECT_FALSE(one.judged().is_success());
  ASSERT_TRUE(one.judged().stopped.has_value());
  EXPECT_EQ(one.judged().stopped->kind, FailureKind::kNotUnique);
  Pair expecting;
  mechanics::Expectation expected{};
  expected.when = mechanics::Expectation::When::kStop;
  expected.stop_kind = failure_info(FailureKind::kNotUnique).name;
  expecting.sketch.builder.model().expectations.push_back(expected);
  Subject other = pair_of(std::move(expecting));
  other.trajectory.stopped = one.trajectory.stopped;
  EXPECT_TRUE(other.judged().is_success());
  other.trajectory.stopped->kind = FailureKind::kNonFinite;
  EXPECT_FALSE(other.judged().is_success());
}

TEST(Audit, OfNothingIsNoSuccess) {
  Subject one = pair_of(Pair());
  one.trajectory.samples.clear();
  EXPECT_TRUE(one.judged().holds());
  EXPECT_FALSE(one.judged().is_success());
}

TEST(Audit, WhereConstraintsLeaveNoMotionWorkAndGaussDoNotApply) {
  Sketch s("held");
  const auto P = s.particle("p", 1.0, 1);
  s.builder.add_constraint("held", s.dot(s.from_origin(P), s.axis(0)) - s.number(0.5));
  s.start_all({0.5}, {0.0}, StartKind::kGuess);
  const Audit audit = subject(std::move(s)).judged();
  for (const char* name : {kIdealWork, kWork, kGauss}) {
    EXPECT_EQ(line(audit, name).verdict, Verdict::kDoesNotApply) << name;
    EXPECT_NE(line(audit, name).reason.find("the constraints leave"), std::string::npos) << name;
  }
}

TEST(Audit, FindsAResidualBetweenItsInstants) {
  Subject one = subject(testing::double_pendulum(1, 0.4));
  one.trajectory.worst_residual[1] = 1e-6;
  one.trajectory.worst_residual_t[1] = 0.123;
  const Audit audit = one.judged();
  expect_broken(audit, {kResiduals});
  EXPECT_EQ(line(audit, kResiduals).where, "lower0, worst of all steps");
  EXPECT_EQ(line(audit, kResiduals).t, 0.123);
  expect_unbroken(audit, {kSpeeds, kRows, kMotion, kInvariants});
}

/// A particle in the plane whose velocity crosses the lines of a potential: its row holds partial derivatives.
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
  one.system.rows[0].A[1] = 1.0001 * one.system.rows[0].A[1];
  expect_broken(one.judged(), {kInspection});
}

/// A pendulum pair that keeps its energy by projection, or would if it did.
Subject conserving(bool keeps) {
  Sketch s = testing::double_pendulum(1, 1.2);
  s.builder.model().conserved.push_back(
      {mechanics::Conserved::What::kEnergy, mechanics::total_energy(s.builder.model()), {}, {}, "energy", {}});
  const auto compiled = *s.try_compile();
  Subject one(compiled, 1.0);
  Dynamics dynamics(compiled);
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
  EXPECT_EQ(line(drifting, kInvariants).verdict, Verdict::kHolds);  // within the tolerance
  expect_broken(drifting, {kKept});
  EXPECT_EQ(line(drifting, kKept).where, "energy");
}

TEST(Audit, FindsAMotionThatLosesItsEnergy) {
  // A motion with a damper of which the model says nothing.
  const auto swing = [](double damping) {
    Sketch s("swing");
    const auto P = s.particle("p", 1.0, 2);
    const auto anchor = s.builder.add_point("anchor", s.origin, s.number(0.0) * s.axis(0));
    s.builder.add_spring(P, anchor, s.number(3.0), s.number(0.5), s.number(damping));
    s.start_all({1.0, 0.2}, {0.1, 0.4});
    return s;
  };
  Subject one = subject(swing(1e-4));
  const auto other = *swing(0.0).try_compile();
  one.compiled = *other;
  one.system = *other->system;
  const Audit audit = one.judged();
  expect_broken(audit, {kInvariants, kEnergy, kMotion});
  EXPECT_EQ(line(audit, kInvariants).where, "energy");
  EXPECT_EQ(line(audit, kInvariants).t, one.trajectory.end().t);
}

TEST(Audit, FindsWhatAConstraintDoesNotGiveBack) {
  const auto vakonomic = [](ModelBuilder& b, mechanics::ConstraintId id) {
    law::set_vakonomic(b, id, std::vector{b.number(0.7)}, {});
  };
  const auto kozlov = [](ModelBuilder& b, mechanics::ConstraintId id) {
    law::set_vakonomic(b, id, std::vector{b.number(0.7)}, b.number(2.0));
  };
  for (const bool is_kozlov : {false, true}) {
    const Audit right = (is_kozlov ? blade(kozlov) : blade(vakonomic)).judged();
    EXPECT_EQ(line(right, kStored).verdict, Verdict::kHolds) << broken(right);
  }
  Subject one = blade(vakonomic);
  one.system.changes[0].f[0] = 1.001 * one.system.changes[0].f[0];
  expect_broken(one.judged(), {kStored});
}

/// A point under a row whose law stores energy, F_q'·q' not zero on it: a mass in a plane kept at the speed 1.
Subject paced(double mu) {
  Sketch s("paced");
  ModelBuilder& b = s.builder;
  const auto P = s.particle("p", 1.0, 2);
  b.add_gravity(s.number(-2.0) * s.axis(1));
  const auto pace = b.add_constraint("pace", s.square(b.vel(P)) - 1.0);
  law::set_vakonomic(b, pace, std::vector{b.number(mu)}, {});
  s.start_all({0.0, 0.0}, {0.6, 0.8}, StartKind::kGuess);
  return subject(std::move(s));
}

TEST(Audit, FindsAMultiplierThatRunsAtAnotherRate) {
  Subject one = paced(0.4);
  const Audit right = one.judged();
  EXPECT_TRUE(right.holds()) << broken(right);
  EXPECT_EQ(line(right, kStored).verdict, Verdict::kHolds);
  EXPECT_EQ(line(right, kInvariants).verdict, Verdict::kHolds);  // the effective energy
  for (Sample& sample : one.trajectory.samples) sample.z_dot *= 1.0001;
  expect_broken(one.judged(), {kStored});
}

}  // namespace
}  // namespace vinculum::audit

// Introduces each error as the only one, and checks that it breaks the audit lines that are meant to find it.
#include "support/audit/subject.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::audit {
namespace {

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
  one.system.M.own()[0] = 1.001 * one.system.M[0];
  const Audit audit = one.judged();
  expect_broken(audit, {kMotion});
  EXPECT_EQ(line(audit, kMotion).where, "px'");
  expect_unbroken(audit, {kResiduals, kRows, kInspection, kEnergy, kKane, kBodies});
}

TEST(Audit, FindsAnEntryOfARow) {
  Subject one = pair_of(Pair());
  one.system.rows[1].A.set(0, 1.0001 * one.system.rows[1].A[0]);
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
    sample.reaction.ideal.Q[1] += 1e-3;  // along the direction of slip
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
  // The error is consistent: System and motion have gravity upwards, while the model states it downwards.
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
  // With half its factor, the row of the rod exerts half the force for the same multiplier.
  Pair half;
  Subject one = pair_of(Pair());
  Sketch& sketch = half.sketch;
  const auto other = *sketch.try_compile();
  auto& row = const_cast<model::Model&>(*other->compiled->model).constraints[1].rows[0];  // a model of this test only
  row = 0.5 * row;
  one.compiled.model = other->compiled->model;
  one.system.model = other->compiled->model;
  const Audit audit = one.judged();
  expect_broken(audit, {kInspection, kKane, kBodies});
  EXPECT_TRUE(line(audit, kInspection).where.starts_with("rod")) << line(audit, kInspection).where;
  expect_unbroken(audit, {kSpeeds, kResiduals, kRows, kMotion});
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

TEST(Audit, FindsAMotionThatLosesItsEnergy) {
  // The motion has a damper that the model does not state.
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
  one.bound = *other;
  one.compiled = *other->compiled;
  one.system = *other->compiled->system;
  const Audit audit = one.judged();
  expect_broken(audit, {kInvariants, kEnergy, kMotion});
  EXPECT_EQ(line(audit, kInvariants).where, "energy");
  EXPECT_EQ(line(audit, kInvariants).t, one.trajectory.end().t);
}

}  // namespace
}  // namespace vinculum::audit

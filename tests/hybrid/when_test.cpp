// Constraints that act while a condition is true (`when`): motion, reaction and impulse are compared with closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "support/models.hpp"
#include "vinculum/run/energy_account.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/start/assembly.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::sim {
namespace when_test {

struct Ran {
  std::shared_ptr<const Binding> bound;
  Trajectory run;
};

Ran run_of(const std::string& text, equations::Formulation formulation = equations::Formulation::kExplicit,
           const std::string& method = "dop853") {
  Ran ran{test_support::compiled(test_support::model_of_text(text)), {}};
  Dynamics dynamics(ran.bound);
  SimulateOptions options = options_of(*ran.bound->compiled->model);
  options.tolerance = 1e-11;
  options.formulation = formulation;
  options.method = method;
  options.accounts = audit_accounts;
  ran.run = simulate(dynamics, options);
  return ran;
}

const Sample& at(const Trajectory& run, double t) {
  const auto closest =
      std::ranges::min_element(run.samples, {}, [t](const Sample& one) { return std::abs(one.t - t); });
  EXPECT_NEAR(closest->t, t, 1e-9);
  return *closest;
}

void expect_right_audit(const Ran& ran) {
  for (const audit::AuditLine& line : audit::audit(*ran.bound, ran.run).lines)
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken)
        << line.identity << ": " << line.worst << " at " << line.where;
}

/// Two carts on a rail. The constraint connects the second cart to the first from 1 s to 2 s.
std::string latch(const std::string& clause = "when 1 <= t and t < 2") {
  return "model latch\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle A mass 2 at O + x*N.x\n"
         "particle B mass 3 at O + y*N.x\nforce on A = 4*N.x\nconstraint latch: x' = y'\n    " +
         clause + "\nstart x = 0, x' = 1, y = 5, y' = 0\noutput pull = multiplier(latch)\nrun 3 step 0.25\n";
}

class Formulations : public testing::TestWithParam<equations::Formulation> {};

TEST_P(Formulations, CatchAndReleaseWithTheImpulseOfTheTheory) {
  const Ran ran = run_of(latch(), GetParam());
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  // Before 1 s: x' = 1 + 2 t. At 1 s the first cart has the momentum m₁ x' = 6; together they have 6/5 + 4/5 (t − 1).
  // At 2 s they are released with x' = 2.
  EXPECT_NEAR(at(ran.run, 0.75).u[0], 2.5, 1e-12);
  EXPECT_NEAR(at(ran.run, 1.5).u[0], 1.2 + 0.4, 1e-12);
  EXPECT_NEAR(at(ran.run, 1.5).u[1], 1.2 + 0.4, 1e-12);
  EXPECT_NEAR(at(ran.run, 1.5).reaction.lambda()[0], -2.4, 1e-11);  // the force on B is 3 · 0.8
  EXPECT_NEAR(at(ran.run, 3.0).u[0], 4.0, 1e-11);
  EXPECT_NEAR(at(ran.run, 3.0).u[1], 2.0, 1e-11);
  EXPECT_EQ(at(ran.run, 0.5).reaction.lambda()[0], 0.0);
  EXPECT_EQ(at(ran.run, 0.5).row_unique[0], 1);
  EXPECT_EQ(at(ran.run, 0.5).rank, 0);
  EXPECT_EQ(at(ran.run, 1.5).rank, 1);
  const auto impulses = ran.run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 1u);
  EXPECT_NEAR(impulses[0].t, 1.0, 1e-12);
  EXPECT_NEAR(impulses[0].rows[0], 2.0 * (1.2 - 3.0), 1e-11);
  const auto changes = ran.run.all<ActingChange>();
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_TRUE(changes[0].acts);
  EXPECT_FALSE(changes[1].acts);
  EXPECT_NEAR(changes[1].t, 2.0, 1e-12);
}
INSTANTIATE_TEST_SUITE_P(When, Formulations,
                         testing::Values(equations::Formulation::kExplicit, equations::Formulation::kAugmented,
                                         equations::Formulation::kMinimal));

TEST(When, IsRightByAnImplicitMethod) {
  const Ran ran = run_of(latch(), equations::Formulation::kExplicit, "radau");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  EXPECT_NEAR(at(ran.run, 3.0).u[0], 4.0, 1e-9);
  EXPECT_NEAR(at(ran.run, 3.0).u[1], 2.0, 1e-9);
}

TEST(When, PassesTheAudit) { expect_right_audit(run_of(latch())); }

TEST(When, IsTheConstraintItselfWhileItsConditionIsTrue) {
  const Ran always = run_of(latch("law ideal")), when = run_of(latch("when t >= -1"));
  ASSERT_EQ(always.run.samples.size(), when.run.samples.size());
  for (std::size_t i = 0; i < always.run.samples.size(); ++i) {
    EXPECT_NEAR((always.run.samples[i].q - when.run.samples[i].q).norm(), 0.0, 1e-13);
    EXPECT_NEAR(always.run.samples[i].reaction.lambda()[0], when.run.samples[i].reaction.lambda()[0], 1e-12);
  }
}

/// A particle flies into a wall at x = 1, sticks to the wall up to 2 s, and meanwhile falls along it.
TEST(When, MeetsAPositionWhereItsConditionBecomesTrue) {
  const Ran ran = run_of(
      "model catch\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle A mass 2 at O + x*N.x + y*N.y\n"
      "gravity -10*N.y\nconstraint hold: pos(A, O) = 1*N.x along N.x\n    when x >= 1 and t < 2\n"
      "start x = 0, x' = 2, y = 0, y' = 0\noutput wall = reaction(hold, A)\nrun 3 step 0.25\n");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  EXPECT_NEAR(at(ran.run, 3.0).q[0], 1.0, 1e-11);
  EXPECT_NEAR(at(ran.run, 3.0).u[0], 0.0, 1e-12);
  EXPECT_NEAR(at(ran.run, 3.0).q[1], -45.0, 1e-10);
  ASSERT_EQ(ran.run.all<Impulse>().size(), 1u);
  EXPECT_NEAR(ran.run.all<Impulse>()[0].rows[0], -4.0, 1e-11);
  expect_right_audit(ran);
}

TEST(When, ChargesTheEnergyOfTheImpulse) {
  const auto bound = test_support::compiled(test_support::model_of_text(latch()));
  Dynamics dynamics(bound);
  EnergyAccount account(*bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  options.tolerance = 1e-11;
  account.follow(options);
  (void)simulate(dynamics, options);
  const auto column = std::ranges::find(account.columns(), "impulses") - account.columns().begin();
  // Loss of energy ½ μ v², with the reduced mass μ = 6/5 and the relative velocity v = 3.
  EXPECT_NEAR(account.rows().back().values[column], -0.5 * 1.2 * 9.0, 1e-10);
  EXPECT_LT(account.worst().relative, 1e-10);
}

TEST(When, StopsWhereAPositionHasAnOpenGap) {
  const Ran ran = run_of(
      "model gap\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle A mass 2 at O + x*N.x\n"
      "constraint hold: x = 1\n    when t > 1\nstart x = 0, x' = 0.3\nrun 3\n");
  ASSERT_TRUE(ran.run.stopped);
  EXPECT_EQ(ran.run.stopped->kind, FailureKind::kInconsistent);
  EXPECT_NEAR(ran.run.stopped->t, 1.0, 1e-12);
  EXPECT_NE(ran.run.stopped->message.find("open gap of -0.7"), std::string::npos) << ran.run.stopped->message;
  EXPECT_EQ(ran.run.stopped->advice, "let `when` become true where the gap is 0");
  EXPECT_EQ(ran.run.stopped->rows, std::vector<int>{0});
}

/// A joint with a condition: the pendulum's joint is released at 0.5 s, and the body flies off.
TEST(When, LetsAJointGo) {
  const Ran ran = run_of(
      "model cut\nframe N newtonian\npoint O fixed in N\ncoord a, x, y\nframe F = N rotated a about z\n"
      "body B frame F mass 2 inertia plane 0.5 at O + x*N.x + y*N.y\ngravity -10*N.y\n"
      "point P = B - 1*F.x\n"
      "joint pin: revolute between O of N and P of B axis N.z\n    when t < 0.5\n"
      "start a = 0, x = 1, y = 0, x' = 0, y' = 0, a' = 0\nrun 1 step 0.25\n");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  // After the release the mass center flies freely: y'' = −10, x'' = 0, a'' = 0.
  const Sample &cut = at(ran.run, 0.5), &end = at(ran.run, 1.0);
  EXPECT_NEAR(end.q[1], cut.q[1] + 0.5 * cut.u[1], 1e-10);
  EXPECT_NEAR(end.q[2], cut.q[2] + 0.5 * cut.u[2] - 1.25, 1e-10);
  EXPECT_NEAR(end.u[0], cut.u[0], 1e-11);
  expect_right_audit(ran);
}

/// Two rows that depend on each other while both act; before that only one acts. The rows share the force, and the
/// motion is the motion under one row.
TEST(When, AllowsRowsThatDependOnEachOther) {
  const Ran ran = run_of(
      "model two\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle A mass 2 at O + x*N.x\n"
      "particle B mass 3 at O + y*N.x\nforce on A = 5*N.x\nconstraint one: x' = y'\n"
      "constraint other: 2*x' = 2*y'\n    when t > 1\nstart x = 0, x' = 0, y = 0, y' = 0\nrun 2 step 0.25\n");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  EXPECT_NEAR(at(ran.run, 2.0).u[0], 2.0, 1e-11);
  EXPECT_EQ(at(ran.run, 0.5).row_unique[0], 1);
  EXPECT_NEAR(at(ran.run, 0.5).reaction.lambda()[0], -3.0, 1e-11);
  EXPECT_EQ(at(ran.run, 1.5).row_unique[0], 0);
  expect_right_audit(ran);
}

/// Two carts of mass 1 [kg] on a rail.
constexpr const char* kCarts =
    "model carts\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle A mass 1 at O + x*N.x\n"
    "particle B mass 1 at O + y*N.x\n";

/// A formulation and a method. The impulse must be the same under all of them.
struct Way {
  equations::Formulation formulation;
  const char* method;
};

class Impulses : public testing::TestWithParam<Way> {
 protected:
  [[nodiscard]] static Ran carts(const std::string& rest) {
    return run_of(kCarts + rest, GetParam().formulation, GetParam().method);
  }
};

INSTANTIATE_TEST_SUITE_P(When, Impulses,
                         testing::Values(Way{equations::Formulation::kExplicit, "dop853"},
                                         Way{equations::Formulation::kAugmented, "dop853"},
                                         Way{equations::Formulation::kMinimal, "dop853"},
                                         Way{equations::Formulation::kExplicit, "radau"}));

/// A friction force is bounded, so a contact that sticks takes no part in the impulse. The second cart is set in
/// motion, and friction slows both carts down by 4 N / 2 kg until they rest.
TEST_P(Impulses, LetStickingFrictionSlip) {
  const Ran ran = carts(
      "friction on y = 4\nconstraint c: x' = y'\n    when t >= 1\nstart x = 0, x' = 2, y = 3, y' = 0\nrun 2 step "
      "0.25\n");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  const auto impulses = ran.run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 1u);
  EXPECT_NEAR(impulses[0].rows[0], -1.0, 1e-12);
  EXPECT_NEAR(at(ran.run, 1.25).u[0], 0.5, 1e-9);
  EXPECT_NEAR(at(ran.run, 1.25).u[1], 0.5, 1e-9);
  EXPECT_NEAR(at(ran.run, 2.0).q[0], 2.25, 1e-9);
  EXPECT_EQ(at(ran.run, 2.0).u[0], 0.0);
  const auto changes = ran.run.all<FrictionChange>();
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].to, FrictionChange::To::kSlides);
  EXPECT_EQ(changes[1].to, FrictionChange::To::kSticks);
  EXPECT_NEAR(changes[1].t, 1.5, 1e-9);
  expect_right_audit(ran);
}

/// The impulse of the first constraint makes the condition of the second constraint true at the same instant.
TEST_P(Impulses, MakeOtherConstraintsActAtTheSameInstant) {
  const Ran ran = carts(
      "coord z\nparticle C mass 1 at O + z*N.x\nconstraint ab: x' = y'\n    when t >= 1\nconstraint bc: y' = z'\n"
      "    when y' > 0.5\nstart x' = 2\nrun 2 step 0.25\n");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  const auto impulses = ran.run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 2u);
  EXPECT_NEAR(impulses[0].rows[0], -1.0, 1e-12);
  EXPECT_NEAR(impulses[1].rows[0], -1.0 / 3.0, 1e-12);
  EXPECT_NEAR(impulses[1].rows[1], -2.0 / 3.0, 1e-12);
  EXPECT_EQ(ran.run.all<ActingChange>().size(), 2u);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(at(ran.run, 2.0).u[i], 2.0 / 3.0, 1e-11);
  expect_right_audit(ran);
}

/// The impulse of a constraint makes its own condition false. The constraint acts only for an instant, each time the
/// relative velocity reaches 1.
TEST_P(Impulses, EndAConstraintWhoseConditionTheyMakeFalse) {
  const Ran ran =
      carts("constraint c: x' = y'\n    when x' - y' > 1\nforce on A = 2*N.x\nstart y = 3\nrun 1.75 step 0.25\n");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  const auto impulses = ran.run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 3u);
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    EXPECT_NEAR(impulses[k].t, 0.5 * static_cast<double>(k + 1), 1e-9);
    EXPECT_NEAR(impulses[k].rows[0], -0.5, 1e-9);
  }
  EXPECT_NEAR(at(ran.run, 1.75).u[0], 2.0, 1e-9);  // 1.5 at the last impulse, then 2 · 0.25 more
  EXPECT_NEAR(at(ran.run, 1.75).u[1], 1.5, 1e-9);
  EXPECT_TRUE(ran.run.all<SurfaceChange>().empty());
  expect_right_audit(ran);
}

TEST_P(Impulses, BeginAtTheStart) {
  for (const char* when : {"constraint c: x' = y'\n    when t > 0\n",
                           "state n' = 0\nevent e: at 0 set n = 1\nconstraint c: x' = y'\n    when n > 0.5\n"}) {
    const Ran ran = carts(std::string(when) + "start x' = 2, y' = 0\nrun 1 step 0.25\n");
    ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
    ASSERT_EQ(ran.run.all<Impulse>().size(), 1u) << when;
    EXPECT_EQ(ran.run.all<Impulse>()[0].t, 0.0);
    EXPECT_NEAR(ran.run.all<Impulse>()[0].rows[0], -1.0, 1e-12);
    EXPECT_NEAR(at(ran.run, 1.0).q[0], 1.0, 1e-11);
    EXPECT_NEAR(at(ran.run, 1.0).q[1], 1.0, 1e-11);
    expect_right_audit(ran);
  }
}

/// A constraint that keeps its own condition at a value at which the condition is false. It can neither act nor not
/// act, so the run ends.
TEST_P(Impulses, AreNoneWhereAConstraintMakesItsConditionFalse) {
  for (const char* text : {"force on A = -2*N.x\nconstraint c: x' = 0\n    when x' < 0\nstart x' = 1\nrun 2\n",
                           "gravity -10*N.x\nconstraint c: x = 0\n    when x < 0\nstart x = 1\nrun 2\n",
                           "force on A = 2*N.x\nconstraint c: x' = y'\n    when x > y\nstart y = 1\nrun 2\n"}) {
    const Ran ran = carts(text);
    ASSERT_TRUE(ran.run.stopped) << text;
    EXPECT_EQ(ran.run.stopped->kind, FailureKind::kInconsistent) << ran.run.stopped->message;
    EXPECT_NE(ran.run.stopped->message.find("Write `<=` or `>=`"), std::string::npos) << ran.run.stopped->message;
  }
}

/// If the condition includes equality, the constraint continues to act, even against a force away from the constraint.
TEST_P(Impulses, HoldAConstraintWhoseConditionIncludesEquality) {
  for (const char* text : {"force on A = (-2 if t < 1 else 3)*N.x\nconstraint c: x' = 0\n    when x' <= 0\n"
                           "start x' = 1\nrun 2 step 0.25\n",
                           "force on A = (-2 if t < 1 else 3)*N.x\nconstraint c: x = 0\n    when x <= 0\n"
                           "start x = 0.25\nrun 2 step 0.25\n"}) {
    const Ran ran = carts(text);
    ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
    EXPECT_NEAR(at(ran.run, 2.0).u[0], 0.0, 1e-12);
    EXPECT_NEAR(at(ran.run, 1.5).reaction.lambda()[0], -3.0, 1e-11);
    EXPECT_EQ(at(ran.run, 2.0).acts, (std::vector<char>{1}));
  }
}

/// Rows that depend on each other share their impulse: p[0] + 2 p[1] = −1 is one equation for two unknowns. So they are
/// marked as not unique.
TEST(When, MarksImpulsesOfRedundantRows) {
  const Ran ran = run_of(std::string(kCarts) +
                         "constraint one: x' = y'\n    when t >= 1\nconstraint other: 2*x' = 2*y'\n    when t >= 1\n"
                         "start x' = 2\nrun 2 step 0.5\n");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  ASSERT_EQ(ran.run.all<Impulse>().size(), 1u);
  const Impulse impulse = ran.run.all<Impulse>()[0];
  EXPECT_NEAR(impulse.rows[0] + 2.0 * impulse.rows[1], -1.0, 1e-12);
  EXPECT_EQ(impulse.unique, (std::vector<char>{0, 0}));
  EXPECT_EQ(run_of(latch()).run.all<Impulse>()[0].unique, (std::vector<char>{1}));
}

/// The constraint x' = y' of free carts needs no force while it is satisfied. But it takes part in the impulse of
/// another constraint.
TEST(When, ActsTogetherWithRowsThatNeedNoForce) {
  const Ran ran = run_of(std::string(kCarts) +
                         "constraint c: x' = y'\nconstraint wall: x' = 0\n    when t >= 1\nstart x' = 2, y' ~ 2\n"
                         "run 2 step 0.5\n");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  EXPECT_NEAR(at(ran.run, 2.0).u.norm(), 0.0, 1e-12);
  ASSERT_EQ(ran.run.all<Impulse>().size(), 1u);
  EXPECT_NEAR(ran.run.all<Impulse>()[0].rows[0], 2.0, 1e-12);
  EXPECT_NEAR(ran.run.all<Impulse>()[0].rows[1], -4.0, 1e-12);
}

/// A condition on parameters only, which is false: the constraint never acts and makes no row redundant.
TEST(When, NeverActsWithAFalseConditionOnParameters) {
  const Ran ran = run_of(std::string(kCarts) +
                         "param on = 0\nforce on A = 2*N.x\nconstraint c: x' = y'\n    when on > 0.5\n"
                         "constraint d: x' = y'\nrun 1 step 0.5\n");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  EXPECT_NEAR(at(ran.run, 1.0).u[0], 1.0, 1e-11);
  EXPECT_EQ(at(ran.run, 1.0).acts, (std::vector<char>{0, 1}));
  EXPECT_EQ(at(ran.run, 1.0).row_unique[1], 1);
  EXPECT_NEAR(at(ran.run, 1.0).reaction.lambda()[1], -1.0, 1e-11);
  expect_right_audit(ran);
}

/// Impulses do not change the momentum along a coordinate on which no row with a condition depends. They change other
/// momenta.
TEST(When, KeepsTheMomentumOfCoordinatesThatItsRowsDoNotContain) {
  const auto compile = [](const std::string& kept) {
    return test_support::compiled(test_support::model_of_text(
        kCarts +
        ("coord z\nparticle C mass 1 at O + z*N.x\nconstraint c: x' = y'\n    when t >= 1\nconserve momentum(" + kept +
         ")\nstart x' = 1, z' = 1\nrun 2\n")));
  };
  EXPECT_NO_THROW((void)compile("z"));
  EXPECT_ANY_THROW((void)compile("x"));
}

/// x'² + y'² = 1 as the constraint: with equal masses the direction M⁻¹Aᵀ stays the same while the impulse reduces the
/// speeds; with unequal masses it turns.
TEST(When, StopsWhereTheDirectionOfAnImpulseIsNotDetermined) {
  const std::string rest = "constraint c: x'^2 + y'^2 = 1\n    when t >= 1\nstart x' = 2, y' = 1\nrun 2 step 0.5\n";
  const Ran equal = run_of(kCarts + rest);
  ASSERT_FALSE(equal.run.stopped) << equal.run.stopped->message;
  EXPECT_NEAR(at(equal.run, 2.0).u[0], 2.0 / std::sqrt(5.0), 1e-11);
  EXPECT_NEAR(at(equal.run, 2.0).u[1], 1.0 / std::sqrt(5.0), 1e-11);
  const Ran other = run_of(kCarts + ("coord z\nparticle C mass 2 at O + y*N.x + z*N.y\n" + rest));
  ASSERT_TRUE(other.run.stopped);
  EXPECT_EQ(other.run.stopped->kind, FailureKind::kNotUnique);
  EXPECT_NE(other.run.stopped->message.find("gradient turns"), std::string::npos) << other.run.stopped->message;
}

TEST(When, StopsWhereTheGradientVanishesAsItBeginsToAct) {
  const Ran ran = run_of(std::string(kCarts) +
                         "constraint c: x*x' = y*y'\n    when t > 1\nstart x' = -1, x = 1, y = 2, y' = -2\nrun 2\n");
  ASSERT_TRUE(ran.run.stopped);
  EXPECT_EQ(ran.run.stopped->kind, FailureKind::kNotUnique);
  EXPECT_NE(ran.run.stopped->message.find("gradient is 0"), std::string::npos) << ran.run.stopped->message;
}

/// Runs that end at the instant at which the constraint begins or ceases to act: the change happens once, in the run
/// that ends there.
TEST(When, BeginsAndCeasesOnceInARunOfParts) {
  const auto bound = test_support::compiled(test_support::model_of_text(latch()));
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  options.tolerance = 1e-11;
  const Trajectory whole = simulate(dynamics, options);
  const double end = options.duration;
  std::size_t changes = 0, impulses = 0;
  std::optional<Sample> last;
  double t = 0.0;
  for (const double until : {1.0, 2.0, end}) {
    options.duration = until - t;
    Trajectory part;
    if (last) {
      Start start{last->t, last->q, last->u, last->z};
      start.followed = last;
      part = simulate(dynamics, start, options);
    } else {
      part = simulate(dynamics, options);
    }
    ASSERT_FALSE(part.stopped) << part.stopped->message;
    last = part.samples.back();
    t = until;
    changes += part.all<ActingChange>().size();
    impulses += part.all<Impulse>().size();
  }
  EXPECT_EQ(changes, whole.all<ActingChange>().size());
  EXPECT_EQ(impulses, whole.all<Impulse>().size());
  EXPECT_LT((last->q - whole.samples.back().q).norm(), 1e-10);
  EXPECT_LT((last->u - whole.samples.back().u).norm(), 1e-10);
}

}  // namespace when_test
}  // namespace vinculum::sim

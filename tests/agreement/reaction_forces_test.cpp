// Forces that are arbitrary functions of reactions. Generated code is compared with the pivoted solver and with closed
// forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace reaction_forces_test {

using equations::Formulation;

/// A puck on an air cushion. The table force N and the cushion's force 3 N^(1/3) together carry the weight of 14 N, so
/// N = 8 N. A brake force c N² acts along x.
const std::string kPuck = R"(model puck
frame N newtonian
point O fixed in N
param m = 1 [kg], c = 0.25 [1/N], k = 3 [N]
coord x, y [m]
particle P mass m at O + x*N.x + y*N.y
gravity -14 [m/s^2]*N.y
constraint table: y = 0
    nonideal on P = -c*multiplier(table)^2*N.x + k*(|multiplier(table)|/1 [N])^(1/3)*N.y
start x' = 40 [m/s]
run 2 [s] tolerance 1e-10
)";

/// A bead on a circle without gravity: the tension is T = m v²/r and the brake force k T v, so v' = −k v³/r.
const std::string kBead = R"(model bead
frame N newtonian
point O fixed in N
param m = 2 [kg], r = 0.5 [m], k = 0.1 [s/m]
coord x, y [m]
particle P mass m at O + x*N.x + y*N.y
constraint hoop: norm(pos(P, O)) = r
    nonideal on P = -k*|multiplier(hoop)|*vel(P)
start x = r, y = 0, y' = 3 [m/s]
run 4 [s] tolerance 1e-11
)";

/// Two discs of a clutch. Each torque increases with roots of both loads, and in turn changes the loads.
const std::string kCoupled = R"(model coupled
frame N newtonian
point O fixed in N
coord x1, y1, x2, y2 [m]
particle P mass 1 [kg] at O + x1*N.x + y1*N.y
particle Q mass 2 [kg] at O + x2*N.x + y2*N.y
gravity -9.81 [m/s^2]*N.y
spring P Q stiffness 30 [N/m] length 1 [m]
constraint left: y1 = 0.1*sin(x1/1 [m])*1 [m]
    nonideal on P = -0.4*multiplier(left)/sqrt(1 + (multiplier(left)/20 [N])^2)*tanh(dot(vel(P), N.x)/1 [m/s])*N.x
constraint right: y2 = 0.2*cos(x2/1 [m])*1 [m]
    nonideal on Q = -0.05*sqrt(1 [N^2] + multiplier(left)^2 + multiplier(right)^2)*vel(Q)/1 [m/s]
start x1 = 0, x2 = 1.5 [m], x1' = 2 [m/s], x2' = -1 [m/s]
run 3 [s] tolerance 1e-10
)";

sim::Trajectory run(const std::shared_ptr<const sim::Binding>& bound, Formulation formulation = Formulation::kExplicit,
                    const std::string& method = "") {
  sim::Dynamics dynamics(bound);
  sim::SimulateOptions options = sim::options_of(*bound->compiled->model);
  options.formulation = formulation;
  options.method = method;
  return sim::simulate(dynamics, options);
}

TEST(ReactionForces, HaveTheMotionsOfClosedForms) {
  const sim::Trajectory puck = run(test_support::compiled(test_support::model_of_text(kPuck)));
  ASSERT_FALSE(puck.stopped);
  EXPECT_NEAR(puck.end().q[0], 40.0 * 2.0 - 0.5 * 16.0 * 4.0, 1e-9);
  EXPECT_NEAR(puck.end().reaction.lambda()[0], 8.0, 1e-12);
  EXPECT_EQ(puck.counts.fallbacks, 0);
  const sim::Trajectory bead = run(test_support::compiled(test_support::model_of_text(kBead)));
  ASSERT_FALSE(bead.stopped);
  const double v = 1.0 / std::sqrt(1.0 / 9.0 + 2.0 * 0.1 * 4.0 / 0.5);
  EXPECT_NEAR(bead.end().u.norm(), v, 1e-9);
  EXPECT_NEAR(std::abs(bead.end().reaction.lambda()[0]), 2.0 * v * v / 0.5, 1e-8);
  EXPECT_EQ(bead.counts.fallbacks, 0);
}

TEST(ReactionForces, OfGeneratedCodeAreThoseOfThePivotedSolver) {
  for (const std::string& text : {kPuck, kBead, kCoupled}) {
    const auto bound = test_support::compiled(test_support::model_of_text(text));
    ASSERT_TRUE(bound->accelerations.kernel);
    sim::Dynamics generated(bound), pivoted(bound);
    pivoted.set_formulation(Formulation::kAugmented);
    Vector fast(bound->compiled->nq() + bound->compiled->nu()), sure = fast, y(fast.size());
    for (const sim::Sample& sample : run(bound).samples) {
      y << sample.q, sample.u;
      ASSERT_TRUE(generated.derivative(sample.t, y.data(), fast.data()));
      ASSERT_TRUE(pivoted.derivative(sample.t, y.data(), sure.data()));
      EXPECT_LT((fast - sure).norm(), 1e-11 * (1.0 + sure.norm())) << sample.t;
      EXPECT_LT((fast.tail(bound->compiled->nu()) - sample.reaction.u_dot()).norm(), 1e-11 * (1.0 + sure.norm()))
          << sample.t;
    }
    EXPECT_EQ(generated.mode().counts.fallbacks, 0);
  }
}

TEST(ReactionForces, MoveAlikeByEveryFormulationMethodAndBackEnd) {
  const auto model = test_support::model_of_text(kCoupled);
  const sim::Trajectory motion = run(test_support::compiled(model));
  ASSERT_FALSE(motion.stopped);
  const auto expect_same = [&](const sim::Trajectory& other, double by) {
    ASSERT_FALSE(other.stopped);
    EXPECT_LT((other.end().q - motion.end().q).norm(), by);
    EXPECT_LT((other.end().u - motion.end().u).norm(), by);
  };
  for (const Formulation formulation : {Formulation::kAugmented, Formulation::kMinimal})
    expect_same(run(test_support::compiled(model), formulation), 1e-8);
  expect_same(run(test_support::compiled(model), Formulation::kExplicit, "radau"), 1e-7);
  expect_same(run(test_support::compiled(model, codegen::Backend::kInterpreter)), 1e-300);
}

TEST(ReactionForces, WithSeveralAnswersEndTheRun) {
  // The equation N = 14 + 10 tanh(N − 10) has three solutions, near 4, 9.6 and 24.
  std::string text = kPuck;
  const std::string law = "k*(|multiplier(table)|/1 [N])^(1/3)*N.y";
  text.replace(text.find(law), law.size(), "10 [N]*tanh(10 - multiplier(table)/1 [N])*N.y");
  const sim::Trajectory motion = run(test_support::compiled(test_support::model_of_text(text)));
  ASSERT_TRUE(motion.stopped);
  EXPECT_EQ(motion.stopped->kind, FailureKind::kFrictionManySolutions);
}

}  // namespace reaction_forces_test
}  // namespace vinculum

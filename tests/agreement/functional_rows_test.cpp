#include <gtest/gtest.h>

#include <cmath>

#include "support/elaborate/elaborated.hpp"
#include "support/models.hpp"
#include "support/motion/test_models.hpp"
#include "vinculum/reaction_laws/laws.hpp"
#include "vinculum/run/simulate.hpp"

/// Relations that contain a state z' = g (theory.md §6.10), compared with the closed forms of models/functional_*.
namespace vinculum {
namespace functional_rows_test {

using model::StateId;

std::string particle(const std::string& more) {
  return "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 0.9 at O + x*N.x + "
         "y*N.y\ngravity "
         "-9.81*N.y\n" +
         more;
}

sim::Trajectory motion(const std::string& text,
                       equations::Formulation formulation = equations::Formulation::kExplicit) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  sim::Dynamics dynamics(bound);
  sim::SimulateOptions options = sim::options_of(*bound->compiled->model);
  options.formulation = formulation;
  sim::Trajectory run = sim::simulate(dynamics, options);
  return run;
}

// The rate z' = x x' of the state contains a velocity, so it contributes to the row's coefficients: A = (−x, 1), as for
// the parabola. A = (0, 1) would give another motion.
TEST(FunctionalRows, ARateWithVelocitiesCountsAsOneOfTheRow) {
  const std::string start = "start x = 0.7, y = 0.2, x' = -1.1\nrun 1 tolerance 1e-12\n";
  const sim::Trajectory run = motion(particle("state z' = x*x' start z = 0.2\nconstraint c: y - z = 0\n" + start));
  const sim::Trajectory parabola = motion(particle("constraint c: y - x^2/2 = 0.2 - 0.7^2/2\n" + start));
  ASSERT_FALSE(run.stopped || parabola.stopped);
  EXPECT_LT((run.end().q - parabola.end().q).norm(), 1e-9);
  EXPECT_LT((run.end().u - parabola.end().u).norm(), 1e-9);
  EXPECT_NEAR(run.end().reaction.lambda()[0], parabola.end().reaction.lambda()[0], 1e-8);
  EXPECT_LT((run.end().reaction.Q_c - parabola.end().reaction.Q_c).norm(), 1e-8);
  EXPECT_NEAR(run.end().q[0], -0.8098668343646223, 1e-9);  // from an integration of x alone with 30 digits
}

TEST(FunctionalRows, HaveOneMotionInEveryFormulation) {
  const std::string text = particle(
      "state z' = norm(vel(P)) start z = 0.1\nconstraint c: y - 0.3*sin(z) = 0\nstart x = 0, x' = 2\nrun 0.5 tolerance "
      "1e-12\n");
  const sim::Trajectory reference = motion(text);
  for (const auto form : {equations::Formulation::kAugmented, equations::Formulation::kMinimal}) {
    const sim::Trajectory run = motion(text, form);
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    EXPECT_LT((run.end().q - reference.end().q).norm(), 1e-9);
    EXPECT_LT((run.end().reaction.Q_c - reference.end().reaction.Q_c).norm(), 1e-7);
  }
}

// The hidden conditions x = cos t and x' = −sin t determine the start if it is free. If start statements contradict
// them, the error names the conditions.
TEST(FunctionalRows, HiddenConditionsHoldAtTheStart) {
  const std::string record = "state z' = x start z = 0.3\nconstraint record: z = 0.3 + sin(t)\n";
  const sim::Trajectory found = motion(particle(record + "start y = 0, y' = 0\nrun 0.5 tolerance 1e-12\n"));
  ASSERT_FALSE(found.stopped) << found.stopped->message;
  EXPECT_NEAR(found.start().q[0], 1.0, 1e-12);
  EXPECT_NEAR(found.end().q[0], std::cos(0.5), 1e-10);
  for (const char* held : {"start x = 0.5, y = 0\n", "start x' = 0.2, y = 0\n"}) {
    const sim::Trajectory missed = motion(particle(record + held + "run 0.5\n"));
    ASSERT_TRUE(missed.stopped) << held;
    EXPECT_EQ(missed.stopped->kind, FailureKind::kAssembly);
    EXPECT_NE(missed.stopped->message.find("record"), std::string::npos) << missed.stopped->message;
  }
  const sim::Trajectory state =
      motion(particle("state z' = x start z = 0.4\nconstraint record: z = 0.3 + sin(t)\nstart y = 0\nrun 0.5\n"));
  ASSERT_TRUE(state.stopped);
  EXPECT_EQ(state.stopped->kind, FailureKind::kAssembly);
}

TEST(FunctionalRows, HaveTheIdealLawOrThatOfHamilton) {
  const auto message = [](const std::string& clause, const std::string& state = "state z' = x start z = 0\n") {
    const elaborate::testing::Elaborated result =
        elaborate::testing::elaborated(particle(state + "constraint c: x' + z = 0\n    " + clause + "\nrun 1\n"));
    EXPECT_EQ(result.model, nullptr);
    return result.diagnostics.empty() ? std::string() : result.diagnostics[0].message;
  };
  for (const std::string law : {"kozlov c = 1 start mu = 0", "adiabatic mu = 1", "gyroscopic H = [0, 1; -1, 0]",
                                "viscous kappa = 1", "inertial kappa = 1"}) {
    EXPECT_EQ(message("law " + law),
              "`c` contains a state, which `law " + law.substr(0, law.find(' ')) + "` cannot keep");
  }
  EXPECT_EQ(message("via force on P along N.x"), "`c` contains a state, which `via` cannot keep");
  EXPECT_EQ(message("", "constraint d: y' = 0\nstate z' = multiplier(d) start z = 0\n"),
            "`c` contains the state `z`, whose rate depends on reactions");
}

TEST(FunctionalRows, NeedAccelerationsInADerivative) {
  const elaborate::testing::Elaborated result =
      elaborate::testing::elaborated(particle("state z' = -z start z = 1\nconstraint c: z = 0\nrun 1\n"));
  EXPECT_EQ(result.model, nullptr);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].message,
            "no force can keep `c`: accelerations do not enter it, nor its derivatives up to the fourth");
}

// λ belongs to the derivative of the relation that contains accelerations. Its unit is (W/s) divided by the unit of
// this derivative.
TEST(FunctionalRows, HaveMultipliersOfTheirOwnUnit) {
  const auto unit = [](const std::string& relation) {
    const elaborate::testing::Elaborated result = elaborate::testing::in_plane(
        "state z' = x start z = 0 [m*s]\nconstraint c: " + relation + "\noutput a = multiplier(c)\n");
    EXPECT_NE(result.model, nullptr) << result.messages;
    return result.model == nullptr ? Dimension{} : result.model->outputs.back().dimension;
  };
  EXPECT_EQ(unit("x' + z/(1 [s^2]) = 0"), make_dimension(1, 1, -2));              // differentiated once: W/(m/s)
  EXPECT_EQ(unit("y - z/(1 [s]) = 0"), make_dimension(1, 1, -2));                 // differentiated twice: J/m
  EXPECT_EQ(unit("z - sin(t/(1 [s]))*(1 [m*s]) = 0"), make_dimension(1, 1, -2));  // three times: J s/(m s)
}

}  // namespace functional_rows_test
}  // namespace vinculum

#include <gtest/gtest.h>

#include <string>

#include "support/elaborate/elaborated.hpp"

// Results over all speeds: ideal and non-ideal parts of the constraint force, free acceleration, Gauss' function
// (theory.md §4.4).
namespace vinculum::elaborate::testing {
namespace {

const std::string kRolling = "constraint c: x' = phi*y'\n    nonideal on P = -(1 [kg/s])*vel(P)\n";

TEST(SplitResults, AreListsOverTheSpeedsWithUnits) {
  const Elaborated result = in_plane(kRolling +
                                     "output a = Q_ideal\noutput b = free_acceleration\noutput c1 = departure(c)\n"
                                     "output d = gauss\noutput e = generalized_nonideal_force(c)[3]\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  const auto& outputs = result.model->outputs;
  EXPECT_EQ(outputs[0].components.size(), 3U);
  EXPECT_EQ(outputs[1].components.size(), 3U);
  EXPECT_EQ(outputs[2].dimension, make_dimension(0, 1, -2));  // residual of a row in m/s
  EXPECT_EQ(outputs[3].dimension, make_dimension(1, 2, -4));  // J/s^2
  EXPECT_EQ(outputs[4].dimension, make_dimension(1, 2, -2));  // torque on phi
}

TEST(SplitResults, OfOneConstraintAreThoseOfItsIdealLaw) {
  expect_message("constraint c: x' = phi*y'\n    law vakonomic start mu = 1\noutput a = generalized_ideal_force(c)\n",
                 "what `c` exerts under its law, vakonomic, is not split into an ideal and a non-ideal part");
  expect_message(
      "constraint c: x' = phi*y'\n    law viscous kappa = 1 [kg/s]\noutput a = generalized_nonideal_force(c)\n",
      "`c` has a law that approximates it, and such a force has no ideal part");
}

TEST(SplitResults, WantARow) {
  expect_message("constraint c: x' = phi*y'\n    law viscous kappa = 1 [kg/s]\noutput a = departure(c)\n",
                 "`c` has no row in A u' = b under its law, viscous: nothing that the free acceleration could miss");
  expect_message("constraint c: x'' = phi''*(1 [m])\n    law vakonomic start mu = 0, mu' = 0\noutput a = Q_ideal\n",
                 "`Q_ideal` is not there in a model with `c`: a constraint of higher order has no row in A u' = b");
}

TEST(SplitResults, AreForResultsAlone) {
  expect_message("constraint c: x' = phi*y'\n    nonideal on x = -Q_ideal[1]\n",
                 "`Q_ideal` cannot be used in a `nonideal` clause");
  expect_message("force on P = gauss/(1 [W])*(1 [m*s/s])*N.x\n", "`gauss` cannot be used in a load");
}

}  // namespace
}  // namespace vinculum::elaborate::testing

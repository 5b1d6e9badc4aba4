#include <gtest/gtest.h>

#include <string>

#include "support/elaborate/elaborated.hpp"

namespace vinculum::elaborate::testing {
namespace {

const model::State& only_state(const Elaborated& result) {
  static const model::State none;
  if (result.model == nullptr || result.model->states.empty()) {
    ADD_FAILURE() << result.messages;
    return none;
  }
  return result.model->states[0];
}

TEST(State, HasTheUnitOfItsStart) {
  const Elaborated result = in_plane("state z' = -z/(2 [s]) start z = 3 [mm]\noutput a = z\n");
  const model::State& z = only_state(result);
  EXPECT_EQ(z.dimension, make_dimension(0, 1, 0));
  EXPECT_EQ(value_of(*result.model, z.start), 0.003);
  EXPECT_EQ(result.model->outputs[0].dimension, make_dimension(0, 1, 0));
  EXPECT_EQ(result.model->outputs[0].value.kind(), model::TermKind::kState);
}

TEST(State, HasTheUnitThatItsRateAsksFor) {
  EXPECT_EQ(only_state(in_plane("state z' = (x - z)/(2 [s])\n")).dimension, make_dimension(0, 1, 0));
  EXPECT_EQ(only_state(in_plane("state z' = -z/(2 [s]) start z = 1\n")).dimension, Dimension{});
  // The rates depend on each other; the second one determines the dimension of both states.
  const Elaborated pair = in_plane("state z' = w/(1 [s])\nstate w' = (x - z)/(1 [s])\n");
  ASSERT_NE(pair.model, nullptr) << pair.messages;
  EXPECT_EQ(pair.model->states[0].dimension, make_dimension(0, 1, 0));
  EXPECT_EQ(pair.model->states[1].dimension, make_dimension(0, 1, 0));
}

TEST(State, ActsInLoadsAndTakesItsStartFromAStatementToo) {
  const Elaborated result = in_plane(
      "state z' = 2 [N/s]\n"
      "force on P = z*N.x\n"
      "generalized force on phi = -z*L\n"
      "start z = 5\n");
  const model::State& z = only_state(result);
  EXPECT_TRUE(z.is_start_stated);
  EXPECT_EQ(value_of(*result.model, z.start), 5.0);
  EXPECT_EQ(result.model->loads.size(), 2U);
}

TEST(State, HasNoPlaceInPotentials) {
  expect_message("state z' = x/(1 [s])\npotential 1 [N]*z\n",
                 "`z` contains a state, but a potential may contain only coordinates, parameters and `t`");
  expect_message("state z' = x''*(1 [s])\n",
                 "`x''` is of acceleration level, but the rate of state `z` may contain only coordinates, speeds, "
                 "states, parameters and `t`");
  expect_message("state z' = x/(1 [s]) start z = 1 [m]\nstart z = 2\n", "`z` has two start values");
  expect_message("state z' = x/(1 [s])\nstart z ~ 2\n",
                 "the start of a state is stated by `=`, because nothing could change a guess");
}

TEST(Lagrangian, NeedsNoFrame) {
  const Elaborated result = elaborated("model m\ncoord x\nlagrangian x'^2/2 - x^2/2\noutput a = energy\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  EXPECT_EQ(result.messages, "");
  ASSERT_EQ(result.model->loads.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<model::LagrangianFunction>(result.model->loads[0].what));
  model::Instant at;
  at.q = {0.3};
  at.q_dot = {1.1};
  at.q_ddot = {0.0};
  EXPECT_NEAR(model::TermValues(*result.model, at).scalar(result.model->outputs[0].value).value, (1.21 + 0.09) / 2,
              1e-9);
}

TEST(Lagrangian, IsAnEnergyOfVelocityLevel) {
  const Elaborated of_unit = in_plane("lagrangian x'^2\n");
  ASSERT_EQ(of_unit.diagnostics.size(), 1U) << of_unit.messages;
  EXPECT_EQ(of_unit.diagnostics[0].kind, diag::Kind::kDimensionMismatch);
  expect_message(
      "lagrangian (1 [kg])*x*x''\n",
      "`x''` is of acceleration level, but a Lagrangian may contain only coordinates, speeds, parameters and `t`");
  expect_message("lagrangian (1 [kg])*x'^2/2\noutput a = kinetic_energy\n",
                 "`kinetic_energy` has no meaning in a model with a `lagrangian`, which is not split into kinetic and "
                 "potential energy");
}

TEST(Lagrangian, TakesSpeedsByTheirDefinition) {
  const Elaborated result = in_plane("speed u = 2*x'\nlagrangian (1 [kg])*u^2/2\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  const auto& lagrangian = std::get<model::LagrangianFunction>(result.model->loads[0].what);
  EXPECT_NEAR(value_of(*result.model, lagrangian.L), 0.5 * 2.2 * 2.2, 1e-12);  // x' = 1.1
}

}  // namespace
}  // namespace vinculum::elaborate::testing

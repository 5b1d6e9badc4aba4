#include <gtest/gtest.h>

#include <string>

#include "support/elaborate/elaborated.hpp"
#include "vinculum/model/calculus.hpp"

// Reaction laws in model texts: their effect on the model, and the rows that they require. theory.md §6.3, 6.4, 6.6,
// 6.8.
namespace vinculum::elaborate::testing {
namespace {

/// The text of the law as the model gives it; the messages if there is no model.
std::string law_of(const std::string& clause, const std::string& relation = "x' = phi*y'") {
  const Elaborated result = in_plane("constraint c: " + relation + "\n    " + clause + "\n");
  return result.model == nullptr ? result.messages : result.model->constraints[0].law->text(*result.model);
}

TEST(LawVakonomic, BringsAMultiplierOfItsOwnUnit) {
  const Elaborated result = in_plane(
      "constraint c: x' = phi*y'\n    law vakonomic start mu = 2*n*(1 [kg*m/s])\noutput a = multiplier(c)\noutput b = "
      "ideal_multiplier(c)\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  EXPECT_EQ(result.messages, "");
  const model::Law& law = *result.model->constraints[0].law;
  EXPECT_EQ(law.word(), "vakonomic");
  ASSERT_EQ(law.mu().size(), 1U);
  ASSERT_EQ(law.mu()[0].size(), 1U);
  const model::State& mu = result.model->states[law.mu()[0][0].index()];
  EXPECT_EQ(mu.name, "mu(c)");
  EXPECT_FALSE(mu.rate.is_valid());
  EXPECT_EQ(value_of(*result.model, mu.start), 4.0);
  // mu F is added to the Lagrangian, so mu is in J/(m/s). lambda F is a power, so lambda is in W/(m/s).
  EXPECT_EQ(mu.dimension, make_dimension(1, 1, -1));
  EXPECT_EQ(result.model->outputs[0].dimension, make_dimension(1, 1, -1));
  EXPECT_EQ(result.model->outputs[1].dimension, make_dimension(1, 1, -2));
}

TEST(LawVakonomic, SaysThatItsMultiplierStartsAtZero) {
  const Elaborated result = in_plane("constraint c: x' = phi*y'\n    law vakonomic\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  EXPECT_EQ(
      result.messages,
      "m.vin:8:5: notice: the multiplier of `c` starts at 0: under this law the motion depends on it [unstated-start]\n"
      "  8 |     law vakonomic\n"
      "    |     ^^^^^^^^^^^^^\n"
      "  hint: add it to the clause `law`: `start mu = 0`\n");
  EXPECT_FALSE(result.model->states[0].is_start_stated);
  EXPECT_EQ(in_plane("constraint c: x = y\n    law vakonomic\n").messages, "");  // mu has no effect here
}

TEST(LawVakonomic, HasAStartForEachRow) {
  expect_message("constraint c: vel(P) = 0 along N.x, N.y\n    law vakonomic start mu = 1\n",
                 "`mu` has one value for each row: `c` has 2 rows, and there is 1 value");
  expect_message("constraint c: x' = phi*y'\n    law vakonomic start mu = 1 [N]\n",
                 "the start of `mu` must be in kg*m/s, found N");
}

TEST(LawVakonomic, OfAccelerationsHasStatesForTheDerivativesOfMu) {
  const Elaborated result = in_plane(
      "constraint c: x''' = phi*y'''\n    law vakonomic start mu = 1, mu' = 2, mu'' = 3*n*(1 [kg*m/s])\noutput a = "
      "multiplier(c)\noutput b = ideal_multiplier(c)\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  EXPECT_EQ(result.messages, "");
  EXPECT_EQ(result.model->constraints[0].level, model::Level::kThird);
  const auto of_law = result.model->constraints[0].law->mu();
  ASSERT_EQ(of_law.size(), 3U);
  const model::State& last = result.model->states[of_law[2][0].index()];
  EXPECT_EQ(last.name, "mu(c)''");
  EXPECT_EQ(value_of(*result.model, last.start), 6.0);
  // mu F is added to the Lagrangian, so mu is in J/(m/s^3). Each prime of mu divides its unit by a second.
  EXPECT_EQ(result.model->states[of_law[0][0].index()].dimension, make_dimension(1, 1, 1));
  EXPECT_EQ(last.dimension, make_dimension(1, 1, -1));
  EXPECT_EQ(result.model->outputs[0].dimension, make_dimension(1, 1, 1));
  EXPECT_EQ(result.model->outputs[1].dimension, make_dimension(1, 1, -2));  // mu''' is a force here
}

TEST(LawVakonomic, SaysWhichDerivativesOfMuStartAtZero) {
  const Elaborated result = in_plane("constraint c: x'' = phi*y''\n    law vakonomic start mu' = 1\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  ASSERT_EQ(result.diagnostics.size(), 1U) << result.messages;
  EXPECT_EQ(result.diagnostics[0].message, "`mu` of `c` starts at 0: under this law the motion depends on it");
  EXPECT_EQ(result.diagnostics[0].hint, "add them to the clause `law`: `start mu = 0, mu' = 0`");
  EXPECT_EQ(in_plane("constraint c: x''' = phi*y'''\n    law vakonomic start mu = 1\n").diagnostics[0].message,
            "`mu'`, `mu''` of `c` start at 0: under this law the motion depends on them");
}

TEST(LawVakonomic, HasNoStartOfWhatTheMotionDetermines) {
  expect_message("constraint c: x'' = phi*y''\n    law vakonomic start mu = 1, mu' = 1, mu'' = 2\n",
                 "`mu''` has no start value: it follows from the motion");
  expect_message("constraint c: x' = phi*y'\n    law vakonomic start mu = 1, mu' = 1\n",
                 "`mu'` has no start value: it follows from the motion");
  expect_message("constraint c: x'' = phi*y''\n    law vakonomic start mu = 1, mu' = 1 [N]\n",
                 "the start of `mu'` must be in kg*m/s, found N");
}

TEST(LawVakonomic, HasRowsOfOneLevelAboveThatOfVelocities) {
  expect_message("constraint c: [x'', y'] = [y, x]/(1 [s^2])\n    law vakonomic start mu = 0, 0, mu' = 0, 0\n",
                 "entry 2 of the two sides of constraint `c` differs in dimension");
  expect_message("constraint c: [x'', y'] = [y/(1 [s^2]), x/(1 [s])]\n    law vakonomic start mu = 0, 0\n",
                 "`law vakonomic` needs rows of acceleration level, `c` is of velocity level");
  expect_message("constraint c: x'' = phi*y''\n    law kozlov c = 3 [1/s] start mu = 0\n",
                 "`law kozlov` needs rows of position or velocity level, `c` is of acceleration level");
}

TEST(LawKozlov, HasARate) {
  EXPECT_EQ(law_of("law kozlov c = 3 [1/s] start mu = 0"), "law kozlov c = 3 start mu = 0");
  EXPECT_EQ(law_of("law kozlov c = 0 start mu = 0"), "law kozlov c = 0 start mu = 0");
  for (const std::string c : {"-3 [1/s]", "-n/(2 [s])"}) {
    expect_message("constraint c: x' = phi*y'\n    law kozlov c = " + c + " start mu = 0\n",
                   "`c` must not be negative: the multiplier decays at this rate");
  }
}

TEST(LawAdiabatic, TakesMultipliersOfTheState) {
  EXPECT_EQ(law_of("law adiabatic mu = 3 [kg]*x'"), "law adiabatic mu = 3*x'");
}

TEST(LawAdiabatic, NamesTheTermThatIsFreeOfVelocities) {
  expect_message("constraint c: x' = phi*y' + 2 [m/s]*cos(phi)\n    law adiabatic mu = 3\n",
                 "`law adiabatic` needs rows homogeneous in the velocities: `2 [m/s]*cos(phi)` is free of them");
  expect_message("constraint c: x'' = y''\n    law adiabatic mu = 3\n",
                 "`law adiabatic` needs rows of position or velocity level, `c` is of acceleration level");
}

TEST(LawAdiabatic, OfPositionsIsSaidToEqualTheIdealOne) {
  const Elaborated result = in_plane("constraint c: x = y\n    law adiabatic mu = 3\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  ASSERT_EQ(result.diagnostics.size(), 1U) << result.messages;
  EXPECT_EQ(result.diagnostics[0].kind, diag::Kind::kLawWithoutEffect);
  EXPECT_EQ(result.diagnostics[0].severity, diag::Severity::kNotice);
  EXPECT_EQ(result.diagnostics[0].message,
            "`c` is of position level, where `law adiabatic` equals `law ideal`, whatever its multiplier");
}

TEST(LawsOfDeadReactions, TakeNoPositionsThatTheTimeMoves) {
  const std::string moved = "needs rows that the time alone does not change, `c` is moved by it";
  expect_message("constraint c: x = y + 2 [m/s]*t\n    law adiabatic mu = 3\n", "`law adiabatic` " + moved);
  expect_message("constraint c: x = L*cos(t/(1 [s]))\n    law gyroscopic H = [0, 1, 0; -1, 0, 0; 0, 0, 0]*(1 [kg/s])\n",
                 "`law gyroscopic` " + moved);
}

TEST(LawGyroscopic, TakesASkewMatrixOfTheCoordinates) {
  EXPECT_EQ(law_of("law gyroscopic H = [0, 2*x, 0; -2*x, 0, 0; 0, 0, 0]*(3 [kg/s/m])"),
            "law gyroscopic H = [0, 6*x, 0; -6*x, 0, 0; 0, 0, 0]");
  EXPECT_EQ(law_of("law gyroscopic H = [0, 1, 0; -1, 0, 0; 0, 0, 0]*(3 [kg/s])", "x^2 + y^2 = L^2"),
            "law gyroscopic H = [0, 3, 0; -3, 0, 0; 0, 0, 0]");
  expect_message("constraint c: x' = phi*y'\n    law gyroscopic H = [0, 1; -1, 0]*(1 [kg/s])\n",
                 "the matrix of `law gyroscopic` has a row and a column for each of the 3 coordinates, found 2 by 2");
  expect_message("constraint c: x' = phi*y'\n    law gyroscopic H = [0, 1, 0; 1, 0, 0; 0, 0, 0]*(1 [kg/s])\n",
                 "the matrix of `law gyroscopic` is skew, its entries 2, 1 and 1, 2 are not opposite");
  const Elaborated of_unit =
      in_plane("constraint c: x' = phi*y'\n    law gyroscopic H = [0, 1, 0; -1, 0, 0; 0, 0, 0]*(1 [kg])\n");
  ASSERT_EQ(of_unit.diagnostics.size(), 1U) << of_unit.messages;
  EXPECT_EQ(of_unit.diagnostics[0].kind, diag::Kind::kDimensionMismatch);
}

TEST(LawOfARealisation, HasAPositiveConstantOfItsUnit) {
  EXPECT_EQ(law_of("law stiff kappa = 100 [N/m]", "x = y"), "law stiff kappa = 100");
  EXPECT_EQ(law_of("law viscous kappa = 100 [kg/s]"), "law viscous kappa = 100");
  EXPECT_EQ(law_of("law inertial kappa = 100 [kg]"), "law inertial kappa = 100");
  expect_message("constraint c: x = y\n    law stiff kappa = -1\n", "`kappa` must be positive");
  expect_message("constraint c: x = y\n    law viscous kappa = 1\n",
                 "`law viscous` needs rows of velocity level, `c` is of position level");
  expect_message("constraint c: x' = y'\n    law stiff kappa = 1\n",
                 "`law stiff` needs rows of position level, `c` is of velocity level");
  expect_message("constraint c: [x, phi] = 0\n    law stiff kappa = 1\n",
                 "rows of `c` differ in dimension, so one `kappa` does not suit them all");
}

TEST(Law, OfAnotherKindTakesNoNonidealClause) {
  expect_message("constraint c: x' = phi*y'\n    law vakonomic start mu = 0\n    nonideal on P = -1 [N]*N.x\n",
                 "a `nonideal` clause is allowed only with the ideal law");
}

TEST(Results, OfEveryLawButTheGyroscopicOneHavePoints) {
  for (const std::string clause : {"law vakonomic start mu = 0", "law kozlov c = 1 start mu = 0",
                                   "law adiabatic mu = 1", "law inertial kappa = 1", "law viscous kappa = 1"}) {
    EXPECT_NE(in_plane("constraint c: dot(vel(P), N.x) = 0\n    " + clause +
                       "\noutput a = force(c, P)\noutput b = reaction(c, P)\n")
                  .model,
              nullptr)
        << clause;
  }
  expect_message(
      "let k = 1 [kg/s]\nconstraint c: dot(vel(P), N.x) = 0\n    law gyroscopic H = [0, k, 0; -k, 0, 0; 0, 0, "
      "0]\noutput a = force(c, P)\n",
      "under its law the reaction of `c` acts on the coordinates, not at a point");
  expect_message("constraint c: dot(vel(P), N.x) = 0\n    law viscous kappa = 1\noutput a = ideal_force(c, P)\n",
                 "`c` has a law that approximates it, and such a force has no ideal part");
  EXPECT_NE(in_plane("constraint c: dot(pos(P, O), N.x) = 0\n    law vakonomic\noutput a = force(c, P)\n").model,
            nullptr);
}

TEST(Friction, IsShortForANonidealClause) {
  const std::string row = "constraint c: norm(pos(P, O)) = L\n    ";
  const Elaborated shorter = in_plane(row + "friction on P mu = 0.2 static 0.3\n");
  const Elaborated longer = in_plane(row + "nonideal on P = -0.2*norm(reaction(c, P))*unit(vel(P))\n");
  ASSERT_NE(shorter.model, nullptr) << shorter.messages;
  ASSERT_NE(longer.model, nullptr) << longer.messages;
  const auto text_of = [](const model::Model& model) {
    return model::to_text(model, std::get<model::ForceOn>(model.constraints[0].nonideal[0].stated).force);
  };
  EXPECT_EQ(text_of(*shorter.model), text_of(*longer.model));
  ASSERT_EQ(shorter.model->slides.size(), 1U);
  ASSERT_EQ(longer.model->slides.size(), 1U);
  EXPECT_FALSE(longer.model->slides[0].static_ratio.is_valid());
  EXPECT_NEAR(value_of(*shorter.model, shorter.model->slides[0].static_ratio), 1.5, 1e-15);
}

TEST(Friction, AsksForAVelocityAndForCoefficients) {
  const std::string row = "constraint c: norm(pos(P, O)) = L\n    ";
  expect_message(row + "friction on P mu = 0.2 sliding pos(P, O)\n", "the velocity of sliding contains no velocity");
  expect_message(row + "friction on O mu = 0.2\n", "no coordinate moves `O`, so a force on it has no effect");
  EXPECT_NE(in_plane(row + "friction on P mu = 0.2 [m]\n").messages.find("coefficient of friction"), std::string::npos);
  expect_message("constraint c: x = y\n    friction on P mu = 0.2\n", "constraint `c` puts no force on `P`");
}

TEST(Nonideal, MayHoldTheActualReaction) {
  const Elaborated result = in_plane(
      "constraint c: dot(vel(P), N.y) = 0\n"
      "    nonideal on P = -0.2*norm(reaction(c, P))*N.x\n"
      "let R = norm(ideal_force(c, P)) + |multiplier(c)|\n"
      "constraint d: phi = 0\n"
      "    nonideal on P = -0.1*R*N.x\n");
  ASSERT_NE(result.model, nullptr) << result.messages;
  EXPECT_EQ(result.model->constraints[0].nonideal.size(), 1U);
  expect_message(
      "constraint c: dot(vel(P), N.y) = 0\n    nonideal on P = -0.2*norm(force(c, P))*N.x\n",
      "`force` cannot be used in a `nonideal` clause, because it contains the forces that such clauses state");
}

}  // namespace
}  // namespace vinculum::elaborate::testing

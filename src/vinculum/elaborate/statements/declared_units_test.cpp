#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"
#include "vinculum/model/unit_texts.hpp"

// Units in declarations, and messages about missing units. The texts begin on line 7, after the statements of a plane,
// a particle P and the coordinates x, y, phi.
namespace vinculum::elaborate {
namespace {

std::vector<std::string> places_and_messages(const std::string& text) {
  std::vector<std::string> result;
  const auto elaborated = testing::in_plane(text);
  for (const diag::Diagnostic& one : elaborated.diagnostics) result.push_back(one.message + "|" + one.hint);
  return result;
}

using Messages = std::vector<std::string>;

TEST(DeclaredUnits, AreKeptAsWrittenWithTheirSiUnits) {
  const auto result = testing::in_plane(
      "coord r [mm], a [deg]\nparam k = 3 [kN*mm], w = 30 [rpm], c = 2 [lbf*in/rad], p = 5 [percent], d = 2*w\n"
      "particle Q mass 1 [kg] at O + r*cos(a)*N.x + r*sin(a)*N.y\n");
  ASSERT_TRUE(result.model) << result.messages;
  const auto& parameters = result.model->parameters;
  const auto unit = [&](const auto& quantity) { return model::unit_of(*result.model, quantity); };
  EXPECT_EQ(unit(result.model->coordinates[3]), (UnitText{"m", "mm", 1e-3}));
  EXPECT_EQ(unit(result.model->speeds[4]).shown, "deg/s");
  EXPECT_EQ(unit(result.model->speeds[4]).si, "rad/s");
  const std::pair<const char*, const char*> texts[] = {{"m/s^2", "m/s^2"}, {"", ""},          {"mm", "m"},
                                                       {"kN*mm", "N*m"},   {"rpm", "rad/s"},  {"lbf*in/rad", "N*m/rad"},
                                                       {"percent", ""},    {"rad/s", "rad/s"}};
  ASSERT_EQ(parameters.size(), std::size(texts));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_EQ(unit(parameters[i]).shown, texts[i].first) << parameters[i].name;
    EXPECT_EQ(unit(parameters[i]).si, texts[i].second) << parameters[i].name;
  }
}

TEST(DeclaredUnits, AreThoseOfAnOutputThatIsAVariableOrAList) {
  const auto result = testing::in_plane(
      "coord a [deg]\nlagrangian 1 [kg*m^2]*a'^2/2\nconstraint c: [x, phi] = 0\n"
      "output q = a\noutput v = a'\noutput l = multiplier(c)\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_EQ(units_of(*result.model, result.model->outputs[0])[0].shown, "deg");
  EXPECT_EQ(units_of(*result.model, result.model->outputs[1])[0].shown, "deg/s");
  ASSERT_EQ(units_of(*result.model, result.model->outputs[2]).size(), 2u);
  EXPECT_EQ(units_of(*result.model, result.model->outputs[2])[0].shown, "N");
  EXPECT_EQ(units_of(*result.model, result.model->outputs[2])[1].shown, "N*m");
}

TEST(DeclaredUnits, AreThoseOfStatesAndInputs) {
  const auto result = testing::in_plane(
      "state u [N*m] every 5 [ms] = 2 [N*m]\nstate w [deg] every 5 [ms] = phi\ninput F [kN] = 2 [kN]\n"
      "state s' = x'\noutput o = u\n");
  ASSERT_TRUE(result.model) << result.messages;
  std::vector<std::pair<std::string, std::string>> units;
  for (const model::State& one : result.model->states) units.emplace_back(one.name, unit_of(*result.model, one).shown);
  EXPECT_EQ(units, (std::vector<std::pair<std::string, std::string>>{
                       {"u", "N*m"}, {"w", "deg"}, {"F", "kN"}, {"rate(F)", "kN/s"}, {"s", "m"}}));
  EXPECT_EQ(units_of(*result.model, result.model->outputs[0])[0].shown, "N*m");
}

TEST(DeclarationWithoutUnit, IsBlamedOnceForAllThatFollows) {
  EXPECT_EQ(places_and_messages("param G = 9.81\ngravity -G*N.y\npotential 1 [kg]*G*y\n"),
            (Messages{"parameter `G` is declared without a unit|declare it with one: `G = 9.81 [m/s^2]`"}));
  EXPECT_EQ(places_and_messages("coord a, b\npoint Q = O + a*N.x + b*N.y\nconstraint c: a^2 + b^2 = L^2\n"
                                "start a = 1 [m], b = 2 [m]\n"),
            (Messages{"coordinate `a` is declared without a unit|declare it with one: `coord a [m]`"}));
  EXPECT_EQ(places_and_messages("coord a\nconstraint c: a^2 = L^2\n"),
            (Messages{"coordinate `a` is declared without a unit|declare it with one: `coord a […]`"}));
}

TEST(DeclarationWithoutUnit, IsNotBlamedWhereItMayBeRight) {
  EXPECT_EQ(places_and_messages("param h = 0.5, k = 0.25\nforce on P = h*k*N.x\n"),
            (Messages{"a force must be in N, found dimensionless|"}));  // either could be meant
  EXPECT_EQ(places_and_messages("potential n*L\n"),
            (Messages{"a potential must be in J, found m|give `n` its unit: `n = 2 [N]`"}));  // n may be a number
  EXPECT_EQ(places_and_messages("force on P = L*N.x\n"), (Messages{"a force must be in N, found m|"}));
}

TEST(BareAngle, IsWarnedOfBesideDegrees) {
  const std::string a = "coord a [deg]\nlagrangian 1 [kg*m^2]*a'^2/2\n";
  const std::string warned = "this number is in rad, though `a` is declared in deg|write `";
  EXPECT_EQ(places_and_messages(a + "constraint c: a = 90\n"), (Messages{warned + "90 [deg]`, or `[rad]`"}));
  EXPECT_EQ(places_and_messages(a + "output e = sin(a - 45)\n"), (Messages{warned + "45 [deg]`, or `[rad]`"}));
  EXPECT_EQ(places_and_messages(a + "output e = 1 if -a > -2 else 0\n"), (Messages{warned + "-2 [deg]`, or `[rad]`"}));
  EXPECT_EQ(places_and_messages(a + "constraint c: a = 0\nstart a = 90\noutput e = phi - 1\n"), Messages{});
}

TEST(InverseFunction, ThatCannotTakeTheValueIsAContradiction) {
  EXPECT_EQ(places_and_messages("constraint c: atan2(y, x) = 4\n"),
            (Messages{"constraint `c` can never be true: `atan2` is between -pi and pi, not 4|angles differ by whole "
                      "turns: take `sin` and `cos` of them, or a number in that range"}));
  EXPECT_EQ(places_and_messages("constraint c: atan2(y, x) = 200 [deg]\n").size(), 1u);
  EXPECT_EQ(places_and_messages("constraint c: atan2(y, x) = 3\n"), Messages{});
}

TEST(ForeignWords, AreToldTheWordOfThisLanguage) {
  const auto hint = [](const std::string& expression) {
    const auto result = testing::in_plane("output e = " + expression + "\n");
    return result.diagnostics.size() == 1 ? result.diagnostics[0].hint : result.messages;
  };
  EXPECT_EQ(hint("x_dot"), "the time derivative of `x` is `x'`");
  EXPECT_EQ(hint("dx/dt"), "the time derivative of `x` is `x'`");
  EXPECT_EQ(hint("x.dot"), "the time derivative of a coordinate x is `x'`, the second `x''`");
  EXPECT_EQ(hint("lambda(P)"), "the multiplier of a constraint c is `multiplier(c)`");
  EXPECT_EQ(hint("PI"), "the circle's number is `pi`");
  EXPECT_EQ(hint("p"), "did you mean `P`?");
  EXPECT_EQ(hint("wdot"), "") << "there is no `w`";
}

}  // namespace
}  // namespace vinculum::elaborate

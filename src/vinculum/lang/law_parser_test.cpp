#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "support/lang/parsed.hpp"
#include "vinculum/lang/format.hpp"

namespace vinculum::lang {
namespace {

template <class Law = LawClause>
Law law_of(const std::string& text) {
  auto constraint = only<ConstraintStatement>("constraint c: x = 0\n    " + text + "\n");
  EXPECT_EQ(constraint.clauses.size(), 1U);
  if (constraint.clauses.size() != 1U || !std::holds_alternative<Law>(constraint.clauses[0].what)) {
    ADD_FAILURE() << text;
    return {};
  }
  return std::get<Law>(std::move(constraint.clauses[0].what));
}

TEST(LawVakonomic, HasAStartForEachRowOrNone) {
  EXPECT_TRUE(law_of("law vakonomic").arguments.empty());
  const auto started = law_of("law vakonomic start mu = 1 + a, -2 [J*s/m]");
  ASSERT_EQ(started.arguments.at(0).values.size(), 2U);
  EXPECT_EQ(format(*started.arguments[0].values[0]), "1 + a");
  EXPECT_EQ(law_of("law vakonomic\n        start mu = 1").arguments.size(), 1U);  // start on its own line
}

TEST(LawVakonomic, HasStartsOfTheDerivativesOfMu) {
  const auto started = law_of("law vakonomic start mu = 1, 2*mu, mu' = 3, 4, mu'' = 5, 6");
  ASSERT_EQ(started.arguments.size(), 3U);
  EXPECT_EQ(started.arguments[0].values.size(), 2U);  // `mu` without `=` is the name of a parameter
  EXPECT_EQ(started.arguments[2].order, 2);
  EXPECT_EQ(format(*started.arguments[2].values[1]), "6");
  const auto later = law_of("law vakonomic start mu' = 1");
  ASSERT_EQ(later.arguments.size(), 1U);
  EXPECT_EQ(later.arguments[0].order, 1);
  EXPECT_EQ(diagnosed("constraint c: x = 0\n    law vakonomic start mu' = 1, mu = 2\n"),
            "m.vin:2:34: error: `mu` and its derivatives are given in ascending order, each once [unexpected-token]\n"
            "  2 |     law vakonomic start mu' = 1, mu = 2\n"
            "    |                                  ^^\n");
}

TEST(LawKozlov, HasARateAndAStart) {
  const auto kozlov = law_of("law kozlov c = 2/tau start mu = 1, 3");
  ASSERT_EQ(kozlov.arguments.size(), 2U);
  EXPECT_EQ(format(*kozlov.arguments[0].values[0]), "2/tau");
  EXPECT_EQ(kozlov.arguments[1].values.size(), 2U);
  EXPECT_EQ(diagnosed("constraint c: x = 0\n    law kozlov 2\n"),
            "m.vin:2:16: error: expected `c`, found `2` [unexpected-token]\n"
            "  2 |     law kozlov 2\n"
            "    |                ^\n"
            "  hint: write `law kozlov c = EXPR [start mu = EXPR, ...]`\n");
}

TEST(LawAdiabatic, GivesMultipliers) {
  EXPECT_EQ(law_of("law adiabatic mu = x, 2*t").arguments.at(0).values.size(), 2U);
}

TEST(LawGyroscopic, GivesAMatrix) {
  EXPECT_EQ(format(*law_of("law gyroscopic H = [0, 1; -1, 0]").arguments.at(0).values[0]), "[0, 1; -1, 0]");
}

TEST(Friction, HasACoefficientAndMayStateTheRest) {
  const auto plain = law_of<FrictionClause>("friction on P mu = 0.2");
  EXPECT_EQ(plain.target.text, "P");
  EXPECT_EQ(format(*plain.mu), "0.2");
  EXPECT_TRUE(plain.static_mu == nullptr && plain.sliding == nullptr && !plain.from);
  const auto whole = law_of<FrictionClause>("friction on P mu = a/2 sliding vel(P) - v*N.x from Q static a");
  EXPECT_EQ(format(*whole.static_mu), "a");
  EXPECT_EQ(format(*whole.sliding), "vel(P) - v*N.x");
  EXPECT_EQ(whole.from->text, "Q");
  EXPECT_EQ(diagnosed("constraint c: x = 0\n    friction on P 0.2\n"),
            "m.vin:2:19: error: expected `mu`, found `0.2` [unexpected-token]\n"
            "  2 |     friction on P 0.2\n"
            "    |                   ^^^\n"
            "  hint: write `friction on P mu = EXPR [static EXPR] [from Q] [sliding VEC]`\n");
}

TEST(LawOfARealisation, GivesItsParameter) {
  for (const std::string kind : {"stiff", "viscous", "inertial"}) {
    const auto realised = law_of("law " + kind + " kappa = 1e4 [N/m]");
    EXPECT_EQ(realised.law.text, kind);
    EXPECT_EQ(format(*realised.arguments.at(0).values[0]), "1e4 [N/m]");
  }
  EXPECT_EQ(diagnosed("constraint c: x = 0\n    law stiff k = 2\n"),
            "m.vin:2:15: error: expected `kappa`, found `k` [unexpected-token]\n"
            "  2 |     law stiff k = 2\n"
            "    |               ^\n"
            "  hint: write `law stiff kappa = EXPR`\n");
}

TEST(Law, StandsOnce) {
  EXPECT_EQ(diagnosed("constraint c: x = 0\n    law vakonomic\n    law stiff kappa = 2\n"),
            "m.vin:3:5: error: a constraint has one `law` [unexpected-token]\n"
            "  3 |     law stiff kappa = 2\n"
            "    |     ^^^\n");
}

TEST(Lagrangian, IsAnExpressionOverSeveralLines) {
  EXPECT_EQ(format(*only<LagrangianStatement>("lagrangian m*x'^2/2\n    - k*x^2/2\n").L), "m*x'^2/2 - k*x^2/2");
}

TEST(State, HasARateAndPerhapsAStart) {
  const auto state = only<StateStatement>("state z' = x - z\n    start z = 2 [m]\n");
  EXPECT_EQ(state.name.text, "z");
  EXPECT_EQ(format(*state.rate), "x - z");
  EXPECT_EQ(format(*state.start), "2 [m]");
  EXPECT_EQ(only<StateStatement>("state z[2]' = 1").start, nullptr);
  EXPECT_EQ(names_at_fault("state z = 1\n"), std::vector<std::string>{"z"});
}

TEST(State, IsGivenByItsFirstDerivativeUnderOneName) {
  EXPECT_EQ(diagnosed("state z = 1\n"),
            "m.vin:1:9: error: expected a prime after the name of the state, found `=` [unexpected-token]\n"
            "  1 | state z = 1\n"
            "    |         ^\n"
            "  hint: write `state z' = …`, its rate, or `state z every T = …`, its samples\n");
  EXPECT_EQ(diagnosed("state z'' = 1\n"),
            "m.vin:1:8: error: a state is given by its first derivative [unexpected-token]\n"
            "  1 | state z'' = 1\n"
            "    |        ^^\n"
            "  hint: for a second derivative take two states: `state z' = w`, `state w' = …`\n");
  EXPECT_EQ(diagnosed("state z' = 1 start y = 2\n"),
            "m.vin:1:20: error: expected `z`, the state of this line [unexpected-token]\n"
            "  1 | state z' = 1 start y = 2\n"
            "    |                    ^\n"
            "  hint: the start of another variable is a separate statement\n");
}

}  // namespace
}  // namespace vinculum::lang

// Functions of events in printed programs: guards, values that events set, constraints with `when`, impulses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "agreement/derived_code.hpp"
#include "support/models.hpp"
#include "vinculum/exports/derive_report.hpp"

namespace vinculum {
namespace derived_events_test {

using namespace derived_code;
using equations::Formulation;
using nlohmann::json;

// Two carts; a constraint with `when` connects the second to the first.
const char* const kCarts = R"(model carts
frame N newtonian
point O fixed in N
param e = 0.5
coord x, y
particle A mass 2 at O + x*N.x
particle B mass 3 at O + y*N.x
force on A = 5*N.x
state hits' = 0
state u every 0.25 = x' - y'
constraint latch: x' = y'
    when 1 <= t and t < 2 or hits > 5.5
event wall: x = 4 falling {
    set x' = -e*y'
    set hits = hits + 2*x'
}
event late: at 0.5*e set y' = 7
terminate when not (x < 9 and y < 8)
start x = 0, x' = 1, y = 5, y' = 0
run 3
)";

report::Derivation derived(const std::string& text, Formulation form) {
  auto derivation = report::derive(test_support::model_of_text(text), form);
  EXPECT_TRUE(derivation.has_value());
  return *std::move(derivation);
}

// Results of calls of the Python program. `list` contains expressions, each of which prints one list.
json called(const report::Derivation& derivation, const std::string& list) {
  const Folder folder;
  folder.write("carts.py", report::derive_python(derivation));
  folder.write("main.py",
               "import json\nfrom carts import *\np = carts_parameters()\nprint(json.dumps([" + list + "]))\n");
  return output_of("python3 -B " + (folder.path / "main.py").string(), folder);
}

TEST(DerivedEvents, GuardsActsTimesAndValuesAreThoseOfTheModel) {
  if (!succeeds("python3 --version")) GTEST_SKIP() << "python3 is not there";
  const json found = called(derived(kCarts, Formulation::kExplicit),
                            "carts_guards(0.5, [3, 1], [2, 6], [7, 0], p), carts_acts(0.5, [3, 1], [2, 6], [7, 0], p), "
                            "carts_acts(0.5, [3, 1], [2, 6], [5, 0], p), carts_acts(1.5, [3, 1], [2, 6], [5, 0], p), "
                            "carts_event_directions(), [str(x) for x in carts_event_times(p)], "
                            "carts_happen(0.5, [3, 1], [2, 6], [7, 0], p, [1, 1, 1, 0])");
  // Order of the guards: samples of u, wall, late, terminate, and last the condition of the constraint latch.
  EXPECT_EQ(found[0], json({1.0, -1.0, 1.0, -6.0, 1.5}));
  EXPECT_EQ(found[1], json({1.0}));
  EXPECT_EQ(found[2], json({0.0}));
  EXPECT_EQ(found[3], json({1.0}));
  EXPECT_EQ(found[4], json({0.0, -1.0, 0.0, 1.0, 0.0}));
  EXPECT_EQ(found[5], json({"[nan, nan, 0.25, nan]", "[0.25, nan, nan, nan]"}));
  EXPECT_EQ(found[6], json({{-3.0, 7.0}, {11.0, -4.0}}));  // each value is computed from the values before the event
}

// M Δu = Aᵀ p: with the masses 2 and 3 both carts get the speed (2·5 + 3·0)/5 = 2, and p = 3·(2 − 0).
TEST(DerivedEvents, ImpulseConservesMomentumWhereTheConstraintActs) {
  if (!succeeds("python3 --version")) GTEST_SKIP() << "python3 is not there";
  for (const Formulation form : {Formulation::kExplicit, Formulation::kAugmented}) {
    const json found = called(derived(kCarts, form),
                              "carts_impulse(1, [0, 5], [5, 0], [0, 0], p, [1]), "
                              "carts_impulse(1, [0, 5], [5, 0], [0, 0], p, [0]), "
                              "carts_accelerations(1, [0, 5], [5, 0], [0, 0], p, [1])[:2], "
                              "carts_accelerations(1, [0, 5], [5, 0], [0, 0], p, [0])[:2]");
    const auto expect_near = [&](const json& is, double u, double w, double p) {
      EXPECT_NEAR(is[0][0].get<double>(), u, 1e-14);
      EXPECT_NEAR(is[0][1].get<double>(), w, 1e-14);
      EXPECT_NEAR(is[1][0].get<double>(), p, 1e-14);
    };
    expect_near(found[0], 2.0, 2.0, -6.0);
    expect_near(found[1], 5.0, 0.0, 0.0);
    expect_near(found[2], 1.0, 1.0, -3.0);
    expect_near(found[3], 2.5, 0.0, 0.0);
  }
}

// A blow along N.x on a pendulum bob. The row of the rod contains squares, so it is not affine in the speeds; after the
// impulse the velocity is tangential.
TEST(DerivedEvents, ImpulseIteratesWhereARowIsNotLinearInTheSpeeds) {
  if (!succeeds("python3 --version")) GTEST_SKIP() << "python3 is not there";
  const json found = called(derived(R"(model carts
frame N newtonian
point O fixed in N
coord x, y
particle P mass 2 at O + x*N.x + y*N.y
constraint pace: dot(vel(P), vel(P)) = 25
event hit: x = 1 rising set x' = 6
start x' = 3, y' = 4
run 1
)",
                                    Formulation::kExplicit),
                            "carts_impulse(0, [1, 0], [6, 4], p)");
  const double x = found[0][0][0].get<double>(), y = found[0][0][1].get<double>();
  EXPECT_NEAR(x * x + y * y, 25.0, 1e-12);
}

TEST(DerivedEvents, EveryFormatListsThem) {
  for (const Formulation form : equations::kFormulations) {
    const report::Derivation derivation = derived(kCarts, form);
    for (const std::string& text : {report::derive_text(derivation), report::derive_latex(derivation)}) {
      for (const char* part :
           {"event wall: x = 4 falling", "event late: at ", "terminate when not", "5.5 < hits", "every 0.25"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
      EXPECT_EQ(text.find("nan"), std::string::npos);
    }
    if (form == Formulation::kMinimal) {
      EXPECT_NE(report::why_no_code(derivation).value_or("").find("(`latch`)"), std::string::npos);
      continue;
    }
    EXPECT_EQ(report::why_no_code(derivation), std::nullopt);
    for (const std::string& code : {report::derive_c(derivation), report::derive_python(derivation)}) {
      for (const char* part : {"event wall: x = 4 falling: set x' = -e*y', set hits = hits + 2*x'", "ends the run",
                               "constraint latch acts", "state u every 0.25"})
        EXPECT_NE(code.find(part), std::string::npos) << part << "\n" << code;
    }
  }
}

TEST(DerivedEvents, TheCProgramComputesTheSame) {
  if (c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const Folder folder;
  folder.write("carts.c", report::derive_c(derived(kCarts, Formulation::kExplicit)));
  folder.write("main.c", R"(#include <stdio.h>
#include "carts.c"
int main(void) {
  double p[SIZE(NP)], q[] = {3, 1}, u[] = {2, 6}, z[] = {7, 0}, acts[NACTS], guards[NG], happened[] = {1, 1, 1, 0};
  double at[NEV], every[NEV], direction[NG], impulse[NC];
  carts_parameters(p);
  carts_acts(0.5, q, u, z, p, acts);
  carts_guards(0.5, q, u, z, p, guards);
  carts_event_times(p, at, every);
  carts_event_directions(direction);
  carts_happen(0.5, q, u, z, p, happened);
  printf("[%.17g, %.17g, %.17g, %.17g, %.17g, %.17g, ", acts[0], guards[1], guards[3], at[2], every[0], direction[1]);
  printf("%.17g, %.17g, %.17g, %.17g, ", u[0], u[1], z[0], z[1]);
  if (carts_impulse(0.5, q, u, z, p, acts, impulse)) return 1;
  printf("%.17g, %.17g]\n", u[0], u[1]);
  return 0;
}
)");
  const std::string program = (folder.path / "program").string(), log = (folder.path / "log.txt").string();
  const std::string compile = fmt::format("{} -Wall -Wextra -Werror -o {} {} -lm > {} 2>&1", c_compiler(), program,
                                          (folder.path / "main.c").string(), log);
  ASSERT_EQ(std::system(compile.c_str()), 0) << test_support::read_text(log);
  const json found = output_of(program, folder);
  const double expected[] = {1.0, -1.0, -6.0, 0.25, 0.25, -1.0, -3.0, 7.0, 11.0, -4.0, 3.0, 3.0};
  ASSERT_EQ(found.size(), std::size(expected));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i].get<double>(), expected[i], 1e-14) << i;
}

}  // namespace derived_events_test
}  // namespace vinculum

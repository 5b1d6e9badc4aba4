#include "vinculum/equations/derive.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "agreement/derived_code.hpp"
#include "agreement/derived_states.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"
#include "support/motion/test_models.hpp"
#include "vinculum/exports/derive_report.hpp"

namespace vinculum {
namespace derive_test {

namespace fs = std::filesystem;
using namespace derived_code;
using equations::Formulation;
using nlohmann::json;

// Compares the numbers that a printed program computed with the engine. There is one array per state, with the order q'
// M f C A b u' lambda z', followed by revealed forces.
void expect_same(const json& found, const std::vector<Expected>& states, const std::string& what) {
  ASSERT_EQ(found.size(), states.size()) << what;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Expected& state = states[i];
    std::size_t next = 0;
    const auto compare = [&](const char* name, const auto& wanted, double tolerance,
                             const std::vector<char>* only = nullptr, double size = 0.0) {
      for (const double x : wanted) size = std::max(size, std::fabs(x));
      for (std::size_t k = 0; k < static_cast<std::size_t>(wanted.size()); ++k) {
        const double x = found[i][next++].get<double>();
        if (only != nullptr && (*only)[k] == 0) continue;
        EXPECT_NEAR(x, wanted[static_cast<decltype(wanted.size())>(k)], tolerance * size)
            << what << ", state " << i << ", " << name << "[" << k << "]";
      }
    };
    constexpr double kTolPiece = 1e-13;
    compare("q'", state.q_dot, kTolPiece);
    compare("M", state.M, kTolPiece);
    compare("f", state.f, kTolPiece);
    compare("C", state.C, kTolPiece);
    compare("A", state.A, kTolPiece);
    // In A u' = b, terms of b may cancel. So the error of b is relative to A u'.
    double row = 0.0, u_dot = 0.0;
    for (const double a : state.A) row = std::max(row, std::fabs(a));
    for (const double a : state.u_dot) u_dot = std::max(u_dot, std::fabs(a));
    compare("b", state.b, kTolPiece, nullptr, row * u_dot);
    constexpr double kTolSolved = 1e-11;  // different solvers: rounding times the condition number of the model
    // Loads that constraints balance contribute to the rounding error as well. The scale is therefore the acceleration
    // that the loads would cause without the constraints.
    double acceleration = 0.0, force = 0.0;
    for (std::size_t r = 0; r < state.f.size(); ++r) {
      const double mass = state.M[r * state.f.size() + r];
      force = std::max(force, std::fabs(state.f[r] + state.C[r]));
      if (mass > 0.0) acceleration = std::max(acceleration, std::fabs(state.f[r] + state.C[r]) / mass);
    }
    compare("u'", state.u_dot, kTolSolved, nullptr, acceleration);
    compare("lambda", state.lambda, kTolSolved, &state.unique, row > 0.0 ? force / row : 0.0);
    // z' may contain rates of multipliers, so it has their scale.
    compare("z'", state.z_dot, kTolSolved, nullptr, row > 0.0 ? force / row : 0.0);
    compare("revealed", state.revealed, kTolSolved, nullptr, std::max(state.revealed_size, force));
    EXPECT_EQ(found[i].size(), next) << what;
  }
}

bool has_switched_rows(const equations::System& system) {
  return std::ranges::any_of(system.rows, [](const equations::Row& row) { return row.acts.is_valid(); });
}

std::string c_program(const equations::System& system, const std::string& name, const std::vector<Expected>& states) {
  const auto array = [](const std::vector<double>& values) {
    return values.empty() ? std::string("0.0") : list_of(values);
  };
  std::string text = fmt::format("#include \"{}.c\"\n#include <stdio.h>\nstatic const char *comma;\n", name);
  text +=
      "static void show(const double *x, int n) { int i; for (i = 0; i < n; ++i, comma = \",\") printf(\"%s%.17g\", "
      "comma, x[i]); }\n";
  text +=
      "int main(void) {\n  double p[SIZE(NP)], qdot[SIZE(NQ)], M[SIZE(NU * NU)], f[SIZE(NU)], C[SIZE(NU)], A[SIZE(NC * "
      "NU)], b[SIZE(NC)];\n";
  const bool has_states = !system.z.empty();
  text += "  double udot[SIZE(NU)], lambda[SIZE(NC)], effort[SIZE(NE)];\n  int i;\n  (void)effort;\n";
  if (has_states) text += "  double zdot[NZ];\n";
  const bool has_acts = has_switched_rows(system);
  if (has_acts) text += "  double acts[NACTS];\n";
  const bool reveals = !system.model->reveals.empty();
  if (reveals) text += "  double revealed[NR];\n";
  text += fmt::format("  {}_parameters(p);\n  printf(\"[\");\n", name);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Expected& state = states[i];
    text += fmt::format("  {{ const double q[] = {{{}}}, u[] = {{{}}};\n", array(state.q), array(state.u));
    if (has_states) text += fmt::format("  const double z[] = {{{}}};\n", array(state.z));
    const char* const more = has_states ? "z, " : "";
    const char* const acts = has_acts ? ", acts" : "";
    if (has_acts) text += fmt::format("  {}_acts({:.17g}, q, u, {}p, acts);\n", name, state.t, more);
    text += fmt::format(
        "  for (i = 0; i < NU; ++i) C[i] = 0.0;\n  {}_equations({:.17g}, q, u, {}p{}, qdot, M, f{}, A, b{});\n", name,
        state.t, more, acts, system.has_nonideal ? ", C" : "",
        system.directed.empty() ? "" : ", (double[SIZE(NE * NU)]){0}");
    text += fmt::format("  if ({}_accelerations({:.17g}, q, u, {}p{}, udot, lambda{}{})) return 1;\n", name, state.t,
                        more, acts, system.directed.empty() ? "" : ", effort", has_states ? ", zdot" : "");
    text += fmt::format("  printf(\"{}[\"); comma = \"\";\n", i == 0 ? "" : ",");
    text +=
        "  show(qdot, NQ); show(M, NU * NU); show(f, NU); show(C, NU); show(A, NC * NU); show(b, NC); show(udot, NU); "
        "show(lambda, NC);\n";
    if (has_states) text += "  show(zdot, NZ);\n";
    if (reveals)
      text += fmt::format("  {}_revealed({:.17g}, q, u, {}p{}, udot, lambda{}, revealed);\n  show(revealed, NR);\n",
                          name, state.t, more, acts, system.directed.empty() ? "" : ", effort");
    text += "  printf(\"]\"); }\n";
  }
  return text + "  printf(\"]\\n\");\n  return 0;\n}\n";
}

std::string python_program(const equations::System& system, const std::string& name,
                           const std::vector<Expected>& states) {
  std::string text = fmt::format(
      "import json\nfrom {0} import *\nfrom {0} import {0}_equations\n\nout = []\np = {0}_parameters()\n", name);
  text += "flat = lambda rows: [x for row in rows for x in row]\n";
  for (const Expected& state : states) {
    const std::string z = state.z.empty() ? "" : fmt::format("[{}], ", list_of(state.z));
    std::string arguments = fmt::format("{:.17g}, [{}], [{}], {}p", state.t, list_of(state.q), list_of(state.u), z);
    if (has_switched_rows(system)) arguments += fmt::format(", {}_acts({})", name, arguments);
    text += fmt::format("pieces = list({}_equations({}))\n", name, arguments);
    if (!system.has_nonideal) text += fmt::format("pieces.insert(3, [0.0] * {})\n", system.u.size());
    text += fmt::format("qdot, M, f, C, A, b = pieces[:6]\nfound = {}_accelerations({})\n", name, arguments);
    text += "out.append(qdot + flat(M) + f + C + flat(A) + b + list(found[0]) + list(found[1])";
    if (!state.z.empty()) text += " + list(found[-1])";
    if (!system.model->reveals.empty())
      text += fmt::format(" + {}_revealed({}, found[0], found[1]{})", name, arguments,
                          system.directed.empty() ? "" : ", found[2]");
    text += ")\n";
  }
  return text + "print(json.dumps(out))\n";
}

class Derived : public testing::TestWithParam<std::tuple<fs::path, Formulation>> {};

std::string module_name(const equations::System& system) { return system.model->name; }

TEST_P(Derived, CodeComputesWhatTheEngineDoes) {
  const auto& [file, form] = GetParam();
  const auto bound = test_support::compiled(test_support::model_of_file(file), codegen::Backend::kInterpreter);
  if (bound->compiled->system->higher) {
    ASSERT_EQ(report::derive(bound->compiled->model, form).has_value(), form == Formulation::kExplicit);
    GTEST_SKIP() << "constraints of higher order have no M, f, A, b: DerivedCodeOfHigherOrder";
  }
  const auto derivation = report::derive(bound->compiled->model, form);
  ASSERT_TRUE(derivation.has_value());
  if (const auto why = report::why_no_code(*derivation)) GTEST_SKIP() << *why;
  std::vector<Expected> states = expected_of(bound);
  const auto& expectations = bound->compiled->model->expectations;
  const bool has_no_motion =
      std::ranges::any_of(expectations, [](const auto& one) { return one.when == model::Expectation::When::kStop; });
  if (states.empty() && has_no_motion) GTEST_SKIP() << "nothing is determined at any state";
  ASSERT_FALSE(states.empty());
  states = well_conditioned(std::move(states), *derivation);
  ASSERT_FALSE(states.empty());
  const equations::System& system = *bound->compiled->system;
  const std::string name = module_name(system);
  const Folder folder;
  bool is_tried = false;
  if (!c_compiler().empty()) {
    folder.write(name + ".c", report::derive_c(*derivation));
    folder.write("main.c", c_program(system, name, states));
    const std::string program = (folder.path / "program").string(), log = (folder.path / "log.txt").string();
    const std::string compile = fmt::format("{} -Wall -Wextra -Werror -O0 -ffp-contract=off -o {} {} -lm > {} 2>&1",
                                            c_compiler(), program, (folder.path / "main.c").string(), log);
    ASSERT_EQ(std::system(compile.c_str()), 0) << test_support::read_text(log);
    expect_same(output_of(program, folder), states, "C");
    is_tried = true;
  }
  if (succeeds("python3 --version")) {
    folder.write(name + ".py", report::derive_python(*derivation));
    folder.write("main.py", python_program(system, name, states));
    expect_same(output_of("python3 -B " + (folder.path / "main.py").string(), folder), states, "Python");
    is_tried = true;
  }
  if (!is_tried) GTEST_SKIP() << "neither a C compiler nor python3 is there";
}

INSTANTIATE_TEST_SUITE_P(Models, Derived,
                         testing::Combine(testing::ValuesIn(test_support::model_files()),
                                          testing::ValuesIn(equations::kFormulations)),
                         [](const auto& instance) {
                           return std::get<0>(instance.param).stem().string() + "_" +
                                  std::string(to_string(std::get<1>(instance.param)));
                         });

// Compares the Python and C programs of a model with the engine, if Python and a C compiler are available.
void expect_code_agrees(const std::shared_ptr<const model::Model>& model, const std::string& name,
                        Formulation form = Formulation::kExplicit) {
  const auto bound = test_support::compiled(model, codegen::Backend::kInterpreter);
  const std::vector<Expected> states = expected_of(bound);
  ASSERT_FALSE(states.empty());
  const auto derivation = report::derive(model, form);
  ASSERT_TRUE(derivation.has_value());
  const Folder folder;
  if (!succeeds("python3 --version") || c_compiler().empty()) GTEST_SKIP() << "no C compiler or no python3";
  folder.write(name + ".py", report::derive_python(*derivation));
  folder.write("main.py", python_program(*bound->compiled->system, name, states));
  expect_same(output_of("python3 -B " + (folder.path / "main.py").string(), folder), states, "Python");
  folder.write(name + ".c", report::derive_c(*derivation));
  folder.write("main.c", c_program(*bound->compiled->system, name, states));
  const std::string program = (folder.path / "program").string(), log = (folder.path / "log.txt").string();
  ASSERT_EQ(std::system(
                fmt::format("{} -o {} {} -lm > {} 2>&1", c_compiler(), program, (folder.path / "main.c").string(), log)
                    .c_str()),
            0)
      << test_support::read_text(log);
  expect_same(output_of(program, folder), states, "C");
}

void expect_code_agrees(const std::string& text, const std::string& name, Formulation form = Formulation::kExplicit) {
  expect_code_agrees(test_support::model_of_text(text), name, form);
}

// Dry friction that a load states by the direction of a velocity: of a coordinate, on a line, in a plane, between
// points.
TEST(DerivedCode, HoldsFrictionOfLoads) {
  const std::string
      begin =
          "model rub\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 2 at O + x*N.x + y*N.y\n"
          "particle Q mass 3 at P + 2*N.x + y*N.z\n",
      end = "start x = 0.3, y = 0.2, x' = 1.5, y' = -0.7\nrun 1\n";
  for (const char* const load :
       {"generalized force on x = -4*sign(x')", "force on P = (1 - 3*sign(y'))*N.y", "force on P = -3*unit(vel(P))",
        "force on Q = -2*unit(vel(Q) - vel(P)) from P", "force on P = -3*vel(P)/norm(vel(P)) + N.x"})
    for (const Formulation form : equations::kFormulations) expect_code_agrees(begin + load + "\n" + end, "rub", form);
}

// Operations without a direct counterpart in the language of the program: conditions, tables, integer and real powers.
// One name is a keyword there.
TEST(DerivedCode, HoldsEveryOperation) {
  expect_code_agrees(R"(model all
frame N newtonian
point O fixed in N
param lambda = 0.7, M = 1.3
coord q, y1, B
particle P mass M at O + q*N.x + y1*N.y + B*N.z
force on P = (sqrt(q - 2) if q > 2 else sign(q)*abs(y1))*N.x + min(q, y1)^3*N.y + max(q, B)*floor(2*y1)*N.z
force on P = (1 + q^2)^(-1.5)*N.x + exp(-q^2)^7*N.y + atan2(y1, 1 + B^2)*tanh(q)*N.z
force on P = (1 if q > 0 and not (y1 > 0 or B > 0) else 0)*N.x + log(1 + q^2)*acos(0.5*tanh(B))*lambda*N.y
constraint c: q' + y1*B' = sin(t)
start q = 0.5, y1 = 0.4
run 1
)",
                     "all");
}

TEST(DerivedCode, HoldsTablesOfEveryKind) {
  const test_support::Folder tables;
  tables.write("c.csv", "-1,1\n0,3\n0.3,3\n1,-2\n2.2,1\n");
  tables.write("g.csv", ",-2,0,1,3\n-2,1,0,2,1\n0,2,1,1,0\n1,1,1,3,2\n4,0,1,2,2\n");
  const std::string text = R"(model tables
frame N newtonian
point O fixed in N
coord x, y
particle P mass 1 at O + x*N.x + y*N.y
force on P = (table("c.csv", x, periodic) + table("c.csv", x, smooth, outside linear))*N.x
force on P = (table("c.csv", y, hold, periodic) + table("c.csv", x*y, linear, outside hold))*N.y
force on P = (table("g.csv", x, y, outside hold) + table("g.csv", y, x, smooth, outside hold))*N.x
constraint c: y = table("c.csv", 2*x, periodic, smooth)
start x = 0.4, y ~ 0
run 1
)";
  diag::SourceText source("tables.vin", text);
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  const auto model =
      elaborate::elaborate(file, source, {tables.path(), {}, names_of(integrate::method_table())}, diagnostics);
  ASSERT_TRUE(model) << diag::render_text(source, diagnostics.all());
  expect_code_agrees(model, "tables");
}

// The second row affects the first row only by rounding.
TEST(DerivedCode, TakesIndependentRowsOfWhichOneAsksForNothing) {
  expect_code_agrees(R"(model oblique
frame N newtonian
point O fixed in N
coord x, y, z
particle P mass 1 at O + x*N.x + y*N.y + z*N.z
gravity -9.81*N.z
constraint a: x + 0.3*y + 0.7*z = 0
constraint c: x - 0.3*y + 0.2*z = 0.3*t^2
run 1
)",
                     "oblique");
}

// The inertia m + mu is negative from the start, so no form may take its square root. The model also has a state and a
// redundant row.
TEST(DerivedCode, SolvesEquationsWhoseInertiaIsNotPositive) {
  for (const Formulation form : equations::kFormulations) {
    expect_code_agrees(R"(model negative
frame N newtonian
point O fixed in N
coord x, y, z, w, v
particle P mass 1.5 at O + x*N.x + y*N.y + z*N.z
particle Q mass 0.25 at O + w*N.x
particle R mass 0.5 at O + v*N.y
constraint pace: (dot(vel(P), vel(P)) - 16)/2 = 0
    law vakonomic start mu = -6
constraint plane: y = 0.1*w
constraint rail: v = 0.5*x
state s' = x - s - multiplier(rail)*0.1 start s = 0.5
force on P = -s*N.x - 9.81*N.z
constraint again: 2*y = 0.2*w
start x' = 2.4, z' = 3.2
run 1
)",
                       "negative", form);
  }
}

// The model has actuators, a state, a non-ideal force and a rotating embedded joint.
TEST(DerivedCode, RevealsForcesBesideEffortsAndNonIdealReactions) {
  for (const Formulation form : equations::kFormulations) {
    expect_code_agrees(R"(model hand
frame N newtonian
point O fixed in N
coord a, b, x
frame A = N rotated a about z
frame B = A rotated b about x
point shoulder = O + x*N.x
body upper frame A mass 2 inertia (0.1, 0.2, 0.3) at shoulder + 0.4*A.x
point elbow = shoulder + 0.8*A.x
body lower frame B mass 1 inertia (0.2, 0.1, 0.15) at elbow + 0.3*B.y
gravity -9.81*N.z
state s' = a - s start s = 0.2
torque on lower = -s*A.x from upper
constraint turn: dot(omega(A), N.z) = 0.5 + 0.2*sin(t)
    via torque on upper along N.z, force on elbow along A.y
constraint track: dot(vel(elbow), N.x) = 0.3*dot(omega(B, A), A.x)
    nonideal on elbow = -0.4*vel(elbow)
reveal pin: force on elbow along A.x, A.y, A.z
reveal hinge: torque on lower along A.y, A.z
start a = 0.3, b = 0.4, b' = 0.7
run 1
)",
                       "hand", form);
  }
}

// Equations that need iteration or search have no code; the reason is reported.
TEST(DerivedCode, IsRefusedForImplicitEquations) {
  const auto text_and_reason = [](const std::shared_ptr<const model::Model>& model) {
    const auto derivation = report::derive(model, Formulation::kMinimal);
    EXPECT_TRUE(derivation.has_value());
    return std::pair{report::derive_text(*derivation), report::why_no_code(*derivation).value_or("")};
  };
  const auto with_clause = [](const std::string& clause) {
    return test_support::model_of_text(
        "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z\n"
        "particle P mass 1 at O + x*N.x + y*N.y + z*N.z\ngravity -9.81*N.z\nconstraint c: dot(pos(P, O), N.z) = 0\n" +
        clause + "start x' = 1\nrun 1\n");
  };
  EXPECT_EQ(text_and_reason(with_clause("")).second, "");
  EXPECT_EQ(text_and_reason(with_clause("    nonideal on P = -0.3*vel(P)\n")).second, "");
  const auto [friction, why_friction] =
      text_and_reason(with_clause("    nonideal on P = -0.3*norm(reaction(c, P))*unit(vel(P))\n"));
  EXPECT_NE(friction.find("C contains multipliers"), std::string::npos) << friction;
  EXPECT_EQ(why_friction.substr(0, 30), "forces that `c` states depend ");

  sim::testing::Sketch sketch("size");
  const model::PointId P = sketch.particle("p", 2.0, 3);
  sketch.builder.add_constraint("size", sketch.square(sketch.builder.acc(P)) - sketch.number(4.0));
  sketch.start_all({0.0, 0.0, 0.0}, {3.0, 1.0, 4.0});
  const auto [size, why_size] = text_and_reason(sketch.finish());
  EXPECT_NE(size.find("A constraint is not linear in the accelerations"), std::string::npos) << size;
  EXPECT_EQ(why_size.substr(0, 23), "`size` is not linear in");
}

// Constraints with `when`, with each acting or not, together with a row that always acts, redundant rows, and revealed
// forces of an embedded joint.
TEST(DerivedCode, HasAFactorForConstraintsThatActAtTimes) {
  for (const Formulation form : {Formulation::kExplicit, Formulation::kAugmented}) {
    for (const char* held : {"0", "1"}) {
      expect_code_agrees(fmt::format(R"(model switched
frame N newtonian
point O fixed in N
coord x, y, z, w
particle P mass 2 at O + x*N.x + y*N.y
particle Q mass 3 at O + z*N.x + w*N.y
gravity -9.81*N.y
force on P = 4*N.x - 0.3*vel(P)
state held' = 0 start held = {}
constraint track: y = 0.2*x^2
constraint grip: z' = x'*(1 + 0.1*w)
    when held > 0.5
constraint rod: norm(pos(P, Q)) = 1.5
    when held < 0.5 or x > 100
constraint again: 2*z' = 2*x'*(1 + 0.1*w)
    when held > 0.5
event hit: x = 3 rising {{
    set x' = -0.5*x'
    set held = 1 - held
}}
start x = 0.3, x' = 1, z ~ 1, w ~ 1
run 1
)",
                                     held),
                         "switched", form);
    }
  }
}

// Braces are balanced and every environment is closed, as LaTeX requires.
TEST_P(Derived, LatexIsWellFormed) {
  const auto& [file, form] = GetParam();
  const auto model = test_support::model_of_file(file);
  if (form != Formulation::kExplicit && std::ranges::any_of(model->constraints, model::is_higher_order))
    GTEST_SKIP() << "constraints of higher order have the explicit form alone";
  const auto derivation = report::derive(model, form);
  ASSERT_TRUE(derivation.has_value());
  const std::string text = report::derive_latex(*derivation);
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '{') {
      ++depth;
    } else if (text[i] == '}') {
      ASSERT_GE(--depth, 0) << text.substr(0, i);
    }
  }
  EXPECT_EQ(depth, 0);
  const auto count = [&](const std::string& word) {
    int found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("\\begin{"), count("\\end{"));
  EXPECT_EQ(count("\\left"), count("\\right"));
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

}  // namespace derive_test
}  // namespace vinculum

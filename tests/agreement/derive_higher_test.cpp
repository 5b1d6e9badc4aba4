#include <algorithm>
#include <cmath>

#include "agreement/derived_code.hpp"
#include "vinculum/exports/derive_report.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace derive_higher_test {

using equations::Formulation;
using namespace derived_code;

// Compares q', u', lambda and z' of a printed program of higher order with the engine, along a run.
void expect_code_of_higher_order(const std::string& text, const std::string& name) {
  const auto model = test_support::model_of_text(text);
  const auto bound = test_support::compiled(model, codegen::Backend::kInterpreter);
  ASSERT_TRUE(bound->compiled->system->higher);
  sim::Dynamics dynamics(bound);
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*model));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  const auto derivation = report::derive(model, Formulation::kExplicit);
  ASSERT_TRUE(derivation.has_value());
  EXPECT_FALSE(report::derive(model, Formulation::kMinimal).has_value());
  EXPECT_NE(report::derive_text(*derivation).find("J x = r, x the highest derivatives"), std::string::npos);
  if (!succeeds("python3 --version") || c_compiler().empty()) GTEST_SKIP() << "no C compiler or no python3";
  const Folder folder;
  std::string python = fmt::format("import json\nfrom {0} import *\nout = []\np = {0}_parameters()\n", name);
  std::string c = fmt::format(
      "#include \"{0}.c\"\n#include <stdio.h>\nint main(void) {{\n  int i;\n  double p[SIZE(NP)], udot[SIZE(NU)], "
      "lambda[SIZE(NC)], zdot[SIZE(NZ)];\n  {0}_parameters(p);\n  printf(\"[\");\n",
      name);
  for (const sim::Sample& sample : run.samples) {
    const auto list = [](const Vector& x) { return list_of({x.begin(), x.end()}); };
    python += fmt::format("found = {}_accelerations({:.17g}, [{}], [{}], [{}], p)\n", name, sample.t, list(sample.q),
                          list(sample.u), list(sample.z));
    python += "out.append(list(found[0]) + list(found[1]) + list(found[2]))\n";
    c += fmt::format(
        "  {{ const double q[] = {{{}}}, u[] = {{{}}}, z[] = {{{}}};\n    if ({}_accelerations({:.17g}, q, u, z, p, "
        "udot, "
        "lambda, zdot)) return 1;\n    printf(\"%s\", \"{}[\"); }}\n",
        list(sample.q), list(sample.u), list(sample.z), name, sample.t, &sample == &run.samples.front() ? "" : ",");
    c += "  for (i = 0; i < NU; ++i) printf(\"%s%.17g\", i ? \",\" : \"\", udot[i]);\n";
    c += "  for (i = 0; i < NC; ++i) printf(\",%.17g\", lambda[i]);\n  for (i = 0; i < NZ; ++i) printf(\",%.17g\", "
         "zdot[i]);\n  printf(\"]\");\n";
  }
  const auto expect_motion = [&](const json& found, const char* language) {
    ASSERT_EQ(found.size(), run.samples.size()) << language;
    for (std::size_t k = 0; k < run.samples.size(); ++k) {
      const sim::Sample& sample = run.samples[k];
      std::vector<double> wanted;
      for (const Vector& part : {sample.reaction.u_dot(), sample.reaction.lambda(), sample.z_dot})
        wanted.insert(wanted.end(), part.begin(), part.end());
      ASSERT_EQ(found[k].size(), wanted.size()) << language;
      for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_NEAR(found[k][i].get<double>(), wanted[i], 1e-11 * std::max(1.0, std::fabs(wanted[i])))
            << language << " " << k << " " << i;
    }
  };
  folder.write(name + ".py", report::derive_python(*derivation));
  folder.write("main.py", python + "print(json.dumps(out))\n");
  expect_motion(output_of("python3 -B " + (folder.path / "main.py").string(), folder), "Python");
  folder.write(name + ".c", report::derive_c(*derivation));
  folder.write("main.c", c + "  printf(\"]\\n\");\n  return 0;\n}\n");
  const std::string program = (folder.path / "program").string(), log = (folder.path / "log.txt").string();
  ASSERT_EQ(std::system(fmt::format("{} -Wall -Wextra -Werror -O0 -ffp-contract=off -o {} {} -lm > {} 2>&1",
                                    c_compiler(), program, (folder.path / "main.c").string(), log)
                            .c_str()),
            0)
      << test_support::read_text(log);
  expect_motion(output_of(program, folder), "C");
}

TEST(DerivedCodeOfHigherOrder, ComputesWhatTheEngineDoes) {
  for (const char* name : {"higher_order_vakonomic", "higher_order_jerk", "constant_acceleration_vakonomic"})
    expect_code_of_higher_order(
        test_support::read_text(std::filesystem::path(VINCULUM_MODELS) / (std::string(name) + ".vin")), name);
  expect_code_of_higher_order(R"(model beside
coord x, y, X, Y
lagrangian (x'^2 + y'^2 + X'^2 + Y'^2)/2 + 0.3*y*X
constraint rod: X^2 + Y^2 = 1
constraint link: x'''' = y' + 0.2*X'
    law vakonomic start mu = 0, mu' = 0.1, mu'' = 0, mu''' = 0.2
state s' = X - s
start y' = 1, x'' = 0.1, X = 1, Y' = 1
run 0.5 tolerance 1e-10
)",
                              "beside");
}

}  // namespace derive_higher_test
}  // namespace vinculum

// The commands `linearize` and `equilibrium`: JSON, files, exit statuses.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "e2e/command.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum {
namespace linearize_command_test {

using Json = nlohmann::json;
using test_support::Folder;
using test_support::Ran;
using test_support::run_command;

constexpr const char* kOscillator = R"(model oscillator
frame N newtonian
point O fixed in N
param m = 2 [kg], k = 50 [N/m]
coord x [m]
input F [N]
particle P mass m at O + x*N.x
force on P = (F - k*x)*N.x
output spring = k*x
start x = 0.1
run 1 [s]
)";

TEST(LinearizeCommand, PrintsJsonAndWritesFiles) {
  const Folder folder;
  folder.write("oscillator.vin", kOscillator);
  const Ran ran =
      run_command(folder, "linearize oscillator.vin --equilibrium --inputs F --outputs spring --json -o out");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json system = Json::parse(ran.out);
  EXPECT_EQ(system["format"], 1);
  EXPECT_EQ(system["reference"], "equilibrium");
  EXPECT_EQ(system["stability"], "undecided");
  EXPECT_EQ(system["variables"], Json::parse(R"([{"name": "x", "unit": "m"}, {"name": "x'", "unit": "m/s"}])"));
  EXPECT_EQ(system["A"], Json::parse("[[0.0, 1.0], [-25.0, 0.0]]"));
  EXPECT_EQ(system["B"], Json::parse("[[0.0], [0.5]]"));
  EXPECT_EQ(system["C"], Json::parse("[[50.0, 0.0]]"));
  EXPECT_EQ(system["D"], Json::parse("[[0.0]]"));
  ASSERT_EQ(system["modes"].size(), 2u);
  EXPECT_NEAR(system["modes"][0]["im"].get<double>(), 5.0, tolerance::kZero);
  EXPECT_TRUE(system["modes"][0]["frequency"].is_number());
  EXPECT_EQ(system["zeros"], Json::array());
  EXPECT_EQ(folder.read("out/linear.json"), ran.out);
  EXPECT_NE(folder.read("out/B.csv").find("x',0.5"), std::string::npos);
  for (const char* name : {"A.csv", "C.csv", "D.csv", "modes.csv"})
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / name)) << name;
}

TEST(LinearizeCommand, FollowsTheMotionToATime) {
  const Folder folder;
  folder.write("oscillator.vin", kOscillator);
  const Ran ran = run_command(folder, "linearize oscillator.vin --at 0.5 --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json system = Json::parse(ran.out);
  EXPECT_EQ(system["t"], 0.5);
  EXPECT_EQ(system["reference"], "motion");
  EXPECT_NEAR(system["state"][0].get<double>(), 0.1 * std::cos(2.5), tolerance::kBeside);
}

TEST(LinearizeCommand, FindsTheMultipliersOfAnOrbit) {
  const Folder folder;
  folder.write("vdp.vin",
               "model vdp\ncoord x\nlagrangian x'^2/2 - x^2/2\ngeneralized force on x = (1 - x^2)*x'\n"
               "start x = 2, x' = 0\nrun 1\n");
  const Ran ran = run_command(folder, "linearize vdp.vin --period 6.5 --orbit --json -o out");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json motion = Json::parse(ran.out);
  EXPECT_NEAR(motion["period"].get<double>(), 6.6632868593231301, tolerance::kConditioned);
  EXPECT_EQ(motion["stability"], "stable");
  EXPECT_EQ(motion["trivial"], true);
  ASSERT_EQ(motion["multipliers"].size(), 1u);
  EXPECT_EQ(folder.read("out/periodic.json"), ran.out);
  EXPECT_NE(folder.read("out/multipliers.csv").find("magnitude"), std::string::npos);
  EXPECT_NE(folder.read("out/M.csv").find("x'"), std::string::npos);
  const Ran wrong = run_command(folder, "linearize vdp.vin --period 6.5");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.err.find("[not-periodic]"), std::string::npos) << wrong.err;
  EXPECT_EQ(run_command(folder, "linearize vdp.vin --orbit").status, 2) << "--orbit needs --period";
}

TEST(LinearizeCommand, WritesARootLocus) {
  const Folder folder;
  folder.write("hoop.vin",
               "model hoop\nparam w = 1\ncoord x\nlagrangian x'^2/2 + (w^2 - 4)*x^2/2\nstart x = 0, x' = 0\nrun 1\n");
  const Ran ran = run_command(folder, "linearize hoop.vin --sweep w=1..4:4 --json -o out");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json locus = Json::parse(ran.out);
  ASSERT_EQ(locus["changes"].size(), 1u);
  EXPECT_NEAR(locus["changes"][0]["value"].get<double>(), 2.0, tolerance::kRoot);
  EXPECT_EQ(locus["values"][3]["stability"], "unstable");
  EXPECT_EQ(folder.read("out/root_locus.json"), ran.out);
  EXPECT_NE(folder.read("out/eigenvalues.csv").find("mode"), std::string::npos);
  EXPECT_EQ(run_command(folder, "linearize hoop.vin --sweep w=1..4").status, 2);
  EXPECT_EQ(run_command(folder, "linearize hoop.vin --sweep w=1..4:4 --at 1").status, 2);
}

TEST(LinearizeCommand, HasExitStatuses) {
  const Folder folder;
  folder.write("oscillator.vin", kOscillator);
  folder.write("falls.vin", "model falls\ncoord x\nlagrangian x'^2/2 - x\nrun 1\n");
  EXPECT_EQ(run_command(folder, "linearize oscillator.vin --inputs G").status, 2);
  EXPECT_EQ(run_command(folder, "linearize oscillator.vin --hold x").status, 2) << "--hold needs --equilibrium";
  const Ran none = run_command(folder, "equilibrium falls.vin");
  EXPECT_EQ(none.status, 1);
  EXPECT_NE(none.err.find("[no-equilibrium]"), std::string::npos) << none.err;
}

TEST(EquilibriumCommand, PrintsTheState) {
  const Folder folder;
  folder.write("oscillator.vin", kOscillator);
  const Ran ran = run_command(folder, "equilibrium oscillator.vin --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json state = Json::parse(ran.out);
  EXPECT_EQ(state["model"], "oscillator");
  EXPECT_NEAR(state["coordinates"]["x"].get<double>(), 0.0, tolerance::kZero);
  EXPECT_EQ(state["speeds"]["x'"], 0.0);
  EXPECT_NE(run_command(folder, "equilibrium oscillator.vin").out.find("x'"), std::string::npos);
}

}  // namespace linearize_command_test
}  // namespace vinculum

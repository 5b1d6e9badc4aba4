#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "e2e/command.hpp"
#include "support/models.hpp"

namespace vinculum {
namespace reports_test {

using nlohmann::json;
using test_support::Folder;
using test_support::Ran;
using test_support::run_command;

const std::string kModels = VINCULUM_MODELS;

TEST(Audit, PrintsItsVerdictALineAnIdentityOrJson) {
  const Folder folder;
  const Ran verdict = run_command(folder, "audit " + kModels + "/pucks_parallel.vin");
  EXPECT_EQ(verdict.status, 0) << verdict.out;
  EXPECT_TRUE(verdict.out.starts_with("14 identities hold at 40 instants of pucks_parallel; smallest margin "))
      << verdict.out;
  EXPECT_EQ(std::ranges::count(verdict.out, '\n'), 2) << verdict.out;
  const Ran text = run_command(folder, "audit --list " + kModels + "/pucks_parallel.vin");
  EXPECT_EQ(text.status, 0) << text.out;
  EXPECT_TRUE(text.out.starts_with(verdict.out.substr(0, verdict.out.find('\n') + 1))) << text.out;
  EXPECT_NE(text.out.find("8.3   holds          M u' = f + Qi + Qni"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("8.8   does not apply action = reaction"), std::string::npos) << text.out;
  const json result = json::parse(run_command(folder, "audit --json " + kModels + "/pucks_parallel.vin").out);
  EXPECT_EQ(result["model"], "pucks_parallel");
  EXPECT_EQ(result["holds"], true);
  EXPECT_EQ(result["samples"], 40);
  for (const json& line : result["lines"]) {
    EXPECT_EQ(line.size(), 9u);
    EXPECT_NE(line["allowed_from"], "") << line;
    EXPECT_EQ(line["worst"].is_null(), line["verdict"] == "does not apply") << line;
    EXPECT_NE(line["verdict"], "broken") << line;
  }
}

TEST(Audit, TakesTheOptionsOfARun) {
  const Folder folder;
  const std::string model = kModels + "/pucks_parallel.vin";
  const json result =
      json::parse(run_command(folder, "audit --json --until 0.5 --tolerance 1e-6 --method dp5 " + model).out);
  EXPECT_EQ(result["holds"], true);
  for (const json& line : result["lines"]) {
    if (!line["t"].is_null()) {
      EXPECT_LE(line["t"].get<double>(), 0.5) << line;
    }
  }
  folder.write("still.vin", "model m\ncoord x\nlagrangian x'^2/2\n");
  EXPECT_EQ(run_command(folder, "audit --until 1 still.vin").status, 0);
  EXPECT_NE(run_command(folder, "audit --method dp6 " + model).err.find("did you mean `dp5`?"), std::string::npos);
}

TEST(Audit, HoldsOfARunThatAnEventEndsForEverySampleInterval) {
  const Folder folder;
  // A speed is set at the end, and the last sample is the state after it.
  const std::string text = test_support::read_text(kModels + "/rimless_wheel.vin");
  for (const std::string step : {"0.05", "0.01", "0.005"}) {
    std::string changed = text;
    changed.replace(changed.find("step 0.05"), 9, "step " + step);
    const auto file = folder.write("wheel.vin", changed);
    const Ran ran = run_command(folder, "audit " + file.string());
    EXPECT_EQ(ran.status, 0) << step << "\n" << ran.out << ran.err;
  }
}

TEST(Audit, OfARunThatStopsIsNoSuccess) {
  const Folder folder;
  const std::string text = "model m\ncoord x\nlagrangian x'^2/2 + x*sqrt(1 - t)\nstart x = 0, x' = 0.5\nrun 2\n";
  folder.write("stops.vin", text);
  const Ran ran = run_command(folder, "audit stops.vin");
  EXPECT_EQ(ran.status, 1) << ran.out;
  EXPECT_NE(ran.out.find("no success: the run stopped at t = "), std::string::npos) << ran.out;
  EXPECT_EQ(json::parse(run_command(folder, "audit --json stops.vin").out)["holds"], false);
  folder.write("ends.vin", text + "expect stop: non-finite\n");
  EXPECT_EQ(run_command(folder, "audit ends.vin").status, 0);
}

// At a switch the equations have the value of neither side: sign(y') at rest, the end of a push. The audit skips such
// instants, also if the run ends there.
TEST(Audit, JudgesNoInstantAtWhichTheEquationsSwitch) {
  const Folder folder;
  folder.write("switch.vin",
               "model switch\nframe N newtonian\npoint O fixed in N\ncoord x, y\n"
               "particle P mass 1 at O + x*N.x\nparticle Q mass 1 at O + y*N.y\n"
               "force on P = (1 if t < 1 else 0)*N.x\nforce on Q = (0.7 - 0.3*sign(y'))*N.y\n"
               "start x = 0, x' = 0, y = 0, y' = 0\nrun 3 step 0.5 tolerance 1e-9\n"
               "expect at end: x = 2.5 ± 1e-9\nexpect at end: y = 1.8 ± 1e-9\n");
  for (const char* until : {"3", "1"}) {
    const Ran ran = run_command(folder, std::string("audit switch.vin --until ") + until);
    EXPECT_EQ(ran.status, 0) << ran.out;
  }
  const Ran ran = run_command(folder, "test switch.vin");
  EXPECT_EQ(ran.status, 0) << ran.out;
}

TEST(Audit, OfAModelWithoutARunSaysSo) {
  const Folder folder;
  folder.write("still.vin", "model m\ncoord x\nlagrangian x'^2/2\n");
  const Ran ran = run_command(folder, "audit still.vin");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("`m` has no `run` statement"), std::string::npos) << ran.err;
}

TEST(Run, WithoutARunStatementSaysWhereOneWouldStand) {
  const Folder folder;
  folder.write("still.vin", "model m\ncoord x [m]\nlagrangian 1 [kg]*x'^2/2\nstart x' = 1  # and no more\n\n");
  const Ran ran = run_command(folder, "run still.vin");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("still.vin:4:"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("`m` has no `run` statement [missing-statement]"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("hint: state the end: `run 10 [s]` here, or `until`"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "results"));
}

TEST(Run, LeavesNothingBehindWhereItHasNoStart) {
  const Folder folder;
  folder.write("torn.vin",
               "model torn\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint a: x = 1\nconstraint b: x = 2\nrun 1\n");
  const Ran ran = run_command(folder, "run torn.vin");
  EXPECT_EQ(ran.status, 1);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "results")) << ran.out;
  EXPECT_EQ(ran.out.find("wrote"), std::string::npos) << ran.out;
  const Ran named = run_command(folder, "run --json torn.vin -o out");
  EXPECT_TRUE(json::parse(named.out)["t"].is_null());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out"));
}

TEST(Explain, FollowsVariationsAlongTheMotion) {
  const Folder folder;
  const Ran ran = run_command(folder, "explain --along --until 1 " + kModels + "/blade_variations.vin");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("variations along the motion, 0 to 1 s"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("they do not stay virtual displacements"), std::string::npos) << ran.out;
  EXPECT_EQ(run_command(folder, "explain --until 1 " + kModels + "/blade_variations.vin").status, 2);
  EXPECT_EQ(run_command(folder, "explain " + kModels + "/blade_variations.vin").out.find("along the motion"),
            std::string::npos);
}

TEST(Explain, PrintsAPlaneInertiaAsItWasWritten) {
  const Folder folder;
  const std::string out = run_command(folder, "explain " + kModels + "/parallel_bodies.vin").out;
  EXPECT_NE(out.find("body disk frame B mass m2 inertia plane J2 at"), std::string::npos) << out;
  EXPECT_NE(
      run_command(folder, "explain " + kModels + "/rolling_disk.vin").out.find("inertia (m*r^2/4, m*r^2/2, m*r^2/4)"),
      std::string::npos);
}

// Every model shows its geometry or the reason why it has none.
TEST(Explain, ShowsTheGeometryOrSaysWhyThereIsNone) {
  const Folder folder;
  const std::string coupled = run_command(folder, "explain --geometry " + kModels + "/sliding_contact.vin").out;
  EXPECT_NE(coupled.find("M, not positive definite: H = M + A'WA takes its place below"), std::string::npos) << coupled;
  EXPECT_NE(coupled.find("Gauss' function"), std::string::npos);
  const std::string higher = run_command(folder, "explain --geometry " + kModels + "/pendulum_differentiated.vin").out;
  EXPECT_NE(higher.find("geometry: constraint `differentiated` is of higher order and has no row in A u' = b"),
            std::string::npos)
      << higher;
}

}  // namespace reports_test
}  // namespace vinculum

#include "e2e/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace vinculum {
namespace command_test {

using nlohmann::json;
using test_support::Folder;
using test_support::Ran;
using test_support::run_command;

const std::string kModels = VINCULUM_MODELS;

constexpr const char* kFiveMistakes = R"(model five
frame N newtonian
point O fixed in N
param m = 1 [kg], g = 9.81 [m/s^2]
coord x, y [m]
particle P mass m at O + x*N.x + y*N.y
gravity -g*N.w
force on Q = 1 [N]*N.x
constraint a: dot(vel(P), N.x) = 3 [m/s^2]
constraint b: x*y
output e = sinn(x)
run 1 [s]
)";

TEST(Run, PrintsTheEndOfTheMotionAndWritesCsvAndJson) {
  const Folder folder;
  const Ran ran = run_command(folder, "run " + kModels + "/pucks_parallel.vin -o out");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("2.01445613"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("lambda"), std::string::npos);
  EXPECT_EQ(ran.err, "");
  const std::string csv = folder.read("out/trajectory.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "t,q1,q2,q3,q4,q1',q2',q3',q4',lambda,C1.x,C1.y,C1.z,C2.x,C2.y,C2.z,residual(parallel)");
  const json result = json::parse(folder.read("out/result.json"));
  EXPECT_NEAR(result["state"]["q1"].get<double>(), 2.01445613569204474, 1e-9);
}

TEST(Run, SaysInWhichUnitEachNumberIs) {
  const Folder folder;
  folder.write(
      "swing.vin",
      "model swing\nframe N newtonian\npoint O fixed in N\nparam l = 500 [mm], slow = 2 [deg/s]\ncoord a [deg]\n"
      "particle P mass 1 [kg] at O + l*sin(a)*N.x - l*cos(a)*N.y\nconstraint still: a' = slow\n"
      "output moment = multiplier(still)\noutput e = kinetic_energy\noutput v = vel(P)\n"
      "start a = 90\nrun 1 [s]\n");
  const Ran ran = run_command(folder, "run swing.vin --at 0,1 -o out");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("  a  =                     92 deg      a' =                      2 deg/s\n"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find(" m/s in frame N"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\n  t s "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\n  a deg "), std::string::npos) << ran.out;
  const std::string csv = folder.read("out/trajectory.csv");
  EXPECT_TRUE(
      csv.starts_with("t,a,a',moment,e,v.x,v.y,v.z,residual(still)\n"
                      "# s,rad,rad/s,N*m,J,m/s,m/s,m/s,rad/s\n# vinculum-csv 1 {\"version\":"))
      << csv.substr(0, 200);
  EXPECT_NE(csv.find("}\n0,1.5707963267948966,"), std::string::npos) << csv.substr(0, 300);
  const json result = json::parse(folder.read("out/result.json"));
  EXPECT_EQ(result["format"], 1);
  EXPECT_EQ(result["units"]["a'"], "rad/s");
  EXPECT_NEAR(result["state"]["a'"].get<double>(), 0.0349065850398866, 1e-12);
  const Ran explained = run_command(folder, "explain swing.vin");
  EXPECT_NE(
      explained.out.find("2 parameters: l = 500 mm, slow = 2 deg/s\n1 coordinate: a [deg]\n1 speed: a' [deg/s]\n"),
      std::string::npos)
      << explained.out;
}

TEST(Run, WritesEnergiesAndPowersWhereAskedFor) {
  const Folder folder;
  const Ran ran = run_command(folder, "run " + kModels + "/nonideal_cone.vin --energy -o out");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("energy balance: worst "), std::string::npos) << ran.out;
  const std::string csv = folder.read("out/energy.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "t,kinetic_energy,potential_energy,energy,power(gravity),power(cone),work,balance");
  const std::string trajectory = folder.read("out/trajectory.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), std::count(trajectory.begin(), trajectory.end(), '\n'));
}

TEST(Run, WritesLoadsWhereAskedFor) {
  const Folder folder;
  folder.write("hanging.vin",
               "model hanging\nframe N newtonian\npoint O fixed in N\ncoord x, y [m]\n"
               "particle P mass 2 [kg] at O + x*N.x + y*N.y\ngravity -10 [m/s^2]*N.y\n"
               "constraint rod: norm(pos(P, O)) = 1 [m]\nstart y = -1\nrun 1 [s]\n");
  const Ran ran = run_command(folder, "run hanging.vin --loads -o out");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("  rod  "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("wrote out/trajectory.csv, loads.csv"), std::string::npos) << ran.out;
  const std::string csv = folder.read("out/loads.csv");
  EXPECT_TRUE(csv.starts_with("constraint,on,kind,unit,frame,unique,peak,t,rms,mean,at_peak.x,")) << csv;
  EXPECT_NE(csv.find("\nrod,P,force,N,N,true,"), std::string::npos) << csv;
  const Ran wrong = run_command(folder, "run hanging.vin --loads-in M");
  EXPECT_NE(wrong.status, 0);
  EXPECT_NE(wrong.err.find("no frame `M`"), std::string::npos) << wrong.err;
  ASSERT_EQ(run_command(folder, "run hanging.vin -o out").status, 0);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out/loads.csv"));
}

TEST(Run, WritesDerivativesWhereAskedFor) {
  const Folder folder;
  folder.write("fall.vin", "model fall\nparam g = 10\ncoord x\nlagrangian x'^2/2 - g*x\nstart x = 0\nrun 1 step 0.5\n");
  const Ran ran = run_command(folder, "run fall.vin --sensitivity \"g, x\" -o out");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("d x / d g   -0.5"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("wrote out/trajectory.csv, sensitivities.csv"), std::string::npos) << ran.out;
  const std::string csv = folder.read("out/sensitivities.csv");
  EXPECT_TRUE(csv.starts_with("t,d x / d g,d x' / d g,d x / d x,d x' / d x\n")) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6) << csv;
  folder.write("ball.vin",
               "model ball\nparam e = 0.5\ncoord z\nlagrangian z'^2/2 - 10*z\nconstraint ground: z >= 0\n    "
               "restitution e\nstart z = 1\nrun 3\n");
  const Ran ball = run_command(folder, "run ball.vin --sensitivity e -o out");
  EXPECT_EQ(ball.status, 1);
  EXPECT_NE(ball.err.find("the impacts of constraint `ground` accumulate here [not-smooth]"), std::string::npos)
      << ball.err;
  // Samples before that instant are kept: the impacts accumulate at 3*sqrt(0.2) s.
  const std::string until = folder.read("out/sensitivities.csv");
  const double last = std::stod(until.substr(until.rfind('\n', until.size() - 2) + 1));
  EXPECT_LT(last, 3 * std::sqrt(0.2));
  EXPECT_GT(last, 1.2);
  EXPECT_NE(ball.out.find("where they end"), std::string::npos) << ball.out;
  const Ran wrong = run_command(folder, "run fall.vin --sensitivity h");
  EXPECT_NE(wrong.status, 0);
  EXPECT_NE(wrong.err.find("no parameter, coordinate, speed or state `h`"), std::string::npos) << wrong.err;
}

TEST(Run, RefusesToConserveWhatIsNot) {
  const Folder folder;
  folder.write("cone.vin", folder.read(kModels + "/nonideal_cone.vin") + "conserve energy\n");
  const Ran ran = run_command(folder, "run cone.vin");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("`energy` is not an invariant: the reaction of cone works [not-conserved]"), std::string::npos)
      << ran.err;
}

TEST(Run, TellsWhereFrictionChanges) {
  const Folder folder;
  const Ran ran = run_command(folder, "run --json " + kModels + "/friction_incline_sticks.vin");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json changes = json::parse(ran.out)["friction"];
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_NEAR(changes[0]["t"].get<double>(), 0.345112230031227651, 1e-12);
  EXPECT_EQ(changes[0]["constraint"], "contact");
  EXPECT_EQ(changes[0]["to"], "sticks");
  EXPECT_NE(run_command(folder, "run " + kModels + "/friction_incline_sticks.vin")
                .out.find("at t = 0.34511223 s `contact` comes to rest and sticks"),
            std::string::npos);
}

TEST(Run, PrintsOneJsonObjectOfTheDocumentedShape) {
  const Folder folder;
  const Ran ran = run_command(folder, "run --json --at 1,2,3 " + kModels + "/pucks_parallel.vin");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json result = json::parse(ran.out);
  EXPECT_EQ(result["model"], "pucks_parallel");
  EXPECT_DOUBLE_EQ(result["t"].get<double>(), 4.0);
  EXPECT_NEAR(result["state"]["q4'"].get<double>(), 3.96058951576523674, 1e-9);
  EXPECT_NEAR(result["outputs"]["lambda"].get<double>(), -0.0322099437059590275, 1e-9);
  ASSERT_EQ(result["outputs"]["C1"].size(), 3u);
  EXPECT_NEAR(result["outputs"]["C1"][0].get<double>(), -0.127570365345209800, 1e-9);
  EXPECT_LT(result["residuals"]["parallel"].get<double>(), 1e-12);
  EXPECT_GT(result["steps"].get<int>(), 0);
  for (const char* stage : {"parse", "derive", "compile", "simulate"})
    EXPECT_GE(result["seconds"][stage].get<double>(), 0.0);
  EXPECT_TRUE(result["stopped"].is_null());
  ASSERT_EQ(result["samples"].size(), 3u);
  EXPECT_DOUBLE_EQ(result["samples"][1]["t"].get<double>(), 2.0);
  EXPECT_NEAR(result["samples"][1]["state"]["q1"].get<double>(), 0.731630709572771942, 1e-9);
  EXPECT_NEAR(result["samples"][1]["outputs"]["lambda"].get<double>(), -0.0407831697818518176, 1e-9);
}

TEST(Run, WithAProfileSaysWhereItsTimeWent) {
  const test_support::Folder folder;
  const Ran ran = run_command(folder, "run --json --profile " + kModels + "/pucks_parallel.vin");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json result = json::parse(ran.out);
  const json& profile = result["profile"];
  double sum = 0.0;
  for (const char* part : {"start", "steps", "right_sides", "projection", "events", "looks", "reports", "writing"}) {
    ASSERT_TRUE(profile.contains(part)) << part;
    EXPECT_GE(profile[part]["seconds"].get<double>(), 0.0) << part;
    sum += profile[part]["seconds"].get<double>();
  }
  for (const char* part : {"parse", "elaborate", "derive", "compile"})
    EXPECT_GT(profile[part]["seconds"].get<double>(), 0.0) << part;
  const double simulated = result["seconds"]["simulate"].get<double>();
  EXPECT_NEAR(sum, simulated, 0.05 * simulated);
  EXPECT_EQ(profile["right_sides"]["calls"].get<long>(), result["evaluations"].get<long>());
  EXPECT_EQ(profile["projection"]["calls"].get<long>(), result["steps"].get<long>());
  EXPECT_EQ(profile["handed_over"].get<long>(), 0);
  EXPECT_FALSE(
      json::parse(run_command(folder, "run --json " + kModels + "/pucks_parallel.vin").out).contains("profile"));
  const Ran said = run_command(folder, "run --profile " + kModels + "/pucks_parallel.vin");
  EXPECT_NE(said.out.find("time of each part"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("right_sides"), std::string::npos) << said.out;
}

TEST(Run, StopsWhereTheMotionStopsBeingUniqueAndSaysSo) {
  const Folder folder;
  const Ran ran = run_command(folder, "run --json " + kModels + "/appell_rising.vin");
  EXPECT_EQ(ran.status, 1);
  const json result = json::parse(ran.out);
  EXPECT_EQ(result["stopped"]["kind"], "not-unique");
  EXPECT_NEAR(result["stopped"]["t"].get<double>(), 0.23743501290135381588, 1e-9);
  EXPECT_NE(result["stopped"]["where"].get<std::string>().find("appell_rising.vin:"), std::string::npos);
  EXPECT_NE(ran.err.find("constraint cone"), std::string::npos) << ran.err;
}

TEST(Run, SaysWhyItStopsBeforeItsLastValidState) {
  const Folder folder;
  folder.write("lock.vin",
               "model lock\nframe N newtonian\npoint O fixed in N\ncoord a, b, c [deg]\nframe A = N rotated c about z\n"
               "frame C = A rotated b about y\nframe B = C rotated a about x\n"
               "body plane frame B mass 1 [kg] inertia (1, 2, 3) [kg*m^2] at O\n"
               "start a = 0, b = 80, c = 0, b' = 20\nrun 1 [s]\n");
  const Ran ran = test_support::run_line(folder, "\"$VINCULUM\" run lock.vin 2>&1");
  EXPECT_EQ(ran.status, 1);
  const std::size_t error = ran.out.find("lock.vin:4:7: error: at t = 0.5 s"),
                    state = ran.out.find("\nlast valid state, t = 0.49999");
  ASSERT_NE(error, std::string::npos) << ran.out;
  ASSERT_NE(state, std::string::npos) << ran.out;
  EXPECT_LT(error, state) << ran.out;
}

TEST(Run, ThatStopsAtItsStartShowsNoTable) {
  const Folder folder;
  const Ran ran = run_command(folder, "run " + kModels + "/painleve_rod_no_solution.vin");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("\nno motion: no reaction of `guide` agrees"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("0 steps"), std::string::npos) << ran.out;
}

/// x = 1/(1 - t): at the last state the force has no accurate digits.
TEST(Run, LeavesOutOutputsThatGrowWithoutBound) {
  const Folder folder;
  folder.write("runaway.vin",
               "model runaway\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\n"
               "force on P = 2*x^3*N.x\noutput F = 2*x^3\noutput one = 1 + 0*x\nstart x = 1, x' = 1\nrun 2\n");
  const Ran ran = run_command(folder, "run runaway.vin");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("grow without bound towards the stop: `F`\n"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("\n  F "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\n  one = 1\n"), std::string::npos) << ran.out;
}

TEST(Run, TakesOtherParametersAndRefusesUnknownOnes) {
  const Folder folder;
  const Ran heavy = run_command(folder, "run --json --set 'm2=4 [kg]' " + kModels + "/pucks_parallel.vin");
  ASSERT_EQ(heavy.status, 0) << heavy.err;
  EXPECT_GT(std::abs(json::parse(heavy.out)["state"]["q1"].get<double>() - 2.01445613569204474), 1e-3);
  const Ran unknown = run_command(folder, "run --set mm=4 " + kModels + "/pucks_parallel.vin");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_NE(unknown.err.find("mm"), std::string::npos);
}

TEST(Run, GivesTheSameBitsByEveryBackEnd) {
  const Folder folder;
  const auto state = [&](const std::string& backend) {
    const Ran ran = run_command(folder, "run --json --backend " + backend + " " + kModels + "/kepler.vin");
    EXPECT_EQ(ran.status, 0) << ran.err;
    return json::parse(ran.out)["state"];
  };
  const json native = state("native");
  EXPECT_EQ(native, state("tape"));
  EXPECT_EQ(native, state("interpreter"));
}

TEST(Readme, ShowsWhatExplainPrints) {
  const Folder folder;
  std::filesystem::create_directories(folder.path() / "models");
  std::filesystem::copy(kModels + "/pucks_parallel.vin", folder.path() / "models");
  const Ran ran = run_command(folder, "explain models/pucks_parallel.vin");
  std::ifstream stream(VINCULUM_SOURCE "/README.md");
  std::ostringstream readme;
  readme << stream.rdbuf();
  EXPECT_NE(readme.str().find("$ vinculum explain models/pucks_parallel.vin\n" + ran.out), std::string::npos)
      << ran.out;
}

TEST(Derive, PrintsTheEquationsInTheFormAndLanguageAskedFor) {
  const Folder folder;
  const Ran text = run_command(folder, "derive " + kModels + "/pucks_parallel.vin --form augmented");
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("m1*q1'' = q4'*multiplier(parallel) + 0.3\n"), std::string::npos) << text.out;
  const Ran c = run_command(folder, "derive " + kModels + "/pucks_parallel.vin --to c --set 'm1=3 [kg]'");
  ASSERT_EQ(c.status, 0) << c.err;
  EXPECT_NE(c.out.find("p[0] = 3.0;"), std::string::npos) << c.out;
  EXPECT_NE(c.out.find("int pucks_parallel_accelerations(double t"), std::string::npos);
}

TEST(Derive, RefusesFormsAndLanguagesThatThereAreNot) {
  const Folder folder;
  const Ran friction = run_command(folder, "derive " + kModels + "/friction_incline.vin --to c");
  EXPECT_EQ(friction.status, 1);
  EXPECT_NE(
      friction.err.find("error: no code for friction_incline: forces that `contact` states depend on the reactions"),
      std::string::npos)
      << friction.err;
  EXPECT_EQ(run_command(folder, "derive " + kModels + "/prescribed_acceleration.vin --to python").status, 1);
  EXPECT_EQ(run_command(folder, "derive " + kModels + "/prescribed_acceleration.vin --form augmented").status, 0);
  EXPECT_EQ(run_command(folder, "derive " + kModels + "/pendulum.vin --form implicit").status, 2);
  EXPECT_EQ(run_command(folder, "derive " + kModels + "/pendulum.vin --to fortran").status, 2);
  EXPECT_EQ(run_command(folder, "derive").status, 2);
  folder.write("implicit.vin",
               "model implicit\nframe N newtonian\npoint O fixed in N\ncoord x, y, z\n"
               "particle P mass 1 at O + x*N.x + y*N.y + z*N.z\nconstraint c: dot(pos(P, O), N.z) = 0\n"
               "    nonideal on P = -0.3*norm(reaction(c, P))*unit(vel(P))\nstart x' = 1\nrun 1\n");
  const Ran implicit = run_command(folder, "derive implicit.vin --to c");
  EXPECT_EQ(implicit.status, 1);
  EXPECT_NE(implicit.err.find("no code for implicit: forces that `c` states depend on the reactions"),
            std::string::npos)
      << implicit.err;
  EXPECT_EQ(run_command(folder, "derive nothing.vin").status, 2);
}

TEST(Check, IsSilentWhenRight) {
  const Folder folder;
  const Ran ran = run_command(folder, "check " + kModels + "/kepler.vin");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out + ran.err, "");
  EXPECT_EQ(json::parse(run_command(folder, "check --json " + kModels + "/kepler.vin").out), json::array());
}

TEST(Check, ReportsFiveMistakesAtTheirColumnsInOneRun) {
  const Folder folder;
  folder.write("five.vin", kFiveMistakes);
  const Ran ran = run_command(folder, "check --json five.vin");
  EXPECT_EQ(ran.status, 1);
  const json found = json::parse(ran.out);
  ASSERT_EQ(found.size(), 5u) << ran.out;
  const std::vector<std::pair<int, int>> places = {{7, 14}, {8, 10}, {9, 15}, {10, 18}, {11, 12}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_EQ(found[i]["file"], "five.vin");
    EXPECT_EQ(found[i]["line"], places[i].first) << found[i];
    EXPECT_EQ(found[i]["column"], places[i].second) << found[i];
    EXPECT_EQ(found[i]["severity"], "error");
  }
}

// A double pendulum from two instances of a component that is in a file of its own.
constexpr const char* kLink = R"(source "a link of its own"
component link(A, base, L, m) {
  coord q [rad]
  frame B = A rotated q about z
  point tip = base + L*B.x
  particle bob mass m at tip
}
)";
constexpr const char* kPendulum = R"(model pendulum
frame N newtonian
point O fixed in N
include "parts/link.vin"
use link(N, O, 1 [m], 1 [kg]) as upper
use link(N, upper.tip, 0.5 [m], 2 [kg]) as lower
gravity -9.81 [m/s^2]*N.y
start upper.q = -1, lower.q = -1.5
run 1 [s]
expect always: energy = -9.81 [J]*(3*sin(1) + sin(1.5)) ± 1e-6
expect at start: [upper.q, lower.q] = [-1, -1.5] ± 1e-15
)";

TEST(Test, RunsAModelOfAnIncludedComponent) {
  const Folder folder;
  std::filesystem::create_directory(folder.path() / "parts");
  folder.write("parts/link.vin", kLink);
  folder.write("m.vin", kPendulum);
  const Ran ran = run_command(folder, "test m.vin");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const Ran run = run_command(folder, "run --json m.vin");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(json::parse(run.out)["state"].contains("lower.q")) << run.out;
}

TEST(Check, ShowsAMistakeOfAnIncludedFileThere) {
  const Folder folder;
  std::filesystem::create_directory(folder.path() / "parts");
  std::string link = kLink;
  link.replace(link.find("mass m"), 6, "mass 3 [m]");
  folder.write("parts/link.vin", link);
  folder.write("m.vin", kPendulum);
  const json found = json::parse(run_command(folder, "check --json m.vin").out);
  ASSERT_EQ(found.size(), 1u) << found;
  EXPECT_EQ(found[0]["file"], "parts/link.vin");
  EXPECT_EQ(found[0]["line"], 6);
  EXPECT_EQ(found[0]["column"], 21);
  const Ran ran = run_command(folder, "check m.vin");
  EXPECT_EQ(ran.status, 1);
  const std::string text = ran.out + ran.err;
  EXPECT_TRUE(text.starts_with("parts/link.vin:6:21: error: ")) << text;
  EXPECT_NE(text.find("  in m.vin:\n  5 | use link(N, O, 1 [m], 1 [kg]) as upper\n"), std::string::npos) << text;
}

TEST(Test, CountsTheExpectationsItChecked) {
  const Folder folder;
  const Ran ran = run_command(folder, "test " + kModels + "/pendulum.vin");
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_NE(ran.out.find("1 model, 10 expectations checked: 10 passed, 0 failed"), std::string::npos) << ran.out;
}

TEST(Test, SaysWhatCouldNotBeRun) {
  const Folder folder;
  folder.write("wrong.vin", "model wrong\nframe N newtonian\ncoord z\nexpect at end: z = w ± 1e-9\nrun 1\n");
  const Ran ran = run_command(folder, "test wrong.vin");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("could not be run"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("1 model, 0 expectations checked: 0 passed, 0 failed; 1 model could not be run"),
            std::string::npos)
      << ran.out;
}

TEST(Test, FailsWhenAnExpectationFails) {
  const Folder folder;
  folder.write("fall.vin",
               "model fall\nframe N newtonian\npoint O fixed in N\ncoord z\nparticle P mass 1 at O + z*N.z\n"
               "gravity -10*N.z\nrun 1\nexpect at end: z = -5 ± 1e-9\nexpect at end: z = -5.1 ± 1e-9\n");
  const Ran ran = run_command(folder, "test fall.vin");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("fall.vin:9:"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("2 expectations checked: 1 passed, 1 failed"), std::string::npos) << ran.out;
}

TEST(Format, IsItsOwnFixedPoint) {
  const Folder folder;
  const Ran once = run_command(folder, "format " + kModels + "/nonideal_cone.vin");
  ASSERT_EQ(once.status, 0) << once.err;
  folder.write("once.vin", once.out);
  EXPECT_EQ(run_command(folder, "format once.vin").out, once.out);
  EXPECT_EQ(run_command(folder, "format --check once.vin").status, 0);
}

TEST(Usage, NamesTheWordThatIsNoNumber) {
  const Ran wrong = run_command(Folder(), "run --until=abc " + kModels + "/kepler.vin");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "vinculum: `abc` is not a number: --until needs one\nRun with --help for more.\n");
}

TEST(Usage, NamesTheWordThatIsNoCommand) {
  const Folder folder;
  const Ran wrong = run_command(folder, "chek x.vin");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "vinculum: there is no command `chek`; did you mean `check`?\n");
  EXPECT_EQ(run_command(folder, "animate x.vin").err,
            "vinculum: there is no command `animate`; commands are check, explain, derive, run, show, watch, audit, "
            "compare, linearize, equilibrium, test, format and import\n");
  EXPECT_EQ(run_command(folder, "").err,
            "vinculum: a command is needed: check, explain, derive, run, show, watch, audit, compare, linearize, "
            "equilibrium, test, format and import\n"
            "Run with --help for more.\n");
  EXPECT_NE(
      run_command(folder, "run --until=-1 " + kModels + "/kepler.vin").err.find("`-1` is not a number of seconds"),
      std::string::npos);
}

TEST(Usage, NamesTheModelThatAMisspeltFileMeans) {
  const Folder folder;
  folder.write("pendulum.vin", "");
  EXPECT_EQ(run_command(folder, "run pendulm.vin").err,
            "vinculum: there is no file `pendulm.vin`; did you mean `pendulum.vin`?\n");
  EXPECT_EQ(run_command(folder, "check ./pendulum").err,
            "vinculum: there is no file `./pendulum`; did you mean `./pendulum.vin`?\n");
  EXPECT_EQ(run_command(folder, "check none/pendulum.vin").err, "vinculum: there is no file `none/pendulum.vin`\n");
}

TEST(Usage, IsStatusTwo) {
  const Folder folder;
  EXPECT_EQ(run_command(folder, "").status, 2);
  EXPECT_EQ(run_command(folder, "simulate x.vin").status, 2);
  EXPECT_EQ(run_command(folder, "check missing.vin").status, 2);
  EXPECT_EQ(run_command(folder, "run --until=-1 " + kModels + "/kepler.vin").status, 2);
  EXPECT_EQ(run_command(folder, "run --set novalue " + kModels + "/kepler.vin").status, 2);
  EXPECT_EQ(run_command(folder, "--help").status, 0);
}

TEST(Usage, OfNumbersThatAreNoneIsRefusedByEveryCommandThatMoves) {
  const Folder folder;
  for (const std::string command : {"run", "audit", "compare --laws ideal,vakonomic"}) {
    for (const std::string wrong : {"--tolerance nan", "--tolerance inf", "--tolerance=-1e-8", "--tolerance 0",
                                    "--until nan", "--until inf", "--until=-1"}) {
      const Ran ran = run_command(folder, command + " " + wrong + " " + kModels + "/pucks_parallel.vin");
      EXPECT_EQ(ran.status, 2) << command << " " << wrong;
      EXPECT_NE(ran.err.find(wrong.substr(2, wrong.find_first_of(" =") - 2) + ": `"), std::string::npos) << ran.err;
    }
  }
  EXPECT_EQ(run_command(folder, "run --at nan " + kModels + "/pucks_parallel.vin").status, 2);
  EXPECT_EQ(
      run_command(folder, "compare --laws ideal,vakonomic --max-steps nan " + kModels + "/pucks_parallel.vin").status,
      2);
}

TEST(Model, IsDataAndWritesNothingOutsideTheResultsFolder) {
  const Folder folder;
  folder.write("table.vin",
               "model t\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\n"
               "force on P = table(\"../../../etc/passwd\", x)*N.x\nrun 1\n");
  const Ran ran = run_command(folder, "check table.vin");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("[file-not-found]"), std::string::npos) << ran.err;
}

}  // namespace command_test
}  // namespace vinculum

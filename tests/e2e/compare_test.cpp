#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "e2e/command.hpp"
#include "support/models.hpp"

// `vinculum compare` from the command line, against numbers integrated outside the project.
namespace vinculum {
namespace compare_test {

using nlohmann::json;
using test_support::Folder;
using test_support::Ran;
using test_support::run_command;

const std::string kModels = VINCULUM_MODELS;
const std::string kReferences = VINCULUM_SOURCE "/tests/reference/";

Ran compare(const Folder& folder, const std::string& model, const std::string& options) {
  return run_command(folder, "compare " + kModels + "/" + model + ".vin " + options);
}

json compared(const Folder& folder, const std::string& model, const std::string& options) {
  const Ran ran = compare(folder, model, "--json " + options);
  EXPECT_EQ(ran.status, 0) << ran.err;
  return json::parse(ran.out);
}

/// Final difference of a quantity between a variant and the first one.
double end(const json& result, std::size_t variant, const std::string& quantity) {
  for (const json& one : result["variants"][variant]["quantities"]) {
    if (one["name"] == quantity) return one["end"].get<double>();
  }
  ADD_FAILURE() << "no quantity " << quantity;
  return std::nan("");
}

/// The columns value1 … value3 of one line of limit_theorems.csv.
std::vector<double> limit_theorem(const std::string& limit, const std::string& parameter) {
  std::istringstream lines(test_support::read_text(kReferences + "limit_theorems.csv"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(limit + "," + parameter + ",")) continue;
    std::vector<double> values;
    std::istringstream fields(line.substr(limit.size() + parameter.size() + 2));
    for (std::string field; std::getline(fields, field, ',');) values.push_back(std::stod(field));
    return values;
  }
  ADD_FAILURE() << limit << " " << parameter;
  return std::vector<double>(3);
}

/// Checks that the orders between neighbors of the first ladder are near 1, except the first, and equal in the
/// printed table.
void expect_order_one(const json& ladder, const std::string& reference) {
  EXPECT_EQ(ladder["reference"], reference);
  EXPECT_EQ(ladder["theory"], 1.0);
  for (std::size_t k = 2; k < ladder["rungs"].size(); ++k) {
    EXPECT_NEAR(ladder["rungs"][k]["coordinates_order"].get<double>(), 1.0, 0.05) << k;
  }
}

TEST(Compare, ViscousKnifeEdgeTendsToTheIdealLawAsTheReferenceDoes) {
  const Folder folder;
  const json result = compared(folder, "knife_edge_viscous", "--laws 'ideal,viscous(kappa=1e1..1e4)'");
  const double theta = 3.06609908073390836, rate = 0.929508987602479720;  // values of the ideal law, 18 digits
  for (std::size_t k = 1; k <= 4; ++k) {
    const auto values = limit_theorem("viscous->nonholonomic", "1e-" + std::to_string(k));
    EXPECT_NEAR(end(result, k, "theta"), std::fabs(values[2] - theta), 1e-9);
    EXPECT_NEAR(end(result, k, "theta'"), std::fabs(values[1] - rate), 1e-9);
  }
  expect_order_one(result["ladders"][0], "ideal");
}

TEST(Compare, AddedInertiaTendsToTheVakonomicLawAsTheReferenceDoes) {
  const Folder folder;
  const json result = compared(folder, "knife_edge_inertial", "--laws 'vakonomic(mu=mu0),inertial(kappa=1e1..1e5)'");
  const std::vector<double> limit{2.429120379757053, 0.1075414835516821, 1.990505935190712};
  const char* names[] = {"x", "y", "phi"};
  for (std::size_t k = 1; k <= 5; ++k) {
    const auto values = limit_theorem("added-mass->vakonomic", "1e" + std::to_string(k));
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(end(result, k, names[i]), std::fabs(values[i] - limit[i]), 1e-9) << k << names[i];
  }
  expect_order_one(result["ladders"][0], "vakonomic(mu=mu0)");
}

TEST(Compare, StiffPendulumTendsToTheIdealLawAsTheReferenceDoes) {
  const Folder folder;
  const json result = compared(folder, "pendulum_stiff", "--laws 'ideal,stiff(kappa=1e3..1e6)'");
  const double theta = 0.91664758966324498;
  for (std::size_t k = 3; k <= 6; ++k) {
    const auto values = limit_theorem("stiff->pendulum", "1e" + std::to_string(k));
    EXPECT_NEAR(end(result, k - 2, "x"), std::fabs(values[0] - std::sin(theta)), 1e-8);
    EXPECT_NEAR(end(result, k - 2, "y"), std::fabs(values[1] + std::cos(theta)), 1e-8);
  }
  expect_order_one(result["ladders"][0], "ideal");
}

TEST(Compare, KozlovsFamilyTendsToTheLawsAtItsEnds) {
  const Folder folder;
  const json both = compared(folder, "knife_edge_inertial",
                             "--laws 'ideal,vakonomic(mu=mu0),kozlov(c=1e2..1e5,mu=mu0),kozlov(c=1e-1..1e-4,mu=mu0)'");
  expect_order_one(both["ladders"][0], "ideal");
  EXPECT_EQ(both["ladders"][0]["limit"], "c without bound");
  expect_order_one(both["ladders"][1], "vakonomic(mu=mu0)");
  EXPECT_EQ(both["ladders"][1]["limit"], "c to 0");
}

TEST(Compare, SkateUnderBothLawsPartsAsTheReferenceDoes) {
  const Folder folder;
  std::istringstream lines(test_support::read_text(kReferences + "vakonomic_skate.csv"));
  std::string header, line;
  std::getline(lines, header);
  while (std::getline(lines, line)) {
    std::map<std::string, double> at;
    std::istringstream names(header), values(line);
    for (std::string name, value; std::getline(names, name, ',') && std::getline(values, value, ',');)
      at[name] = std::stod(value);
    const json result =
        compared(folder, "knife_edge_inertial", "--laws 'ideal,vakonomic(mu=0.5)' --until " + std::to_string(at["t"]));
    EXPECT_NEAR(end(result, 1, "x"), std::fabs(at["B_x"] - at["B_nh_x"]), 1e-8);
    EXPECT_NEAR(end(result, 1, "y"), std::fabs(at["B_y"] - at["B_nh_y"]), 1e-8);
    EXPECT_NEAR(end(result, 1, "phi"), std::fabs(at["B_phi"] - 0.7 * at["t"]), 1e-8);
    EXPECT_NEAR(end(result, 1, "phi'"), std::fabs(at["B_phidot"] - 0.7), 1e-8);
  }
}

TEST(Compare, HolonomicConstraintsMoveAlikeUnderAllLawsThatKeepThem) {
  const Folder folder;
  const json result = compared(folder, "pendulum_stiff", "--laws 'ideal,vakonomic(mu=3),kozlov(c=2,mu=-1)'");
  for (const json& one : result["variants"]) {
    EXPECT_LT(one["groups"]["coordinates"]["largest"].get<double>(), 1e-10) << one["name"];
    EXPECT_LT(one["groups"]["forces of constraints"]["largest"].get<double>(), 1e-9) << one["name"];
  }
  for (const json& one : result["residuals"]) EXPECT_LT(one["equations"].get<double>(), 1e-10);
}

TEST(Compare, StartsOfMuAndItsDerivativeGiveTheirClosedForms) {
  const Folder folder;
  // y' = (1 + mu')/2 e^t + (1 - mu')/2 e^-t + mu (cosh t - 1) for m = c = v = 1; under Gauss' principle y' = 1 is
  // constant.
  const json result = compared(
      folder, "higher_order_vakonomic",
      "--laws \"ideal,vakonomic(mu=0),vakonomic(mu'=1 [kg*m/s]),vakonomic(mu=0.5 [kg*m], mu'=-0.5 [kg*m/s])\"");
  const double e = std::exp(1.0);
  EXPECT_NEAR(end(result, 1, "y'"), (3.0 * e + 1.0 / e) / 4.0 - 1.0, 1e-9);  // mu' as the model states it
  EXPECT_NEAR(end(result, 2, "y'"), e - 1.0, 1e-9);
  EXPECT_NEAR(end(result, 3, "y'"), std::fabs((e + 3.0 / e) / 4.0 - 1.0), 1e-9);
}

TEST(Compare, StartsHigherDerivativesWhereTheyAreStates) {
  const Folder folder;
  const json result = compared(folder, "constant_acceleration_vakonomic",
                               "--laws \"vakonomic,vakonomic(mu'=0.3 [kg*s]),ideal\" --until 0.5");
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(result["variants"][i]["left_out"].empty());
  EXPECT_EQ(result["variants"][2]["left_out"][0], "start of x''");
  const Ran ran = compare(folder, "constant_acceleration_vakonomic", "--laws 'vakonomic,ideal' --until 0.5");
  EXPECT_NE(ran.out.find("gives these no meaning, left out: start of x''"), std::string::npos) << ran.out;
}

TEST(Compare, PrintsDistancesResidualsAndOrders) {
  const Folder folder;
  const Ran ran = compare(folder, "knife_edge_viscous", "--laws 'ideal,vakonomic(mu=0.1),viscous(kappa=10,100,1000)'");
  ASSERT_EQ(ran.status, 0) << ran.err;
  for (const char* part :
       {"knife_edge_viscous: 5 laws of blade\n", "start: all from the coordinates and speeds at which `ideal` starts",
        "vakonomic(mu=0.1) against ideal\n", "generalized_force(blade) on theta'", "total energy", "power(blade)",
        "residual of the equations of a law (row) along a motion (column)",
        "viscous towards ideal: kappa without bound, in theory the coordinates with order 1\n", "0.98"}) {
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
  }
  // variants of a ladder are shown in the ladder only
  EXPECT_EQ(ran.out.find("viscous(kappa=10) against"), std::string::npos);
}

TEST(Compare, FormulationsAgree) {
  const Folder folder;
  const json result = compared(folder, "four_bar", "--formulations explicit,augmented,minimal");
  ASSERT_EQ(result["variants"].size(), 3U);
  for (const json& one : result["variants"])
    EXPECT_LT(one["groups"]["coordinates"]["largest"].get<double>(), 1e-7) << one["name"];
  EXPECT_TRUE(result["residuals"].empty());
  EXPECT_TRUE(result["constraints"].empty());
}

TEST(Compare, WritesCsvJsonAndAScriptThatNamesThem) {
  const Folder folder;
  const Ran ran = compare(folder, "skate_ideal", "--laws 'ideal,kozlov(c=1, mu=0),viscous(kappa=1e2..1e3)' -o out");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string csv = folder.read("out/compare.csv");
  EXPECT_TRUE(
      csv.starts_with("t,x (ideal),\"x (kozlov(c=1, mu=0))\",x (viscous(kappa=100)),x (viscous(kappa=1000)),y (ideal)"))
      << csv.substr(0, 200);
  EXPECT_EQ(std::ranges::count(csv, '\n'), 3 + 201);
  const std::string ladder = folder.read("out/ladder.csv");
  EXPECT_EQ(std::ranges::count(ladder, '\n'), 3 + 2);
  EXPECT_EQ(json::parse(folder.read("out/compare.json"))["model"], "skate_ideal");
  const std::string script = folder.read("out/compare.gp");
  for (const char* part : {"'compare.csv'", "'ladder.csv'", "coordinates.svg", "path.svg", "energies.svg", "ladder.svg",
                           "set xlabel 't [s]'"}) {
    EXPECT_NE(script.find(part), std::string::npos) << part;
  }
}

TEST(Compare, LeavesOutWhatALawGivesNoMeaning) {
  const Folder folder;
  const json result = compared(folder, "skate_vakonomic", "--laws 'stated,viscous(kappa=5)'");
  EXPECT_EQ(result["variants"][0]["left_out"], json::array());
  EXPECT_EQ(result["variants"][1]["left_out"], json::array({"lambda"}));
}

TEST(Compare, ChoosesTheConstraintsThatMayHaveAllLawsAndTakesOthersByName) {
  const Folder folder;
  const std::string model =
      "model two\ncoord x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2 - z\nconstraint slide: x' = t*y'\n"
      "constraint ground: z = 0\nstart y' = 1\nrun 1\n";
  folder.write("two.vin", model);
  const Ran both = run_command(folder, "compare two.vin --json --laws ideal,vakonomic");
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(json::parse(both.out)["constraints"], json::array({"slide", "ground"}));
  EXPECT_NE(both.err.find("starts at 0"), std::string::npos);  // mu of the row at velocity level
  const Ran one = run_command(folder, "compare two.vin --json --laws 'ideal,inertial(kappa=5)'");
  ASSERT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(json::parse(one.out)["constraints"], json::array({"slide"}));
  const Ran named =
      run_command(folder, "compare two.vin --json --tolerance 1e-13 --laws 'ideal,vakonomic(mu=1)' --on ground");
  ASSERT_EQ(named.status, 0) << named.err;
  EXPECT_LT(json::parse(named.out)["variants"][1]["groups"]["coordinates"]["largest"].get<double>(), 1e-10);
}

TEST(Compare, SaysWhatIsWrongAndWhere) {
  const Folder folder;
  const auto expect = [&](const std::string& options, int status, const std::string& message) {
    const Ran ran = compare(folder, "knife_edge_viscous", options);
    EXPECT_EQ(ran.status, status) << options << "\n" << ran.err;
    EXPECT_NE(ran.err.find(message), std::string::npos) << options << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << options;
  };
  expect("", 2, "state what to compare");
  expect("--laws ideal,vakonomic --formulations explicit,minimal", 2, "state what to compare");
  expect("--laws ideal,vakonomc", 2, "did you mean `vakonomic`?");
  expect("--laws ideal", 2, "name two laws or more");
  expect("--laws 'ideal,viscous'", 2, "`law viscous` needs `kappa`");
  expect("--laws 'ideal,viscous(kappa=1e2..1e2)'", 2, "a ladder has two values or more");
  expect("--laws 'ideal,viscous(kappa=10,1000,100)'", 2, "rise or fall");
  expect("--laws ideal,vakonomic --on blad", 2, "did you mean `blade`?");
  expect("--formulations explicit,augmentd", 2, "did you mean `augmented`?");
  expect("--formulations explicit", 2, "name two formulations or more");
  expect("--restitution newton", 2, "name two laws of restitution or more");
  expect("--restitution newton,bouncy", 2, "`bouncy` is not a law of restitution");
  expect("--restitution newton,poisson", 2, "has no impacts to compare");
  expect("--formulations explicit,minimal --on blade", 2, "`on` can be used only with `laws`");
  expect("--laws 'ideal,stiff(kappa=10)' --on blade", 1, "of this constraint");
  expect("--laws 'ideal,stiff(kappa=10)'", 1, "no constraint of `knife_edge_viscous` may have all these laws");
  expect("--laws 'ideal,viscous(kappa=3 [N])'", 1, "laws:1:21");
  expect("--laws 'ideal,kozlov(c=1/(t + 1 [s]),2/(t + 1 [s]))'", 2, "no constant `c` above zero");
}

/// A blade with x' = t y', and a ball that bounces on z = 0. Under the ideal law x = √(1 + t²) − 1, under the vakonomic
/// one x = ln(1 + t²)/2.
constexpr const char* kBounces = R"(model bounces  "Events under two laws"
frame N newtonian
point O fixed in N
coord x, y, z [m]
particle P mass 1 [kg] at O + x*N.x + y*N.y
particle ball mass 1 [kg] at O + z*N.z
force on ball = -10 [N]*N.z
state hits' = 0
state seen [s] every 0.25 [s] = t
constraint blade: x' = (t/(1 [s]))*y'
event hit: z = 0 [m] falling {
    set z' = -0.8*z'
    set hits = hits + 1
}
event both: x = 0.1 [m] rising record
event far: x = 0.4 [m] rising record
event tick: every 0.125 [s] record
start x = 0, y = 0, z = 0.2, y' = 1 [m/s]
run 1 [s] tolerance 1e-10
)";

/// {kind, name} → event of a variant.
std::map<std::string, json> events_of(const json& variant) {
  std::map<std::string, json> events;
  for (const json& one : variant["events"]) events[one["name"]] = one;
  return events;
}

TEST(Compare, ReportsEventsThatBothLawsHaveAndThoseThatOneHas) {
  const Folder folder;
  const std::string model = folder.write("bounces.vin", kBounces).string();
  const Ran ran = run_command(folder, "compare " + model + " --json --laws 'ideal,vakonomic(mu=0)'");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json result = json::parse(ran.out);
  for (const json& one : result["residuals"]) {
    EXPECT_TRUE(one["reason"].is_null()) << one["reason"] << ": multipliers are followed across the jumps of z'";
    if (one["law"] == one["motion"]) {
      EXPECT_LT(one["equations"].get<double>(), 1e-9);
    }
  }
  const auto own = events_of(result["variants"][0]), other = events_of(result["variants"][1]);
  EXPECT_EQ(own.at("hit")["largest"], 0.0) << "the first motion against itself";
  EXPECT_EQ(own.at("hit")["count"], own.at("hit")["in_first"]);
  // after √(2·0.2/10) = 0.2 s, then flights of 2·0.8ᵏ·0.2 s: at 0.2, 0.52, 0.776, 0.9808 s
  EXPECT_EQ(other.at("hit")["count"], 4);
  EXPECT_EQ(other.at("hit")["in_first"], 4);
  EXPECT_LT(other.at("hit")["largest"].get<double>(), 1e-9);
  EXPECT_EQ(other.at("tick")["count"], 9);
  EXPECT_EQ(other.at("tick")["largest"], 0.0);
  const double ideal = std::sqrt(1.1 * 1.1 - 1.0), vakonomic = std::sqrt(std::exp(0.2) - 1.0);
  EXPECT_NEAR(other.at("both")["largest"].get<double>(), vakonomic - ideal, 1e-9);
  EXPECT_NEAR(other.at("both")["t"].get<double>(), ideal, 1e-9);
  EXPECT_TRUE(other.at("both")["alone"].is_null());
  EXPECT_EQ(other.at("far")["count"], 0);
  EXPECT_EQ(other.at("far")["in_first"], 1);
  EXPECT_TRUE(other.at("far")["largest"].is_null());
  EXPECT_NEAR(other.at("far")["alone"].get<double>(), std::sqrt(1.4 * 1.4 - 1.0), 1e-9);
  for (const json& one : result["variants"][1]["quantities"]) {
    if (one["name"] == "z" || one["name"] == "hits" || one["name"] == "seen") {
      EXPECT_LT(one["largest"].get<double>(), 1e-8) << one["name"];
    }
  }

  const Ran text = run_command(folder, "compare " + model + " --laws 'ideal,vakonomic(mu=0)'");
  EXPECT_NE(text.out.find("events: how often, and how close in time to those of ideal\n"), std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("0 against 1\n"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("event far: only ideal has it at t = 0.979796 s\n"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("all motions have"), std::string::npos) << text.out;
}

TEST(Compare, ReportsThatFormulationsHaveTheSameEvents) {
  const Folder folder;
  for (const std::string model : {"gripper_releases", "clutch_engages", "rimless_wheel"}) {
    const Ran ran = compare(folder, model, "--formulations explicit,augmented");
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.out.find("\nall motions have the events of explicit\n"), std::string::npos) << ran.out;
    const json result = compared(folder, model, "--formulations explicit,augmented");
    for (const auto& [name, event] : events_of(result["variants"][1])) {
      EXPECT_EQ(event["count"], event["in_first"]) << model << name;
      EXPECT_LT(event["largest"].get<double>(), 1e-8) << model << name;
    }
  }
  const auto wheel = events_of(compared(folder, "rimless_wheel", "--formulations explicit,augmented")["variants"][1]);
  EXPECT_EQ(wheel.at("strike")["count"], 9);
  EXPECT_EQ(wheel.at("terminate")["count"], 1) << "it ends the motions at times that differ a little";
  const auto grip = events_of(compared(folder, "gripper_releases", "--formulations explicit,augmented")["variants"][1]);
  EXPECT_EQ(grip.at("grip begins to act")["kind"], "constraint");
  EXPECT_EQ(grip.at("grip ceases to act")["count"], 1);
}

TEST(Compare, HasTheSameEventsByEveryMethod) {
  const Folder folder;
  const std::string model = folder.write("bounces.vin", kBounces).string();
  std::map<std::string, json> first;
  for (const std::string method : {"dop853", "tsit5", "radau"}) {
    const Ran ran = run_command(
        folder, "compare " + model + " --json --laws 'ideal,vakonomic(mu=0)' --tolerance 1e-9 --method " + method);
    ASSERT_EQ(ran.status, 0) << ran.err;
    const auto events = events_of(json::parse(ran.out)["variants"][1]);
    if (first.empty()) first = events;
    EXPECT_EQ(events.size(), 4U) << method;
    for (const auto& [name, event] : events) {
      EXPECT_EQ(event["count"], first[name]["count"]) << method << name;
      EXPECT_EQ(event["in_first"], first[name]["in_first"]) << method << name;
    }
    EXPECT_NEAR(events.at("far")["alone"].get<double>(), std::sqrt(1.4 * 1.4 - 1.0), 1e-7) << method;
  }
}

TEST(Compare, RunsStiffLawsByAnImplicitMethod) {
  const Folder folder;
  const json result =
      compared(folder, "knife_edge_viscous", "--laws 'ideal,viscous(kappa=1e9)' --method radau --tolerance 1e-7");
  EXPECT_TRUE(result["variants"][1]["not_run"].is_null()) << result["variants"][1]["not_run"];
  EXPECT_LT(result["variants"][1]["steps"].get<int>(), 100000);
  EXPECT_LT(end(result, 1, "theta"), 1e-5);
}

TEST(Compare, EndsWithOneWhereAVariantHasNoMotion) {
  const Folder folder;
  const Ran ran = compare(folder, "knife_edge_viscous", "--laws 'ideal,viscous(kappa=1e9)'");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("viscous(kappa=1e9): is not run: its fastest rate needs"), std::string::npos) << ran.out;
  const Ran allowed = compare(folder, "knife_edge_viscous", "--laws 'ideal,viscous(kappa=1e3)' --max-steps 100");
  EXPECT_EQ(allowed.status, 1);
  const Ran stops = compare(folder, "constant_speed_vakonomic_started", "--laws 'ideal,stated' --json");
  EXPECT_EQ(stops.status, 0) << stops.err;
}

}  // namespace compare_test
}  // namespace vinculum

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "vinculum/builder.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {
namespace {

using Json = nlohmann::json;

constexpr const char* kCrane = R"(model crane  "A load </script> on a rope"
source "made up"
frame N newtonian
point O fixed in N
param m = 1 [kg], g = 9.81 [m/s^2], I = 0.1 [kg*m^2]
coord x, y [m], turn [rad]
frame B = N rotated turn about z
body load frame B mass m inertia (I, I, 2*I) at O + x*N.x + y*N.y
point H on load = center(load) + 0.1 [m]*B.y
gravity -g*N.y
constraint rope: norm(pos(load, O)) - 1 [m] = 0
constraint twice: norm(pos(load, O)) - 1 [m] = 0
output height = y
start x = 1, y ~ 0, turn = 3, turn' = 1
run 1 [s] tolerance 1e-10
)";

/// A scene as the page reads it.
class Read {
 public:
  explicit Read(const Scene& scene) : json(Json::parse(scene.json)), bytes_(decoded(scene.columns)) {}
  [[nodiscard]] std::vector<double> column(int place) const {
    const Json& one = json["columns"][static_cast<std::size_t>(place)];
    std::vector<double> values(one["n"].get<std::size_t>(),
                               one["k"] == "const" && !one["b"].is_null() ? one["b"].get<double>() : std::nan(""));
    if (one["k"] == "const") return values;
    const auto offset = one["o"].get<std::size_t>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (one["k"] == "f64") {
        std::memcpy(&values[i], &bytes_[offset + 8 * i], 8);
      } else {
        float part = 0.0F;
        std::memcpy(&part, &bytes_[offset + 4 * i], 4);
        values[i] = one["b"].get<double>() + static_cast<double>(part);
      }
    }
    return values;
  }
  [[nodiscard]] std::vector<double> track(const std::string& name, std::size_t part, std::size_t motion = 0) const {
    return column(json["motions"][motion]["tracks"][name][part].get<int>());
  }
  [[nodiscard]] std::vector<double> times(std::size_t motion = 0) const {
    return column(json["motions"][motion]["t"].get<int>());
  }

  Json json;

 private:
  static std::vector<std::uint8_t> decoded(const std::string& text) {
    static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<std::uint8_t> bytes;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < text.size() && text[i] != '='; ++i) {
      group = group << 6 | static_cast<std::uint32_t>(kDigits.find(text[i]));
      if (i % 4 != 0) bytes.push_back(static_cast<std::uint8_t>(group >> (6 - 2 * (i % 4))));
    }
    return bytes;
  }
  std::vector<std::uint8_t> bytes_;
};

Model crane() { return Model::from_text(kCrane, {.set = {}, .backend = Backend::kTape, .cache = ""}, "c.vin").value(); }

TEST(Scene, HasTheNumbersOfTheTrajectory) {
  const Trajectory motion = crane().run({.record = {.energy = true, .scene = true}}).value();
  const Read scene(motion.scene().value());
  EXPECT_EQ(scene.json["format"], "vinculum-scene/1");
  const std::vector<double> t = scene.times();
  EXPECT_EQ(t.front(), 0.0);
  EXPECT_EQ(t.back(), 1.0);
  EXPECT_LT(t.size(), motion.t().size() / 4);  // thinned
  const Read whole(motion.scene(SceneSamples::kAll).value());
  EXPECT_EQ(whole.times().size(), motion.t().size());
  EXPECT_EQ(whole.json["parts"], 0.0);

  std::map<double, std::size_t> sample;
  for (std::size_t i = 0; i < motion.t().size(); ++i) sample[motion.t()[i]] = i;
  const Column force = motion.force("rope", "load").value(), x = motion.column("x").value();
  const Column turn = motion.column("turn").value(), energy = motion.energy()->columns.at(2);
  const auto w = scene.track("load.q", 0), z = scene.track("load.q", 3), p = scene.track("load.p", 0);
  const auto Fx = scene.track("rope@load.F", 0), Fy = scene.track("rope@load.F", 1), hook = scene.track("H.p", 1);
  double last = w.front();
  for (std::size_t k = 0; k < t.size(); ++k) {
    ASSERT_TRUE(sample.contains(t[k]));
    const std::size_t i = sample[t[k]];
    EXPECT_NEAR(Fx[k], force(i, 0), 1e-6);
    EXPECT_NEAR(Fy[k], force(i, 1), 1e-6);
    EXPECT_NEAR(p[k], x(i), 1e-7);
    EXPECT_NEAR(hook[k], motion.column("y")->values[i] + 0.1 * std::cos(turn(i)), 1e-7);
    EXPECT_NEAR(std::abs(std::cos(turn(i) / 2) * w[k] + std::sin(turn(i) / 2) * z[k]), 1.0, 1e-7);
    EXPECT_GT(w[k] * last, -0.1);  // the quaternion is continuous where w changes its sign
    last = w[k];
  }
  EXPECT_EQ(energy.name, "energy");
}

TEST(Scene, SaysWhatThereIs) {
  const Trajectory motion = crane().run({.record = {.scene = true}}).value();
  const Read scene(motion.scene().value());
  const Json& json = scene.json;
  EXPECT_EQ(json["space"]["normal"], 2);  // a plane motion
  EXPECT_NEAR(json["space"]["gravity"][1].get<double>(), -9.81, 1e-15);
  EXPECT_EQ(json["bodies"][0]["shape"]["kind"], "cylinder");
  EXPECT_EQ(json["points"][0]["fixed"], true);
  ASSERT_EQ(json["forces"].size(), 2U);
  EXPECT_EQ(json["forces"][0]["value"], "rope@load.F");
  EXPECT_EQ(json["forces"][0]["unit"], "N");
  EXPECT_EQ(json["forces"][0]["unique"], Json::array({false, false, true}));  // constrained twice in the plane
  EXPECT_EQ(scene.track("rope@load.F.unique", 0).front(), 0.0);
  EXPECT_TRUE(json["audited"]["holds"].get<bool>());
  EXPECT_EQ(json["explained"]["rank"], 1);
  EXPECT_NE(json["latex"].get<std::string>().find("\\begin{equation}"), std::string::npos);
}

constexpr const char* kSwitched = R"(model switched  "Constraints that act at times"
frame N newtonian
point O fixed in N
coord x, y, z [m]
particle P mass 1 [kg] at O + x*N.x + y*N.y + z*N.z
force on P = 1 [N]*N.x
param T = 0.2 [s]
state n' = 0
state w' = 1 [1/s]
state s every T = 2*w
constraint first: x' = 0
    when t <= 0.5 [s] or (1 [s] <= t and t < 1.25 [s])
constraint always: y' = 0
    when t < 99 [s]
constraint never: z' = 0
    when t > 99 [s]
constraint bumps: x' = 0
    when x' > 0.25 [m/s]
event tick: every 2*T set n = n + 1
event late: at 1.1 [s] record
terminate when t > 1.7 [s]
start x = 0, y = 0, z = 0
run 3 [s]
)";

TEST(Scene, HasTheIntervalsInWhichConstraintsActAndPeriodicInstants) {
  const auto scene_with = [](double T) {
    const Model model = Model::from_text(kSwitched, {.set = {{"T", T}}}).value();
    return Json::parse(model.run({.record = {.scene = true}}).value().scene().value().json);
  };
  const Json motion = scene_with(0.2)["motions"][0];
  std::map<std::string, Json> acts;
  for (const Json& one : motion["acts"]) acts[one["constraint"]] = one["times"];
  ASSERT_EQ(acts.size(), 4U);
  ASSERT_EQ(acts["first"].size(), 2U) << acts["first"];
  const auto near = [](const Json& interval, double from, double to) {
    EXPECT_NEAR(interval[0].get<double>(), from, 1e-9);
    EXPECT_NEAR(interval[1].get<double>(), to, 1e-9);
  };
  near(acts["first"][0], 0.0, 0.5);
  near(acts["first"][1], 1.0, 1.25);
  ASSERT_EQ(acts["always"].size(), 1U);
  near(acts["always"][0], 0.0, 1.7);
  EXPECT_EQ(acts["never"], Json::array());
  // the speed rises by 1 m/s² from 0.5 s, to 0.25 m/s after a quarter of a second, and again from 1.25 s
  ASSERT_EQ(acts["bumps"].size(), 2U) << acts["bumps"];
  near(acts["bumps"][0], 0.75, 0.75);
  near(acts["bumps"][1], 1.5, 1.5);

  EXPECT_EQ(motion["clocks"], Json::parse(R"([
    {"name": "s", "kind": "state", "period": 0.2, "first": 0.0, "count": 9},
    {"name": "tick", "kind": "event", "period": 0.4, "first": 0.0, "count": 5}])"));
  EXPECT_EQ(scene_with(0.25)["motions"][0]["clocks"][1]["period"], 0.5) << "the value of the parameter counts";
  std::vector<std::string> names;
  for (const Json& event : motion["events"])
    if (event["kind"] == "event") names.push_back(event["where"]);
  EXPECT_EQ(names, (std::vector<std::string>{"late", "terminate"}));

  std::map<std::string, bool> steps;
  for (const Json& series : motion["series"])
    if (series["group"] == "states") steps[series["name"]] = series.contains("steps");
  EXPECT_EQ(steps, (std::map<std::string, bool>{{"n", true}, {"w", false}, {"s", true}}));
}

constexpr const char* kArm = R"(model arm  "Joints that the coordinates contain"
frame N newtonian
point O fixed in N
coord a, b [rad], x, s [m]
frame A = N rotated a about z
frame B = N rotated b about z
body bar frame A mass 1 [kg] inertia (0, 0.1, 0.1) [kg*m^2] at O + 1 [m]*A.x
point tip = O + 2 [m]*A.x
point shadow = O + 2 [m]*cos(a)*N.x
particle P mass 1 [kg] at tip + 0.5 [m]*(sin(b)*N.x - cos(b)*N.y)
particle Q mass 1 [kg] at O + x*N.x + 0.3 [m]*B.x
particle R mass 1 [kg] at O + s*B.y
particle F mass 1 [kg] at O + x*N.x + s*N.y
gravity -9.81 [m/s^2]*N.y
reveal pin: force on bar along N.x, 3*(N.x + N.y)
reveal hold: torque on bar along N.x
output both = pin
start a = 0.3, b = 0.2, x = 0.1, s = 0.5
run 0.5 [s]
)";

TEST(Scene, ListsPointsOfBodiesAndLinksThatTheCoordinatesContain) {
  const Model model = Model::from_text(kArm, {.set = {}, .backend = Backend::kTape, .cache = ""}, "a.vin").value();
  const Read scene(model.run({.record = {.scene = true}}).value().scene().value());
  EXPECT_EQ(scene.json["bodies"][0]["points"], Json({"tip", "O"}));
  const Json links = {{{"from", "tip.p"}, {"to", "P.p"}, {"slides", false}},
                      {{"from", "elbow0.p"}, {"to", "Q.p"}, {"slides", false}},
                      {{"from", "O.p"}, {"to", "R.p"}, {"slides", true}}};
  EXPECT_EQ(scene.json["links"], links);
  EXPECT_NEAR(scene.track("elbow0.p", 0).front(), 0.1, 1e-12);  // on the axis, where the arm of Q turns
  EXPECT_NEAR(scene.track("elbow0.p", 1).back(), 0.0, 1e-12);
}

TEST(Scene, ShowsEveryReveal) {
  const Model model = Model::from_text(kArm, {.set = {}, .backend = Backend::kTape, .cache = ""}, "a.vin").value();
  const Trajectory motion = model.run({.record = {.scene = true}}).value();
  const Read scene(motion.scene(SceneSamples::kAll).value());
  const Json pin = {{"name", "pin"}, {"on", "bar"},          {"torque", false},
                    {"at", "bar.p"}, {"value", "reveal0.F"}, {"unit", "N"}};
  ASSERT_EQ(scene.json["reveals"].size(), 2U);
  EXPECT_EQ(scene.json["reveals"][0], pin);
  EXPECT_EQ(scene.json["reveals"][1]["torque"], true);
  EXPECT_EQ(scene.json["reveals"][1]["value"], "reveal1.M");
  EXPECT_EQ(scene.json["reveals"][1]["unit"], "N*m");
  // components along two directions that are not at right angles
  const std::vector<double> Fx = scene.track("reveal0.F", 0), Fy = scene.track("reveal0.F", 1);
  const std::vector<double> one = motion.column("both[1]")->values, other = motion.column("both[2]")->values;
  ASSERT_EQ(Fx.size(), one.size());
  EXPECT_GT(std::abs(one.back()), 1.0);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_NEAR(Fx[i], one[i], 1e-5);
    EXPECT_NEAR((Fx[i] + Fy[i]) / std::sqrt(2.0), other[i], 1e-5);
  }
}

TEST(Scene, GoesIntoAPageThatItsTextCannotLeave) {
  const Trajectory motion = crane().run({.record = {.scene = true}}).value();
  const Scene scene = motion.scene().value();
  const std::string page = scene.page("<a>@vinculum-scene@</a><b>@vinculum-columns@</b>").value();
  EXPECT_EQ(page.find("</script"), std::string::npos);
  const std::size_t begin = page.find("<a>") + 3;
  EXPECT_EQ(Json::parse(page.substr(begin, page.find("</a>") - begin))["model"]["title"], "A load </script> on a rope");
  EXPECT_NE(page.find("<b>" + scene.columns + "</b>"), std::string::npos);
  EXPECT_FALSE(scene.page("nothing"));
}

TEST(Scene, OfAComparisonHasAMotionALaw) {
  const Model model = Model::from_text(R"(model puck
frame N newtonian
point O fixed in N
coord x, y, h
particle P mass 1 at O + x*N.x + y*N.y
force on P = 0.3*N.x - 0.2*h*N.y
param J = 2
frame B = N rotated h about z
body blade frame B mass 1 inertia (J, J, J) at O + x*N.x + y*N.y
constraint edge: dot(vel(P), B.y) = 0
start x' = 1, h' = 0.5
run 3
)",
                                       {.set = {}, .backend = Backend::kTape, .cache = ""}, "p.vin")
                          .value();
  CompareOptions options;
  options.laws = "ideal, vakonomic";
  options.scene = true;
  const Comparison comparison = model.compare(options).value();
  const Read scene(comparison.scene().value());
  ASSERT_EQ(scene.json["motions"].size(), 2U);
  EXPECT_EQ(scene.json["motions"][1]["name"], "vakonomic");
  EXPECT_EQ(scene.times(0).back(), 3.0);
  EXPECT_EQ(scene.times(1).back(), 3.0);
  EXPECT_FALSE(scene.json["compared"].is_null());
  EXPECT_GT(std::abs(scene.track("P.p", 1, 0).back() - scene.track("P.p", 1, 1).back()), 1e-5);
}

TEST(Scene, OfAMotionThatStopsOnASampleEndsThere) {
  const Model model =
      Model::from_text(
          "model m\nframe N newtonian\npoint O fixed in N\ncoord a, b, c [deg]\nframe A = N rotated c about z\n"
          "frame C = A rotated b about y\nframe B = C rotated a about x\n"
          "body plane frame B mass 1 [kg] inertia (1, 2, 3) [kg*m^2] at O\nstart a = 0, b = 80, c = 0, b' = 20\nrun 1 "
          "[s]\n",
          {.set = {}, .backend = Backend::kTape, .cache = ""}, "m.vin")
          .value();
  const Trajectory motion = model.run({.record = {.scene = true}}).value();
  ASSERT_NE(motion.stopped(), nullptr);
  const Read scene(motion.scene().value());
  EXPECT_EQ(scene.times().back(), motion.t().back());
  EXPECT_NEAR(scene.times().back(), 0.5, 1e-6);
  EXPECT_LE(scene.times().back(), 0.5);
}

Model viewed_crane(const std::string& view) {
  return Model::from_text(kCrane + view, {.set = {}, .backend = Backend::kTape, .cache = ""}, "c.vin").value();
}

/// The crane with a view, in a folder with the file `part.stl`.
Result<Model> crane_with_mesh(const std::string& view, const std::string& content) {
  const std::string folder = testing::TempDir() + "vinculum_scene_mesh";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/part.stl", std::ios::binary) << content;
  return Model::from_text(kCrane + view, {.set = {}, .backend = Backend::kTape, .cache = ""}, folder + "/c.vin");
}
constexpr const char* kPart =
    "solid part\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 500 0 0 vertex 0 250 1 endloop endfacet\n"
    "facet normal 0 0 1 outer loop vertex 500 0 0 vertex 500 250 0 vertex 0 250 1 endloop endfacet\nendsolid part\n";

TEST(Scene, EmbedsMeshesLabelsAndTheFollowedPoint) {
  const Model model = crane_with_mesh(
                          "view {\n  mesh \"part.stl\" on load scale 1 [mm] color \"#ff8800\"\n"
                          "  mesh \"part.stl\" on N at H\n  label H \"the <hook>\"\n  camera follow load\n"
                          "  capsule O H\n  shape O = capsule(1, 2)\n}\n",
                          kPart)
                          .value();
  const Trajectory motion = model.run({.record = {.scene = true}}).value();
  const Read scene(motion.scene().value());
  const Json& view = scene.json["view"];
  EXPECT_EQ(view["followed"], "load");
  EXPECT_EQ(view["labels"], Json::array({{{"at", "H.p"}, {"text", "the <hook>"}, {"colour", nullptr}}}));
  EXPECT_EQ(view["links"][0]["capsule"], true);
  ASSERT_EQ(view["shapes"].size(), 3U);
  EXPECT_EQ(view["shapes"][0]["shape"]["kind"], "capsule");
  const Json& mesh = view["shapes"][1];
  EXPECT_EQ(mesh["on"], "load");
  EXPECT_EQ(mesh["turned"], "load.q");
  EXPECT_EQ(mesh["colour"], "#ff8800");
  EXPECT_EQ(mesh["shape"]["kind"], "mesh");
  const auto numbers = [&](const Json& column) { return scene.column(column.get<int>()); };
  const auto x = numbers(mesh["shape"]["places"][0]), z = numbers(mesh["shape"]["places"][2]);
  EXPECT_EQ(x.size(), 4U);
  EXPECT_NEAR(x[1], 0.5, 1e-7);
  EXPECT_NEAR(z[2], 0.001, 1e-9);
  EXPECT_EQ(numbers(mesh["shape"]["corners"]), (std::vector<double>{0, 1, 2, 1, 3, 2}));
  EXPECT_NEAR(numbers(view["shapes"][2]["shape"]["places"][0])[1], 500.0, 1e-4);  // without a scale in meters
  EXPECT_EQ(view["shapes"][2]["turned"], nullptr);
  const auto words = scene.json["words"]["items"].get<std::vector<std::string>>();
  EXPECT_NE(std::ranges::find(words, "mesh"), words.end());
}

TEST(Scene, RefusesAMeshThatCannotBeDrawnAndOnlyThenOpensIt) {
  const std::string view = "view {\n  mesh \"part.stl\" on load\n}\n";
  const auto error_of = [&](const std::string& its_view, const std::string& content) {
    const Model model = crane_with_mesh(its_view, content).value();  // the model itself is right
    EXPECT_TRUE(model.run({}));                                      // a run without a page does not open the file
    const auto motion = model.run({.record = {.scene = true}});
    return motion ? std::string() : motion.error().text();
  };
  EXPECT_EQ(error_of(view, kPart), "");
  EXPECT_NE(error_of(view, "solid x\nfacet").find("`part.stl`: it ends in line 2, where `normal` is expected"),
            std::string::npos);
  EXPECT_NE(error_of(view, "cube").find("it is not an STL file"), std::string::npos);
  const std::string absent = error_of("view {\n  mesh \"none.stl\" on load\n}\n", kPart);
  EXPECT_NE(absent.find("there is no file `none.stl` in the model's folder [file-not-found]"), std::string::npos)
      << absent;
  EXPECT_NE(absent.find("mesh \"none.stl\" on load"), std::string::npos) << absent;
  EXPECT_NE(error_of("view {\n  mesh \"../part.stl\" on load\n}\n", kPart).find("[file-not-found]"), std::string::npos);
  std::string large = "solid x\n";
  for (int k = 0; k < 6001; ++k)
    large += "facet normal 0 0 1 outer loop vertex 0 0 " + std::to_string(k) + " vertex 1 0 0 vertex 0 1 0 endloop " +
             "endfacet\n";
  EXPECT_EQ(error_of(view, large + "endsolid"), "");
  EXPECT_NE(error_of("view {\n  mesh \"part.stl\" on load\n  mesh \"part.stl\" on N at O\n}\n", large + "endsolid")
                .find("the meshes of a page have at most 12000 triangles together, with `part.stl` they have 12002"),
            std::string::npos);
}

TEST(Scene, ShowsWhatTheModelStates) {
  const Model model = viewed_crane(
      "frame S = N rotated 2*turn about x\n"
      "view {\n  shape load = box(40 [cm], 0.2, 2*I/(1 [kg*m]))\n  shape S = cone(1, 2, axis y) at H colour red\n"
      "  rod O load radius 1 [cm]\n  axes S at O\n  trace load\n  arrow force(rope, load)\n  arrow vel(H) at H\n"
      "  colour rope = blue\n  hide twice\n  no ground\n}\n");
  const Trajectory motion = model.run({.record = {.scene = true}}).value();
  const Read scene(motion.scene().value());
  const Json& view = scene.json["view"];
  ASSERT_EQ(view["shapes"].size(), 2U);
  EXPECT_EQ(view["shapes"][0]["on"], "load");
  EXPECT_EQ(view["shapes"][0]["shape"]["sides"], Json({0.4, 0.2, 0.2}));
  EXPECT_EQ(view["shapes"][1]["turned"], "S.q");
  EXPECT_EQ(view["shapes"][1]["colour"], "#d1495b");
  EXPECT_EQ(view["links"][0]["radius"], 0.01);
  EXPECT_EQ(view["axes"][0]["length"], nullptr);
  EXPECT_EQ(view["traces"][0]["point"], "load");
  EXPECT_EQ(view["reactions"][0], Json({{"constraint", "rope"}, {"on", "load"}, {"torque", false}}));
  EXPECT_EQ(view["vectors"][0]["unit"], "m/s");
  EXPECT_EQ(view["colours"]["rope"], "#4178be");
  EXPECT_EQ(view["hidden"], Json({"twice"}));
  EXPECT_EQ(view["without"], Json({"ground"}));
  const std::vector<double> turn = motion.column("turn")->values;
  const std::vector<double> w = scene.track("S.q", 0), i = scene.track("S.q", 1);
  EXPECT_NEAR(std::abs(std::cos(turn.back()) * w.back() + std::sin(turn.back()) * i.back()), 1.0, 1e-6);
  const auto value = view["vectors"][0]["value"].get<std::string>();
  const double speed = std::hypot(scene.track(value, 0).back(), scene.track(value, 1).back());
  EXPECT_GT(speed, 0.1);
  EXPECT_TRUE(Read(crane().run({.record = {.scene = true}}).value().scene().value()).json["view"].is_null());
}

TEST(Scene, OfOtherValuesHasTheirSizes) {
  const Model model = viewed_crane("view {\n  shape load = sphere(I/(1 [kg*m]))\n}\n");
  const Model heavy = model.with({{"I", 0.3}}).value();
  const Read scene(heavy.run({.record = {.scene = true}}).value().scene().value());
  EXPECT_EQ(scene.json["view"]["shapes"][0]["shape"]["radius"], 0.3);
  EXPECT_FALSE(model.with({{"I", -1.0}}));
}

TEST(Scene, ChangesNoBitOfAMotion) {
  const Model plain = crane();
  const Model viewed = viewed_crane(
      "view {\n  shape load = box(m/(2 [kg/m]), 0.2, 3*g*(1 [s^2]))\n  arrow cross(vel(H), pos(H, O)) at H\n}\n");
  const Trajectory one = plain.run().value(), other = viewed.run().value();
  const auto all = [](std::span<const double> values) { return std::vector(values.begin(), values.end()); };
  ASSERT_EQ(all(one.t()), all(other.t()));
  for (const char* name : {"x", "y", "turn", "height", "x'", "turn'", "residual(rope)"})
    EXPECT_EQ(one.column(name)->values, other.column(name)->values) << name;
  EXPECT_EQ(one.force("rope", "load")->values, other.force("rope", "load")->values);
}

TEST(Plot, ShowsWhatIsAskedForInTheUnitsDeclared) {
  const Model model = Model::from_text(R"(model swing "To and fro"
frame N newtonian
point O fixed in N
coord a [deg]
frame B = N rotated a about z
particle P mass 2 [kg] at O - 1 [m]*B.y
gravity -9.81 [m/s^2]*N.y
constraint still: dot(vel(P), N.z) = 0
output v = vel(P)
start a = 90
run 1 [s]
)",
                                       {.set = {}, .backend = Backend::kTape, .cache = ""}, "s.vin")
                          .value();
  const Trajectory motion = model.run().value();
  const std::string all = motion.svg().value();
  for (const char* text :
       {">To and fro<", ">Outputs [m/s]<", ">v.y<", ">Coordinates [deg]<", ">a<", ">Speeds [deg/s]<", ">100<"})
    EXPECT_NE(all.find(text), std::string::npos) << text;
  EXPECT_EQ(all.find("Residuals"), std::string::npos);
  const std::string some = motion.svg(std::vector<std::string>{"v.x", "multiplier(still)", "force(still, P)"}).value();
  for (const char* text : {">v.x<", ">Multipliers [", ">Constraint forces [N]<", ">force(still, P).z<"})
    EXPECT_NE(some.find(text), std::string::npos) << text;
  EXPECT_EQ(some.find(">v.y<"), std::string::npos);
  for (const char* wrong : {"w", "multiplier(stil)", "force(still, O)", "force(still)", "power(x)"})
    EXPECT_FALSE(motion.svg(std::vector<std::string>{wrong})) << wrong;
}

constexpr const char* kDrawnCone = R"(model top  "A top with a view"
frame N newtonian
point O fixed in N
param m = 2 [kg], I = 0.3 [kg*m^2], r = 0.1 [m], h = 0.4 [m]
coord x, y [m], turn [rad]
frame B = N rotated turn about z
body top frame B mass m inertia (I, I, 2*I) at O + x*N.x + y*N.y
point tip on top = center(top) + h*B.x
particle P mass 1 [kg] at O + x*N.x
constraint held: norm(pos(top, O)) = r
start x = 0.1, y = 0, turn' = 1
run 1 [s]
view {
    shape top = cone(r, 2*h, axis B.x + B.y) at tip colour teal
    shape top = box(r, r, h)
    surface N = plane(5 [m], 5 [m], axis N.z) at O
    shape tip = sphere(2 [cm])
    rod O top radius 0.01 [m] colour red
    coil O tip
    axes B at tip length h
    trace tip colour violet
    arrow vel(tip) at tip colour pink
    arrow force(held, top)
    arrow torque(held, top)
    color P = black, held = orange, O = "#12ab34"
    hide O, top
    no ground
}
)";

TEST(View, OfABuilderIsThatOfTheText) {
  Builder b("top");
  const auto N = b.newtonian();
  const auto O = b.fixed_point("O", N);
  const auto m = b.parameter("m", 2.0, "kg"), I = b.parameter("I", 0.3, "kg*m^2"), r = b.parameter("r", 0.1, "m"),
             h = b.parameter("h", 0.4, "m");
  const auto x = b.coordinate("x", "m"), y = b.coordinate("y", "m"), turn = b.coordinate("turn", "rad");
  const auto B = b.frame("B", N, turn, 2);
  const auto top = b.body("top", B, m, {I, I, 2.0 * I}, O, x * b.axis(N, 0) + y * b.axis(N, 1));
  const auto tip = b.point("tip", top.center, h * b.axis(B, 0));
  const auto P = b.particle("P", b.number(1.0), O, x * b.axis(N, 0));
  const auto held = b.constraint("held", norm(b.pos(top.center, O)) - r, {}, "m");
  b.start(x, 0.1);
  b.start(y, 0.0);
  b.start(b.rate(turn), 1.0);
  auto view = b.view();
  view.shape(top, {"cone", {r, 2.0 * h}, b.axis(B, 0) + b.axis(B, 1), "teal"}, tip);
  view.shape(top, {"box", {r, r, h}});
  view.shape(N, {.kind = "plane", .sizes = {b.number(5.0), b.number(5.0)}, .axis = b.axis(N, 2), .is_surface = true},
             O);
  view.shape(tip, {"sphere", {b.number(0.02)}});
  view.rod(O, top.center, b.number(0.01), "red");
  view.coil(O, tip);
  view.axes(B, tip, h);
  view.trace(tip, "violet");
  view.arrow("vel(tip)", b.vel(tip), tip, "m/s", "pink");
  view.force(held, top.center);
  view.torque(held, B);
  view.colour(P, "black");
  view.colour(held, "orange");
  view.hide(O);
  view.hide(top);
  view.without("ground");

  EXPECT_THROW(view.shape(tip, {"ball", {h}}), std::invalid_argument);
  EXPECT_THROW(view.shape(tip, {"sphere", {x}}), std::invalid_argument);
  EXPECT_THROW(view.shape(tip, {"sphere", {b.number(-1.0)}}), std::invalid_argument);
  EXPECT_THROW(view.shape(tip, {"cone", {h}}), std::invalid_argument);
  EXPECT_THROW(view.shape(tip, {"box", {h, h, h}, b.axis(N, 0)}), std::invalid_argument);
  EXPECT_THROW(view.shape(top, {"disk", {h}, b.axis(N, 0)}), std::invalid_argument) << "it turns in B";
  EXPECT_THROW(view.arrow("a", norm(b.acc(tip)), tip), std::invalid_argument);
  EXPECT_THROW(view.force(held, tip), std::invalid_argument);
  EXPECT_THROW(view.colour(P, "red"), std::invalid_argument) << "it has one";
  EXPECT_THROW(view.colour(O, "magenta"), std::invalid_argument);
  EXPECT_THROW(view.colour(O, "#12ab3"), std::invalid_argument);
  EXPECT_NO_THROW(view.colour(O, "#12ab34"));
  EXPECT_THROW(view.without("shadows"), std::invalid_argument);

  const Model built = Model::from_builder(std::move(b)).value(), read = Model::from_text(kDrawnCone).value();
  const auto drawn = [](const Model& model) {
    return Json::parse(model.run({.until = 1.0, .record = {.scene = true}}).value().scene().value().json)["view"];
  };
  EXPECT_EQ(drawn(built), drawn(read));
  EXPECT_EQ(drawn(built)["shapes"].size(), 4U);
  EXPECT_FALSE(built.with({{"r", -0.1}})) << "sizes are positive with other values too";
}

TEST(View, DrawsRevealedForcesAndAccelerationsWhereTheyAreUnique) {
  constexpr const char* kHinge = R"(model hinge  "A pendulum in an angle, and what its hinge exerts"
frame N newtonian
point O fixed in N
param m = 2 [kg], l = 0.5 [m], g = 9.81 [m/s^2]
coord a [rad], x [m]
frame B = N rotated a about z
particle P mass m at O + l*B.x
particle Q mass 1 [kg] at O + x*N.y
gravity -g*N.y
reveal pull: force on P along B.x, B.y
constraint shelf: dot(pos(Q, O), N.y) = 0
constraint again: 2*dot(pos(Q, O), N.y) = 0
output R = pull
start a = 0, a' = 2
run 1 [s]
view {
    arrow pull[1]*B.x + pull[2]*B.y at P
    arrow acc(P) at P
    arrow multiplier(shelf)*N.y at Q
}
)";
  const Trajectory run = Model::from_text(kHinge).value().run({.until = 1.0, .record = {.scene = true}}).value();
  const Read scene(run.scene(SceneSamples::kAll).value());
  const double start[2] = {-2.0 * 0.5 * 4.0, 0.0};  // −m l a'²; B.y carries no force, because the rod turns freely
  EXPECT_NEAR(scene.track("vector0", 0)[0], start[0], 1e-6);
  EXPECT_NEAR(scene.track("vector0", 1)[0], start[1], 1e-6);
  EXPECT_NEAR(scene.track("vector1", 0)[0], -0.5 * 4.0, 1e-6);
  EXPECT_NEAR(scene.track("vector1", 1)[0], -9.81, 1e-5);
  EXPECT_TRUE(std::isnan(scene.track("vector2", 1)[0])) << "two rows share the weight";
}

}  // namespace
}  // namespace vinculum

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

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

/// A scene as a page reads it.
class Read {
 public:
  explicit Read(const Scene& scene) : json(Json::parse(scene.json)), bytes_(decoded(scene.columns)) {}
  [[nodiscard]] std::vector<double> column(int place) const {
    const Json& one = json["columns"][static_cast<std::size_t>(place)];
    std::vector<double> values(one["n"].get<std::size_t>(), one["k"] == "const" ? one["b"].get<double>() : 0.0);
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
    EXPECT_GT(w[k] * last, -0.1);  // signs go on through w = 0
    last = w[k];
  }
  EXPECT_EQ(energy.name, "energy");
}

TEST(Scene, SaysWhatThereIs) {
  const Trajectory motion = crane().run({.record = {.scene = true}}).value();
  const Read scene(motion.scene().value());
  const Json& json = scene.json;
  EXPECT_EQ(json["space"]["normal"], 2);  // plane
  EXPECT_NEAR(json["space"]["gravity"][1].get<double>(), -9.81, 1e-15);
  EXPECT_EQ(json["bodies"][0]["shape"]["kind"], "cylinder");
  EXPECT_EQ(json["points"][0]["fixed"], true);
  ASSERT_EQ(json["forces"].size(), 2U);
  EXPECT_EQ(json["forces"][0]["value"], "rope@load.F");
  EXPECT_EQ(json["forces"][0]["unit"], "N");
  EXPECT_EQ(json["forces"][0]["unique"], false);  // stated twice
  EXPECT_EQ(scene.track("rope@load.F.unique", 0).front(), 0.0);
  EXPECT_TRUE(json["audited"]["holds"].get<bool>());
  EXPECT_EQ(json["explained"]["rank"], 1);
  EXPECT_NE(json["latex"].get<std::string>().find("\\begin{equation}"), std::string::npos);
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

}  // namespace
}  // namespace vinculum

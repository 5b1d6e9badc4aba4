#include "vinculum/report/shown_numbers.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "vinculum/vinculum.hpp"

// Number of digits in the text of a run (docs/numerics.md, Digits).
namespace vinculum {
namespace {

Trajectory motion_of(const std::string& text, RunOptions options = {}) {
  const auto model = Model::from_text(text, {.backend = Backend::kInterpreter});
  if (!model) throw std::runtime_error(model.error().text());
  const auto motion = model->run(options);
  if (!motion) throw std::runtime_error(motion.error().text());
  return *motion;
}

/// The shown value of a quantity, without its unit.
std::string shown(const Trajectory& motion, const std::string& name) {
  const std::string text = motion.text();
  std::smatch match;
  const std::regex line("(^|[\\n ])" + std::regex_replace(name, std::regex("[()\\[\\]']"), "\\$&") + " += +([^ \\n]+)");
  return std::regex_search(text, match, line) ? match[2].str() : "nothing in\n" + text;
}

std::size_t digits_of(const std::string& number) {
  const std::string mantissa = number.substr(0, number.find('e'));
  const std::size_t first = mantissa.find_first_of("123456789");
  return first == mantissa.npos
             ? 0
             : static_cast<std::size_t>(std::count_if(mantissa.begin() + static_cast<long>(first), mantissa.end(),
                                                      [](char c) { return c >= '0' && c <= '9'; }));
}

TEST(ShownNumbers, HaveTheDigitsOfTheirResolution) {
  EXPECT_EQ(report::with_digits_of(123.456789, 1e-3), "123.457");
  EXPECT_EQ(report::with_digits_of(-0.00012345, 1e-6), "-0.000123");
  EXPECT_EQ(report::with_digits_of(-0.00012345, 1.0), "-0.00012");
  EXPECT_EQ(report::with_digits_of(1.0 / 3.0, 1e-30), "0.333333333333333");
  EXPECT_EQ(report::with_digits_of(1.0 / 3.0, 0.0), "0.333333333333333");
  EXPECT_EQ(report::with_digits_of(1234567.0, 1e3), "1.235e+06");
  EXPECT_EQ(report::with_digits_of(9.9999, 1e-2), "10");
  EXPECT_EQ(report::with_digits_of(0.0, 1e-3), "0");
  EXPECT_EQ(report::with_digits_of(-0.0, 1e-3), "0");
}

constexpr const char* kDriftingPendulum =
    "model m\nframe N newtonian\npoint O fixed in N\nparam l = 1 [m], m = 2 [kg], g = 9.81 [m/s^2]\ncoord x, y, z [m]\n"
    "particle P mass m at O + x*N.x + y*N.y + z*N.z\ngravity -g*N.y\nconstraint rod: norm(pos(P, O)) = l\n"
    "let E0 = -m*g*l*cos(1)\noutput drift = energy - E0\noutput out_of_plane = dot(force(rod, P), N.z)\noutput twice = "
    "2*x\n"
    "output moment = cross(pos(P, O), m*acc(P) + m*g*N.y) in N\noutput micro = 1e-20*x\noutput nothing = 0*x\n"
    "start x = sin(1)*1 [m], y ~ -0.5, z = 0\nrun 1 [s]\n";

TEST(ShownNumbers, GoWithTheTolerance) {
  std::string text = kDriftingPendulum;
  for (const auto& [tolerance, digits] : {std::pair{1e-3, 4U}, {1e-6, 7U}, {1e-9, 10U}, {1e-12, 13U}}) {
    const Trajectory motion = motion_of(text, {.tolerance = tolerance});
    EXPECT_NEAR(static_cast<double>(digits_of(shown(motion, "x"))), digits, 1.01) << tolerance << shown(motion, "x");
    EXPECT_NEAR(static_cast<double>(digits_of(shown(motion, "twice"))), digits, 1.01) << tolerance;
    // JSON has all digits.
    const auto json = nlohmann::json::parse(motion.json());
    EXPECT_EQ(json["outputs"]["twice"].get<double>(), 2.0 * json["state"]["x"].get<double>());
    EXPECT_EQ(json["state"]["x"].get<double>(), motion.q()(motion.q().rows - 1, 0));
  }
}

TEST(ShownNumbers, AreZeroToRoundingBesideTheirTerms) {
  const Trajectory motion = motion_of(kDriftingPendulum, {.tolerance = 1e-12});
  // sum of large terms
  EXPECT_NE(motion.text().find("moment       = [0, 0, ~0] N*m"), std::string::npos) << motion.text();
  EXPECT_EQ(shown(motion, "nothing"), "0");               // exactly zero
  EXPECT_TRUE(shown(motion, "micro").ends_with("e-21"));  // small, but there are no large terms
  EXPECT_NE(motion.text().find("~0 is zero within rounding error"), std::string::npos);
  const auto json = nlohmann::json::parse(motion.json());
  EXPECT_LT(std::fabs(json["outputs"]["moment"][2].get<double>()), 1e-12);
  // A drift larger than rounding is not shown as zero.
  const std::string coarse = shown(motion_of(kDriftingPendulum, {.tolerance = 1e-3}), "drift");
  EXPECT_NE(coarse, "~0");
  EXPECT_GT(std::fabs(std::stod(coarse)), 1e-9);
}

TEST(ShownNumbers, OfStatesAreZeroBesideTheirKindAndTheirScale) {
  const std::string model =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x [m], y [m]%s\nparticle P mass 1 [kg] at O + x*N.x + "
      "y*N.y\n"
      "force on P = 1 [N]*N.x + %s [N]*N.y\nstart x = 0, y = 0\nrun 1 [s]\n";
  const auto y_of = [&](const std::string& scale, const std::string& force) {
    std::string text = model;
    text.replace(text.find("%s"), 2, scale);
    text.replace(text.find("%s"), 2, force);
    return shown(motion_of(text), "y");
  };
  EXPECT_EQ(y_of("", "1e-18"), "~0");
  EXPECT_EQ(y_of("", "0"), "0");
  EXPECT_EQ(y_of(" scale 1e-18 [m]", "1e-18"), "5e-19");
  EXPECT_EQ(y_of("", "1e-10"), "5e-11");
  EXPECT_EQ(y_of(" scale 1 [m]", "1e-10"), "5e-11");
}

TEST(ShownNumbers, WithoutAStepAreThoseOfTheStart) {
  const Trajectory motion = motion_of(kDriftingPendulum, {.until = 0.0});
  EXPECT_EQ(shown(motion, "x"), "0.8414709848079");
}

}  // namespace
}  // namespace vinculum

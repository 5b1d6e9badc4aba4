// Tables are compared with SciPy: values, derivatives, and tables with two arguments.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/elaborate/elaborated.hpp"
#include "support/folder.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum {
namespace tables_test {

using elaborate::testing::Elaborated;
using expr::Spline;
using nlohmann::json;

constexpr double kAgreement = 1e-12;  // rounding errors of two implementations, for values and widths of order 1

const json& reference() {
  static const json all = json::parse(std::ifstream(VINCULUM_SOURCE "/tests/reference/tables.json"));
  return all;
}

Spline::Shape shape_of(const std::string& options) {
  const auto has = [&](const char* word) { return options.find(word) != std::string::npos; };
  return {has("smooth")   ? Spline::Kind::kSmooth
          : has("linear") ? Spline::Kind::kLinear
          : has("hold")   ? Spline::Kind::kHold
                          : Spline::Kind::kSpline,
          has("periodic") ? Spline::Reach::kPeriodic : Spline::Reach::kInside};
}

TEST(Tables, HaveTheValuesAndDerivativesOfSciPy) {
  for (const json& curve : reference()["curves"]) {
    const std::string options = curve["options"];
    const Spline table("t", reference()["x"], reference()["y"], shape_of(options));
    for (std::size_t order = 0; order < curve["orders"].size(); ++order)
      for (std::size_t i = 0; i < curve["at"].size(); ++i) {
        const double x = curve["at"][i], wanted = curve["orders"][order][i];
        const bool is_at_kink =
            order == 2 && options.starts_with("smooth") && std::ranges::find(table.knots(), x) != table.knots().end();
        if (is_at_kink) continue;
        EXPECT_NEAR(table.evaluate(x, static_cast<int>(order)), wanted, 300.0 * kAgreement) << options << " at " << x;
        if (order == 0) {
          EXPECT_NEAR(table.evaluate(x, 0), wanted, 4.0 * kAgreement) << options << " at " << x;
        }
      }
  }
}

TEST(Tables, FallToALowerDegreeWithFewRows) {
  for (const json& one : reference()["few"]) {
    const std::vector<double> x = reference()["x"], y = reference()["y"];
    const auto rows = one["rows"].get<std::ptrdiff_t>();
    const Spline table("t", {x.begin(), x.begin() + rows}, {y.begin(), y.begin() + rows});
    for (std::size_t i = 0; i < one["at"].size(); ++i)
      EXPECT_NEAR(table.evaluate(one["at"][i], 0), one["values"][i].get<double>(), kAgreement);
  }
}

TEST(Tables, OfTwoArgumentsHaveTheValuesOfSciPy) {
  const json& grid = reference()["grid"];
  const test_support::Folder folder;
  std::string text;
  for (const double y : grid["y"]) text += fmt::format(",{:.17g}", y);
  text += "\n";
  for (std::size_t i = 0; i < grid["x"].size(); ++i) {
    text += fmt::format("{:.17g}", grid["x"][i].get<double>());
    for (const double z : grid["z"][i]) text += fmt::format(",{:.17g}", z);
    text += "\n";
  }
  folder.write("g.csv", text);
  for (const auto& [kind, values] : reference()["values"].items()) {
    std::string outputs;
    for (std::size_t i = 0; i < values.size(); ++i)
      outputs += fmt::format("output o{} = table(\"g.csv\", phi - 0.4 + {:.17g}, x/(1 [m]) - 0.3 + {:.17g}, {})\n", i,
                             grid["points"][i][0].get<double>(), grid["points"][i][1].get<double>(), kind);
    const Elaborated result = elaborate::testing::in_plane(outputs, {}, folder.path());
    ASSERT_TRUE(result.model) << result.messages;
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(elaborate::testing::value_of(result, fmt::format("o{}", i)), values[i].get<double>(),
                  10.0 * kAgreement)
          << kind << " " << i;
  }
}

/// Differences of values on both sides of an instant give the first and the second derivative.
TEST(Tables, OfTwoArgumentsHaveTheDerivativesOfTheirValues) {
  const test_support::Folder folder;
  folder.write("g.csv",
               ", -1, 0, 0.5, 2, 3\n-1, 1, 0.5, 2, 1, 1\n0, 0, 1, 3, 2, 5\n0.6, 2, 2, 1, 0, 1\n2, 3, 1, 0, 0, 2\n");
  for (const std::string kind : {"linear", "smooth", "spline"}) {
    // At t = 0: x = 0.3, x' = 1.1, x'' = 0.8, phi = 0.4, phi' = 0.6, phi'' = -0.5.
    const double step = 1e-4;
    const auto at = [&](double t) {
      return fmt::format("table(\"g.csv\", {:.17g}, {:.17g}, {})", 0.3 + 1.1 * t + 0.4 * t * t,
                         0.4 + 0.6 * t - 0.25 * t * t, kind);
    };
    const Elaborated result = elaborate::testing::in_plane(
        fmt::format("let f = table(\"g.csv\", x/(1 [m]), phi, {})\noutput d = dt(f)\noutput e = dt(dt(f))\n"
                    "output a = {}\noutput b = {}\noutput c = {}\n",
                    kind, at(-step), at(0.0), at(step)),
        {}, folder.path());
    ASSERT_TRUE(result.model) << result.messages;
    const auto value = [&](const char* name) { return elaborate::testing::value_of(result, name); };
    EXPECT_NEAR(value("d"), (value("c") - value("a")) / (2.0 * step), 1e-6) << kind;
    EXPECT_NEAR(value("e"), (value("c") - 2.0 * value("b") + value("a")) / (step * step), 1e-5) << kind;
  }
}

TEST(Tables, OfMonotoneDataAreMonotone) {
  const std::vector<double> x = {0.0, 1.0, 1.1, 2.0, 3.0, 5.0}, y = {0.0, 0.0, 1.0, 1.0, 1.5, 9.0};
  const Spline table("t", x, y, {Spline::Kind::kSmooth, Spline::Reach::kInside});
  double before = table.evaluate(0.0, 0);
  for (int i = 1; i <= 5000; ++i) {
    const double value = table.evaluate(std::min(5.0, 0.001 * i), 0);
    EXPECT_GE(value, before - 1e-15) << 0.001 * i;
    before = value;
  }
}

}  // namespace tables_test
}  // namespace vinculum

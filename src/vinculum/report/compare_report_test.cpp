#include "vinculum/report/compare_report.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/motion/test_models.hpp"

namespace vinculum::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Two variants of a free particle with coordinates x and y. The first variant has three sample times, the second only
/// the first two of them. There is one ladder.
CompareReport report() {
  sim::testing::Sketch sketch("free");
  (void)sketch.particle("p", 1.0, 2);
  sketch.start_all({0.0, 0.0}, {1.0, 0.0});
  const auto bound = sketch.try_compile();
  if (!bound) throw std::runtime_error(bound.error().message);
  CompareReport result{"free", {"row"}, {}, {{}, {"lambda"}}, {}};
  for (const char* name : {"ideal", "kozlov(c=2, mu=1)"}) result.variants.push_back({name, *bound, {}, {}, {}, {}});
  compare::Comparison& comparison = result.comparison;
  comparison.start = "somewhere";
  comparison.times = {0.0, 0.5, 1.0};
  comparison.quantities = {{"x", compare::Group::kCoordinates, {}, 2.0}, {"y", compare::Group::kCoordinates, {}, 2.0}};
  Matrix first(3, 2), second(3, 2);
  first << 0.0, 0.0, 0.5, 1.0, 1.0, 2.0;
  second << 0.0, 0.0, 0.25, 1.0, kNone, kNone;
  comparison.values = {first, second};
  for (const compare::Variant& variant : result.variants) {
    compare::Compared one;
    one.name = variant.name;
    one.quantities = {{true, 0.25, 0.5, 0.25}, {true, 0.0, 0.0, 0.0}};
    one.groups[0] = {true, 0.125, 0.5, 0.125};
    one.trajectory.samples.resize(3);
    one.trajectory.samples.back().t = 1.0;
    comparison.variants.push_back(std::move(one));
  }
  compare::Compared& stopped = comparison.variants[1];
  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.message = "a root is not real";
  failure.t = 0.6;
  stopped.trajectory.stopped = failure;
  stopped.t_compared = 0.5;
  compare::LawResidual vanishing, unknown;
  vanishing.is_computed = true;
  unknown.reason = "its rows are not linear in the accelerations";
  comparison.residuals = {{vanishing, vanishing}, {unknown, unknown}};
  compare::LadderResult ladder;
  ladder.ladder = {"c", {0, 1}, {1e6, 2.5e-7}};
  ladder.no_limit = "none is known";
  ladder.rungs = {{0.1, 0.2, kNone, kNone}, {0.01, kNone, 1.0, kNone}};
  comparison.ladders = {ladder};
  return result;
}

TEST(CompareCsv, HasAFieldForEveryQuantityAndVariant) {
  std::ostringstream stream;
  const CompareReport shown = report();
  write_csv(stream, compare_table(shown));
  EXPECT_EQ(stream.str(),
            "t,x (ideal),\"x (kozlov(c=2, mu=1))\",y (ideal),\"y (kozlov(c=2, mu=1))\"\n"
            "# 1,1,1,1,1\n# vinculum-csv 1\n"
            "0,0,0,0,0\n"
            "0.5,0.5,0.25,1,1\n"
            "1,1,,2,\n");
}

TEST(CompareCsv, HasALineForEveryRung) {
  std::ostringstream stream;
  const CompareReport shown = report();
  write_csv(stream, ladder_table(shown));
  EXPECT_EQ(stream.str(),
            "ladder,variant,value,coordinates,coordinates order,speeds,speeds order\n"
            "# 1,1,1,1,1,1,1\n# vinculum-csv 1\n"
            "1,ideal,1000000,0.1,,0.2,\n"
            "1,\"kozlov(c=2, mu=1)\",2.5e-07,0.01,1,,\n");
}

TEST(CompareText, SaysWhatStoppedWhatIsUnknownAndWhatWasLeftOut) {
  const std::string text = to_text(compare_report(report()));
  for (const char* part :
       {"free: 2 laws of row\nstart: somewhere\n",
        "kozlov(c=2, mu=1): stops at t = 0.6 s: a root is not real [non-finite]\n",
        "kozlov(c=2, mu=1): is compared up to 0.5 s\n", "kozlov(c=2, mu=1): gives these no meaning, left out: lambda\n",
        "kozlov(c=2, mu=1)        0.125\n", "kozlov(c=2, mu=1): its rows are not linear in the accelerations\n",
        "none is known\n", "  1e6             0.1            0.2\n", "  2.5e-7         0.01   1.00       -\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST(CompareJson, HasNullForWhatIsNotThere) {
  const auto json = nlohmann::json::parse(to_json(compare_report(report())));
  EXPECT_EQ(json["variants"][1]["stopped"]["kind"], "non-finite");
  EXPECT_TRUE(json["variants"][0]["stopped"].is_null());
  EXPECT_EQ(json["variants"][1]["left_out"][0], "lambda");
  EXPECT_TRUE(json["residuals"][2]["equations"].is_null());
  EXPECT_EQ(json["residuals"][2]["reason"], "its rows are not linear in the accelerations");
  EXPECT_TRUE(json["ladders"][0]["limit"].is_null());
  EXPECT_TRUE(json["ladders"][0]["theory"].is_null());
  EXPECT_TRUE(json["ladders"][0]["rungs"][0]["coordinates_order"].is_null());
  EXPECT_EQ(json["ladders"][0]["rungs"][1]["coordinates_order"], 1.0);
  EXPECT_EQ(json["variants"][1]["groups"]["coordinates"]["largest"], 0.125);
}

TEST(ComparePlot, DrawsTheColumnsOfEveryVariant) {
  const std::string script = compare_plot(report());
  // Columns 2 and 3 of the CSV are x of the two variants; columns 4 and 5 are y.
  for (const char* part :
       {"'compare.csv' using 1:2 ", "'compare.csv' using 1:5 ", "'compare.csv' using 2:4 ", "'compare.csv' using 3:5 ",
        "set output 'path.svg'", "title 'kozlov(c=2, mu=1)'", "($1==1 ? $3 : NaN):4", "set ylabel 'x'"}) {
    EXPECT_NE(script.find(part), std::string::npos) << part << "\n" << script;
  }
}

}  // namespace
}  // namespace vinculum::report

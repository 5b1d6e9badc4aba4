#include "vinculum/report/columns.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/motion/test_models.hpp"
#include "vinculum/report/run_report.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::report {
namespace {

using Json = nlohmann::json;

/// A column that a caller adds: the direction of motion of the first particle.
Column direction_of_motion() {
  return {Column::Group::kOutput,
          "direction",
          {{"rad", "deg", 0.5}},
          "N",
          Column::Shape::kVector,
          3,
          [](const sim::Sample& sample, int k) { return k < 2 ? sample.u[k] / sample.u.head(2).norm() : 0.0; },
          [](const sim::Sample&, int) { return false; }};
}

struct Motion {
  std::shared_ptr<const sim::Binding> bound;
  sim::Trajectory trajectory;
};

/// A particle with the constant velocity (3, 4) 1/s.
Motion motion() {
  sim::testing::Sketch sketch("free");
  (void)sketch.particle("p", 1.0, 2);
  sketch.start_all({0.0, 0.0}, {3.0, 4.0});
  auto bound = sketch.try_compile();
  if (!bound) throw std::runtime_error(bound.error().message);
  sim::Dynamics dynamics(*bound);
  sim::SimulateOptions options;
  options.duration = 1.0;
  options.output_step = 0.5;
  options.sample_times = {0.25};
  return {*bound, sim::simulate(dynamics, options)};
}

TEST(Columns, OfOnesOwnAppearInTableCsvAndJson) {
  const Motion of = motion();
  std::vector<Column> columns = columns_of(*of.bound);
  columns.push_back(direction_of_motion());
  const Node report = run_report(*of.bound, columns, of.trajectory, {}, true);

  const std::string text = to_text(report);
  EXPECT_NE(text.find("\noutputs\n  direction = [1.2, 1.6, 0] deg in frame N   (not unique: redundant constraints)\n"),
            std::string::npos)
      << text;

  const Json json = Json::parse(to_json(report));
  EXPECT_NEAR(json["outputs"]["direction"][1].get<double>(), 0.8, 1e-15);
  EXPECT_EQ(json["not_unique"], Json::array({"direction.x", "direction.y", "direction.z"}));
  EXPECT_NEAR(json["samples"][0]["outputs"]["direction"][0].get<double>(), 0.6, 1e-15);
  EXPECT_EQ(json["samples"][0]["t"], 0.25);

  std::ostringstream stream;
  TrajectoryRows rows(csv_rows(stream, trajectory_columns(columns, *of.bound->compiled->model)), columns);
  for (const sim::Sample& sample : of.trajectory.samples) rows.sample(sample);
  EXPECT_TRUE(
      stream.str().starts_with("t,px,py,px',py',direction.x,direction.y,direction.z\n"
                               "# 1,1,1,1,1,rad,rad,rad\n# vinculum-csv 1\n0,0,0,3,4,0.6,0.8,0\n"))
      << stream.str();
  EXPECT_EQ(json["units"]["direction"], "rad");
  EXPECT_EQ(json["format"], 1);
}

TEST(Columns, AtTimesAskedForAreATableOfTheText) {
  const Motion of = motion();
  std::vector<Column> columns = columns_of(*of.bound);
  columns.push_back(direction_of_motion());
  const std::string text = to_text(run_report(*of.bound, columns, of.trajectory, {}, true));
  EXPECT_NE(text.find("\n  t                           0.25\n  px                          0.75\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  direction.y deg in frame N  1.6*\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  * not unique: redundant constraints\n"), std::string::npos) << text;
  EXPECT_EQ(to_text(run_report(*of.bound, columns, of.trajectory, {}, false)).find("deg in frame N  1.6"), text.npos);
}

TEST(RunReport, NamesConstraintsThatAreRedundant) {
  sim::testing::Sketch sketch("twice");
  const model::PointId P = sketch.particle("p", 1.0, 2);
  const model::Term gap = sketch.square(sketch.from_origin(P)) - sketch.number(1.0);
  sketch.builder.add_constraint("rod", gap);
  sketch.builder.add_constraint("again", gap * sketch.number(2.0));
  sketch.start_all({0.6, 0.8}, {-0.8, 0.6});
  const auto bound = sketch.try_compile();
  ASSERT_TRUE(bound);
  sim::Dynamics dynamics(*bound);
  sim::SimulateOptions options;
  options.duration = 1.0;
  const Node report = run_report(**bound, columns_of(**bound), sim::simulate(dynamics, options), {}, false);
  EXPECT_EQ(Json::parse(to_json(report))["redundant"], Json::array({"rod", "again"}));
  const std::string text = to_text(report);
  EXPECT_NE(text.find("  redundant, so their multipliers are not unique: `rod`, `again`\n"), std::string::npos) << text;
}

TEST(Columns, OfEntriesThatDifferHaveAUnitEach) {
  Column column = direction_of_motion();
  column.units = {{"N", "N"}, {"N*m", "N*m"}, {"rad", "deg", 0.5}};
  column.shape = Column::Shape::kList;
  column.frame = "";
  sim::Sample sample;
  sample.u = Vector::Ones(2);
  Node outputs = values_at({column}, Column::Group::kOutput, sample);
  outputs.is_listed = true;
  EXPECT_TRUE(to_text(outputs).ends_with(" N*m, 0 deg]   (not unique: redundant constraints)\n")) << to_text(outputs);
  EXPECT_EQ(Json::parse(to_json(units_of({column}, model::Model())))["direction"], Json({"N", "N*m", "rad"}));
}

TEST(Columns, HaveWhatTheSampleHas) {
  const Motion of = motion();
  const std::vector<Column> columns = columns_of(*of.bound);
  sim::Sample empty;
  const Node state = values_at(columns, Column::Group::kState, empty);
  ASSERT_EQ(state.parts.size(), 4u);
  EXPECT_EQ(Json::parse(to_json(state)).front(), nullptr);
}

TEST(Tree, IsWrittenAsTextAndAsJson) {
  Node report = Node::object({{"name", "n"}, {"none", nullptr}, {"numbers", std::vector<double>{0.1, 1.0 / 0.0}}});
  report.said = "head\n";
  report.add("part", true).said = "part\n";
  report.say("tail\n");
  EXPECT_EQ(to_text(report), "head\npart\ntail\n");
  EXPECT_EQ(Json::parse(to_json(report)),
            Json({{"name", "n"}, {"none", nullptr}, {"numbers", {0.1, nullptr}}, {"part", true}}));
  report.hush();
  EXPECT_EQ(to_text(report), "");
}

TEST(Tree, IsWrittenWithTheFewestDigitsThatReadBack) {
  const Node report(std::vector<double>{0.3, 1.0, -0.0, 5e-324, 9007199254740993.0, 1e22, 0.1 + 0.2});
  EXPECT_EQ(to_json(report),
            "[\n  0.3,\n  1.0,\n  -0.0,\n  5e-324,\n  9007199254740992.0,\n  1e+22,\n  0.30000000000000004\n]\n");
  EXPECT_EQ(to_json(Node::object({{"a \"b\"\xff", Node::list()}})), "{\n  \"a \\\"b\\\"\xEF\xBF\xBD\": []\n}\n");
}

TEST(Csv, QuotesNamesAndLeavesOutWhatIsNotFinite) {
  std::ostringstream stream;
  const double values[] = {0.1, 1e-300, 1.0 / 3.0, std::numeric_limits<double>::quiet_NaN()};
  write_csv(stream, {{{"a[1,2]", "m"}, {"b \"c\""}}, 2, [&](std::size_t row, std::size_t column) -> Node::Value {
                       return values[2 * row + column];
                     }});
  EXPECT_EQ(stream.str(), "\"a[1,2]\",\"b \"\"c\"\"\"\n# m,1\n# vinculum-csv 1\n0.1,1e-300\n0.3333333333333333,\n");
}

}  // namespace
}  // namespace vinculum::report

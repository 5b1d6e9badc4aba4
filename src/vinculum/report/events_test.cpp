#include "vinculum/report/events.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "support/motion/test_models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::report {
namespace {

TEST(Events, StandInTheOrderOfTimeWithWhatChanged) {
  sim::testing::Sketch sketch("free");
  (void)sketch.particle("p", 1.0, 1);
  sketch.start_all({0.0}, {3.0});
  const auto bound = sketch.try_compile();
  ASSERT_TRUE(bound) << bound.error().message;
  sim::Trajectory run;
  run.samples.resize(1);
  run.samples.back().t = 4.0;
  run.events = {sim::Mark{3.0, "half, way"}, sim::Mark{1.0, "start"}, sim::SurfaceChange{1.5, "sign(x')", true},
                sim::SurfaceChange{2.5, "sign(x')", false}, sim::RankDrop{2.0, 4, 5}};
  run.is_interrupted = true;
  std::ostringstream csv;
  write_csv(csv, events_table(**bound, run));
  const std::string text = csv.str();
  EXPECT_EQ(text.substr(text.find('\n', text.find("# vinculum-csv")) + 1),
            "1,event,start,,,\n1.5,switch,sign(x'),beside,along,\n2,rank,,5,4,\n2.5,switch,sign(x'),along,beside,\n"
            "3,event,\"half, way\",,,\n4,stop,,,interrupted,\n")
      << text;
  EXPECT_TRUE(text.starts_with("t,kind,where,before,after,unit\n# ")) << text;
}

TEST(Events, AreCountedByName) {
  sim::testing::Sketch sketch("free");
  (void)sketch.particle("p", 1.0, 1);
  sketch.start_all({0.0}, {3.0});
  const auto bound = sketch.try_compile();
  ASSERT_TRUE(bound) << bound.error().message;
  sim::Trajectory run;
  EXPECT_EQ(event_counts(**bound, run).said, "");
  run.events = {sim::Mark{0.5, "hit"}, sim::Mark{1.0, "go"}, sim::RankDrop{2.0, 4, 5}, sim::Mark{3.25, "hit"}};
  EXPECT_EQ(to_text(event_counts(**bound, run)),
            "\nevent `hit` 2 times, first at t = 0.5 s, last at t = 3.25 s\nevent `go` once, at t = 1 s\n");
  const std::string json = to_json(event_counts(**bound, run));
  EXPECT_NE(json.find("\"count\": 2"), std::string::npos) << json;
  for (int i = 0; i < 10; ++i) run.events.push_back(sim::Mark{4.0, "e" + std::to_string(i)});
  const std::string text = to_text(event_counts(**bound, run));
  EXPECT_EQ(std::ranges::count(text, '\n'), 10) << text;
  EXPECT_TRUE(text.ends_with("and 4 more\n")) << text;
}

}  // namespace
}  // namespace vinculum::report

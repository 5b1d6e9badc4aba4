#include "vinculum/report/events.hpp"

#include <gtest/gtest.h>

#include <sstream>

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
            "1,event,start,,\n1.5,switch,sign(x'),beside,along\n2,rank,,5,4\n2.5,switch,sign(x'),along,beside\n3,event,"
            "\"half, way\",,\n4,stop,,,interrupted\n")
      << text;
  EXPECT_TRUE(text.starts_with("t,kind,where,before,after\n# ")) << text;
}

}  // namespace
}  // namespace vinculum::report

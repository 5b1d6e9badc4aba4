// `explain` of models with events, sampled states and constraints with `when`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/models.hpp"
#include "support/motion/test_models.hpp"
#include "vinculum/report/explain.hpp"

namespace vinculum {
namespace explain_events_test {

using nlohmann::json;

// The constraint x' = y' acts from 1 s on, and while held = 1; the track always acts.
std::string carts(const std::string& held) {
  return "model carts\nframe N newtonian\npoint O fixed in N\ncoord x, y, z\nparticle A mass 2 at O + x*N.x\n"
         "particle B mass 3 at O + y*N.x + z*N.y\nforce on A = 4*N.x\nstate held' = 0 start held = " +
         held +
         "\nstate u every 0.25 = x'\nconstraint track: z' = 0.5*y'\nconstraint latch: x' = y'\n"
         "    when t > 1 or held > 0.5\nevent wall: x = 4 rising set x' = -x'\nevent late: at 2 set held = 1\n"
         "terminate when x > 9\nrun 3\n";
}

report::Node explained(const std::string& text) {
  return report::explain(test_support::compiled(test_support::model_of_text(text)));
}

TEST(ExplainEvents, ListsWhatHappensAtInstants) {
  const report::Node report = explained(carts("0"));
  const std::string text = report::to_text(report);
  for (const char* part : {"wall: where x = 4, left side rising", "set x' = -x'", "late: at 2", "set held = 1",
                           "terminate: the run ends as soon as 9 < x", "u: at 0 and every 0.25, takes x'"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const json found = json::parse(report::to_json(report));
  ASSERT_EQ(found["events"].size(), 3U);
  EXPECT_EQ(found["events"][0]["trigger"], "rising");
  EXPECT_EQ(found["events"][2]["terminates"], true);
  EXPECT_EQ(found["sampled_states"][0]["period"], 0.25);
}

// Ranks, degrees of freedom and displacements count only the rows that act at the start.
TEST(ExplainEvents, CountsInTheModeAtTheStart) {
  const report::Node free = explained(carts("0")), caught = explained(carts("1"));
  const json without = json::parse(report::to_json(free)), with = json::parse(report::to_json(caught));
  EXPECT_EQ(without["rank"], 1);
  EXPECT_EQ(without["degrees_of_freedom"], 2);
  EXPECT_EQ(without["not_acting"], json({"latch"}));
  EXPECT_EQ(without["virtual_displacements"]["basis"].size(), 2U);
  EXPECT_EQ(without["constraints"][1]["acts"], false);
  EXPECT_EQ(without["constraints"][1]["rank"], nullptr);
  EXPECT_EQ(with["rank"], 2);
  EXPECT_EQ(with["degrees_of_freedom"], 1);
  EXPECT_EQ(with["not_acting"], json::array());
  EXPECT_EQ(with["virtual_displacements"]["basis"].size(), 1U);
  EXPECT_EQ(with["constraints"][1]["acts"], true);
  for (const report::Node* one : {&free, &caught}) {
    const std::string text = report::to_text(*one);
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    EXPECT_EQ(text.find("needs no force"), std::string::npos) << text;
    EXPECT_EQ(text.find("kept without a force"), std::string::npos) << text;
    EXPECT_NE(text.find(one == &free ? "it does not act at the start" : "it acts at the start"), std::string::npos);
  }
}

}  // namespace explain_events_test
}  // namespace vinculum

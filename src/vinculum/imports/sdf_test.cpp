#include "vinculum/imports/sdf.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "vinculum/diag/render.hpp"

namespace vinculum::imports {
namespace sdf_test {

struct Read {
  std::optional<Robot> robot;
  std::string said;
};

Read read(const std::string& elements, const std::string& version = "1.9") {
  const diag::SourceText source(
      "r.sdf", fmt::format("<sdf version=\"{}\"><model name=\"r\">{}</model></sdf>", version, elements));
  diag::Diagnostics said;
  auto robot = read_sdf(source, said);
  return {std::move(robot), diag::render_text(source, said.all())};
}

const Joint& joint_j(const Read& read) { return *std::ranges::find(read.robot->joints, "j", &Joint::name); }

constexpr const char* kTwoLinks = "<link name='a'/><link name='b'/>";

/// A joint whose frame is turned by a quarter about x, with the axis z.
std::string turned_joint(const std::string& limit = "") {
  return kTwoLinks + std::string("<joint name='j' type='revolute'><pose>0 0 0 1.5707963267948966 0 0</pose>") +
         "<parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>" + limit + "</axis></joint>";
}

// Before version 1.5 an axis was given in the frame of the model: z of the model is y of the turned frame.
TEST(Sdf, ComparesVersionsByTheirParts) {
  for (const char* version : {"1.0", "1.3", "1.4"}) {
    const Read one = read(turned_joint(), version);
    ASSERT_TRUE(one.robot) << one.said;
    EXPECT_LT((joint_j(one).axis - Vector3::UnitY()).norm(), 1e-15) << version;
  }
  for (const char* version : {"1.5", "1.9", "1.10", "1.11", "1.12", "2.0"}) {
    const Read one = read(turned_joint(), version);
    ASSERT_TRUE(one.robot) << one.said;
    EXPECT_LT((joint_j(one).axis - Vector3::UnitZ()).norm(), 1e-15) << version;
  }
}

TEST(Sdf, TakesInfiniteLimitsAsNone) {
  for (const char* none : {"inf", "+inf", "1e16"}) {
    const Read one =
        read(turned_joint(fmt::format("<limit><lower>-1e16</lower><upper>{}</upper><effort>inf</effort>"
                                      "<velocity>{}</velocity></limit>",
                                      none, none)));
    ASSERT_TRUE(one.robot) << one.said;
    const Joint& joint = joint_j(one);
    EXPECT_FALSE(joint.lower || joint.upper || joint.effort || joint.velocity) << none;
  }
  const Read one = read(turned_joint("<limit><lower>-1</lower><upper>2</upper></limit>"));
  ASSERT_TRUE(one.robot) << one.said;
  EXPECT_EQ(joint_j(one).upper, 2.0);
}

TEST(Sdf, FindsNamesWithEntities) {
  const Read one = read(
      "<link name='a&amp;b'/><link name='c'/><joint name='j' type='revolute'><parent> a&amp;b </parent><child>c</child>"
      "<axis><xyz>0 0 1</xyz></axis></joint>");
  ASSERT_TRUE(one.robot) << one.said;
  EXPECT_EQ(joint_j(one).parent, "a&b");
}

TEST(Sdf, GivesNewLinksNamesOfTheirOwn) {
  const Read one = read("<link name='j_place'/>" + turned_joint());
  ASSERT_TRUE(one.robot) << one.said;
  EXPECT_EQ(std::ranges::count(one.robot->links, "j_place", &Link::name), 1);
  EXPECT_EQ(joint_j(one).child, "j_place_");
}

TEST(Sdf, RefusesFramesInALongRow) {
  const auto row = [](int count) {
    std::string text = kTwoLinks;
    for (int i = 0; i < count; ++i)
      text += fmt::format("<frame name='f{}'><pose relative_to='{}'>0 0 0 0 0 0</pose></frame>", i,
                          i + 1 < count ? fmt::format("f{}", i + 1) : "a");
    return text +
           "<joint name='j' type='revolute'><pose relative_to='f0'>0 0 0 0 0 0</pose><parent>a</parent>"
           "<child>b</child><axis><xyz>0 0 1</xyz></axis></joint>";
  };
  EXPECT_TRUE(read(row(100)).robot);
  const Read deep = read(row(50000));
  EXPECT_FALSE(deep.robot);
  EXPECT_NE(deep.said.find("more than 200 frames depend on each other in a row"), std::string::npos) << deep.said;
}

TEST(Sdf, RefusesAModelThatIsTurned) {
  EXPECT_TRUE(read("<pose>1 2 3 0 0 0</pose>" + turned_joint()).robot);
  for (const char* pose : {"0 0 0 1 0 0", "0 0 0 0 -1 0", "0 0 0 0 0 0.1"}) {
    const Read one = read(fmt::format("<pose>{}</pose>", pose) + turned_joint());
    EXPECT_FALSE(one.robot);
    EXPECT_NE(one.said.find("a model that is turned in the world"), std::string::npos) << one.said;
  }
}

}  // namespace sdf_test
}  // namespace vinculum::imports

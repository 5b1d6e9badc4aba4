#include <gtest/gtest.h>

#include <string>

#include "support/lang/parsed.hpp"

namespace vinculum::lang {
namespace {

TEST(FrameSequence, IsAnyOfTwentyFour) {
  int count = 0;
  for (const std::string kind : {"body", "space"}) {
    for (int axes = 111; axes <= 333; ++axes) {
      const std::string name = kind + std::to_string(axes);
      if (parse_text("frame B = A " + name + "(a, b, c)\n").count == 0) {
        ++count;
        EXPECT_EQ(std::get<FrameSequence>(only<FrameStatement>("frame B = A " + name + "(a, b, c)\n").definition)
                      .sequence.text,
                  name);
      }
    }
  }
  EXPECT_EQ(count, 24);
}

TEST(FrameQuaternion, HasFourCoordinates) {
  const auto frame = only<FrameStatement>("frame B[2] = x.A[1] quaternion(e[0], e[1], x.e, leg[2].e)\n");
  EXPECT_EQ(frame.name.indices.size(), 1U);
  const auto& quaternion = std::get<FrameQuaternion>(frame.definition);
  EXPECT_EQ(quaternion.parent.text, "x.A");
  EXPECT_EQ(quaternion.parent.indices.size(), 1U);
  ASSERT_EQ(quaternion.coordinates.size(), 4U);
  EXPECT_EQ(quaternion.coordinates[2].text, "x.e");
  EXPECT_EQ(quaternion.coordinates[3].text, "e");
  ASSERT_NE(quaternion.coordinates[3].owner, nullptr);
  EXPECT_EQ(quaternion.coordinates[3].owner->text, "leg");
  EXPECT_EQ(quaternion.coordinates[3].owner->indices.size(), 1U);
}

TEST(FrameQuaternion, ShowsAWrongCount) {
  EXPECT_EQ(diagnosed("frame B = A quaternion(e1, e2, e3)\n"),
            "m.vin:1:23: error: `quaternion` takes 4 coordinates, the first that of the angle, 3 given "
            "[wrong-argument-count]\n"
            "  1 | frame B = A quaternion(e1, e2, e3)\n"
            "    |                       ^^^^^^^^^^^^\n");
}

TEST(DeclaredName, HasIndicesBeforeItsUnit) {
  const auto coord =
      only<CoordStatement>("coord q[1..3], s[1..2, 1..n] [m], e[0], a[i + 1] [rad], z[m], w [1], v[k], u[m][kg]\n");
  ASSERT_EQ(coord.groups.size(), 5U);
  EXPECT_TRUE(std::holds_alternative<Range>(coord.groups[0].names[0].indices[0]->node));
  EXPECT_EQ(coord.groups[0].names[1].indices.size(), 2U);
  EXPECT_EQ(coord.groups[0].unit->factors[0].name, "m");
  EXPECT_EQ(coord.groups[1].names[0].indices.size(), 1U);
  EXPECT_EQ(coord.groups[1].names[1].indices.size(), 1U);
  EXPECT_TRUE(coord.groups[2].names[0].indices.empty());
  EXPECT_TRUE(coord.groups[2].unit.has_value());
  EXPECT_TRUE(coord.groups[3].names[0].indices.empty());
  EXPECT_EQ(coord.groups[3].unit->factors[0].name, "1");
  EXPECT_EQ(coord.groups[4].names[0].indices.size(), 1U);
  EXPECT_EQ(coord.groups[4].names[1].indices.size(), 1U);
  EXPECT_EQ(coord.groups[4].unit->factors[0].name, "kg");
}

TEST(DeclaredName, IsAFamilyOfCoordinatesOrParametersOnly) {
  EXPECT_TRUE(
      std::holds_alternative<Range>(only<ParamStatement>("param m[1..3] = 2 [kg]").items[0].name.indices[0]->node));
  EXPECT_EQ(
      diagnosed("frame B[1..3] newtonian\n"),
      "m.vin:1:10: error: expected `,` or `]`, found `..` [unexpected-token]\n"
      "  1 | frame B[1..3] newtonian\n"
      "    |          ^^\n"
      "  hint: a range declares a family, as in `coord q[1..3]` and `param m[1..3] = …`, or is that of a `for`\n");
}

TEST(DeclaredName, TakesNoUnitBeforeItsValue) {
  EXPECT_EQ(diagnosed("param m [kg] = 3\n"),
            "m.vin:1:9: error: a unit is not allowed here [unexpected-token]\n"
            "  1 | param m [kg] = 3\n"
            "    |         ^^^^\n"
            "  hint: the unit comes last: `param m = 3 [kg]`\n");
}

TEST(Name, MayBeThatOfAPartOfAComponent) {
  const auto force = only<ForceStatement>("force on a.b.c[i - 1] = x from leg[2].foot.P[3]\n");
  EXPECT_EQ(force.point.text, "a.b.c");
  EXPECT_EQ(force.point.indices.size(), 1U);
  EXPECT_EQ(force.point.owner, nullptr);
  EXPECT_EQ(force.from->text, "foot.P");
  EXPECT_EQ(force.from->indices.size(), 1U);
  EXPECT_EQ(force.from->owner->text, "leg");
}

}  // namespace
}  // namespace vinculum::lang

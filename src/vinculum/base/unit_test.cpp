#include "vinculum/base/unit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace vinculum {
namespace {

double scale_of(std::string_view name) {
  const auto unit = find_unit(name);
  EXPECT_TRUE(unit.has_value()) << name;
  return unit ? unit->scale : std::nan("");
}

Dimension dimension_of_unit(std::string_view name) {
  const auto unit = find_unit(name);
  EXPECT_TRUE(unit.has_value()) << name;
  return unit ? unit->dimension : Dimension{};
}

TEST(Unit, ConvertsToSiByTheDefinitionOfEachUnit) {
  EXPECT_DOUBLE_EQ(scale_of("kg"), 1.0);
  EXPECT_DOUBLE_EQ(scale_of("mm"), 1e-3);
  EXPECT_DOUBLE_EQ(scale_of("km") / scale_of("h"), 1000.0 / 3600.0);
  EXPECT_DOUBLE_EQ(360.0 * scale_of("deg"), 2.0 * std::acos(-1.0));
  EXPECT_DOUBLE_EQ(60.0 * scale_of("rpm"), 2.0 * std::acos(-1.0));
  EXPECT_DOUBLE_EQ(12.0 * scale_of("in"), scale_of("ft"));
  EXPECT_DOUBLE_EQ(scale_of("in"), 0.0254);
  EXPECT_DOUBLE_EQ(scale_of("inch"), 0.0254);
  EXPECT_DOUBLE_EQ(scale_of("dyn"), 1e-5);
  EXPECT_DOUBLE_EQ(scale_of("erg"), 1e-7);
  EXPECT_DOUBLE_EQ(scale_of("\xC2\xB5m"), 1e-6);
  EXPECT_DOUBLE_EQ(scale_of("\xCE\xBCm"), 1e-6);
  EXPECT_DOUBLE_EQ(scale_of("mi"), 1609.344);
  EXPECT_NEAR(scale_of("lbf"), 4.4482216152605, 1e-13);   // NIST SP 811, appendix B.8
  EXPECT_NEAR(scale_of("psi"), 6894.757293168, 1e-8);     // NIST SP 811: 6.894757 E+03
  EXPECT_NEAR(scale_of("hp"), 745.69987158227, 1e-10);    // NIST SP 811: 7.456999 E+02
  EXPECT_NEAR(scale_of("slug"), 14.593902937206, 1e-11);  // NIST SP 811: 1.459390 E+01
}

TEST(Unit, ReadsAWholeNameBeforeAPrefix) {
  EXPECT_DOUBLE_EQ(scale_of("min"), 60.0);
  EXPECT_DOUBLE_EQ(scale_of("h"), 3600.0);
  EXPECT_EQ(dimension_of_unit("ft"), make_dimension(0, 1, 0));
  EXPECT_EQ(dimension_of_unit("T"), dimension_of_unit("V") * make_dimension(0, -2, 1));
  EXPECT_EQ(dimension_of_unit("Pa"), make_dimension(1, -1, -2));
  EXPECT_DOUBLE_EQ(scale_of("dam"), 10.0);
}

TEST(Unit, DerivedUnitsAgreeWithTheirProducts) {
  EXPECT_EQ(dimension_of_unit("N"), make_dimension(1, 1, -2));
  EXPECT_EQ(dimension_of_unit("J"), dimension_of_unit("N") * dimension_of_unit("m"));
  EXPECT_EQ(dimension_of_unit("W"), dimension_of_unit("J") / dimension_of_unit("s"));
  EXPECT_EQ(dimension_of_unit("V") * dimension_of_unit("A"), dimension_of_unit("W"));
  EXPECT_EQ(dimension_of_unit("ohm") * dimension_of_unit("A"), dimension_of_unit("V"));
  EXPECT_EQ(dimension_of_unit("F") * dimension_of_unit("V"), dimension_of_unit("C"));
  EXPECT_EQ(dimension_of_unit("Wb"), dimension_of_unit("V") * dimension_of_unit("s"));
  EXPECT_EQ(dimension_of_unit("H") * dimension_of_unit("A"), dimension_of_unit("Wb"));
  EXPECT_EQ(dimension_of_unit("Pa") * dimension_of_unit("ha"), dimension_of_unit("N"));
  EXPECT_TRUE(dimension_of_unit("deg").is_dimensionless());
}

TEST(Unit, IsNothingForUnknownNamesAndForbiddenPrefixes) {
  for (const char* name : {"", "k", "foo", "mdeg", "kmin", "kkg", "kft", "metre", "Kg", "mm "}) {
    EXPECT_FALSE(find_unit(name).has_value()) << name;
  }
}

TEST(Unit, HasEachNameOnceWithAPositiveScale) {
  std::set<std::string_view> names;
  for (const UnitInfo& unit : unit_table()) {
    EXPECT_TRUE(names.insert(unit.name).second) << unit.name;
    EXPECT_GT(unit.scale, 0.0) << unit.name;
    EXPECT_FALSE(unit.meaning.empty()) << unit.name;
    const auto found = find_unit(unit.name);
    ASSERT_TRUE(found.has_value()) << unit.name;
    EXPECT_EQ(found->scale, unit.scale) << unit.name;
    std::string prefixed = "k";
    prefixed += unit.name;
    EXPECT_EQ(find_unit(prefixed).has_value(), unit.takes_prefixes) << unit.name;
  }
}

TEST(UnitText, OfSiNamesTheSiUnitOfWhatIsMeasured) {
  const std::pair<const char*, const char*> cases[] = {
      {"mm", "m"},  {"deg", "rad"}, {"rpm", "rad/s"}, {"g", "kg"},   {"kg", "kg"}, {"kN", "N"},
      {"lbf", "N"}, {"h", "s"},     {"percent", "1"}, {"Hz", "1/s"}, {"kWh", "J"}, {"mph", "m/s"}};
  for (const auto& [unit, si] : cases) EXPECT_EQ(si_name(unit), si) << unit;
  EXPECT_THROW((void)si_name("furlong"), std::logic_error);
}

TEST(UnitText, OfARateHasOneMoreSecondBelow) {
  EXPECT_EQ(per_second({"rad", "deg", 2.0}), (UnitText{"rad/s", "deg/s", 2.0}));
  EXPECT_EQ(per_second(per_second({"m", "mm", 1e-3})), (UnitText{"m/s^2", "mm/s^2", 1e-3}));
  EXPECT_EQ(per_second({"m/s^2", "m/s^2", 1.0}).si, "m/s^3");
  EXPECT_EQ(unit_text(make_dimension(0, 0, -1)).si, "rad/s");
  EXPECT_EQ(unit_text({}), UnitText{});
}

TEST(UnitOfWord, IsWhatPeopleMean) {
  const std::pair<const char*, const char*> cases[] = {
      {"meter", "m"},        {"metres", "m"},    {"Seconds", "s"},  {"sec", "s"},     {"kilogram", "kg"},
      {"millimeters", "mm"}, {"degrees", "deg"}, {"radian", "rad"}, {"newtons", "N"}, {"hours", "h"},
      {"s2", "s^2"},         {"mm3", "mm^3"},    {"Nm", "N*m"},     {"kNm", "kN*m"},  {"Nms", "N*m*s"},
      {"kgm", "kg*m"},       {"furlong", ""},    {"", ""},          {"2", ""}};
  for (const auto& [word, unit] : cases) EXPECT_EQ(unit_of_word(word), unit) << word;
}

}  // namespace
}  // namespace vinculum

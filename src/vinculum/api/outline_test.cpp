#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/folder.hpp"
#include "vinculum/tools.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {
namespace {

using Json = nlohmann::json;
using test_support::Folder;

constexpr const char* kOutlined = R"(model arm
frame N newtonian
point O fixed in N
# length
param l = 500 [mm], m = 2 [kg]
coord a [deg]  # from x
frame A = N rotated a about z
component tip(k, O, A, m) {
  point T = O + k*A.x
  particle p mass m at T
}
use tip(2*l, O, A, m) as end
for i in 1..2 {
  let b[i] = i*l
}
let M = l*A.x
output J = energy
output F = cross(M, 3 [N]*N.y)
)";

Json outline_of(const std::string& text, const std::string& path = "/nowhere/m.vin", const UnsavedTexts& texts = {}) {
  return Json::parse(outline(text, path, texts));
}

Json name_in(const Json& outline, const std::string& name) {
  for (const Json& one : outline["names"])
    if (one["name"] == name) return one;
  return nullptr;
}

TEST(Outline, HasTheNamesWithPlacesUnitsAndComments) {
  const Json found = outline_of(kOutlined);
  EXPECT_EQ(found["diagnostics"], Json::array());
  EXPECT_EQ(found["files"], Json({"/nowhere/m.vin"}));
  const Json l = name_in(found, "l");
  EXPECT_EQ(l["kind"], "parameter");
  EXPECT_EQ(l["unit"], "mm");
  EXPECT_EQ(l["si"], "m");
  EXPECT_EQ(l["value"], 0.5);
  EXPECT_EQ(l["line"], 5);
  EXPECT_EQ(l["column"], 7);
  EXPECT_EQ(l["end_column"], 8);
  EXPECT_EQ(l["comments"], Json({"length"}));
  EXPECT_EQ(name_in(found, "a")["unit"], "deg");
  EXPECT_EQ(name_in(found, "a")["comments"], Json({"from x"}));
  EXPECT_EQ(name_in(found, "M")["quantity"], "a vector");
  EXPECT_EQ(name_in(found, "J")["unit"], "J");
  EXPECT_EQ(name_in(found, "F")["unit"], "N*m");
  EXPECT_EQ(name_in(found, "b[2]")["unit"], "m");
  EXPECT_EQ(name_in(found, "arm")["kind"], "model");
}

TEST(Outline, HasNamesOfComponentsTwiceLocallyAndPerUse) {
  const Json found = outline_of(kOutlined);
  EXPECT_EQ(name_in(found, "end.p")["kind"], "particle");
  EXPECT_EQ(name_in(found, "end.T")["scope"], nullptr);
  EXPECT_EQ(name_in(found, "end.T")["line"], 9);
  EXPECT_EQ(name_in(found, "T")["scope"], Json({8, 11}));
  EXPECT_EQ(name_in(found, "k")["kind"], "argument");
  EXPECT_EQ(name_in(found, "tip")["kind"], "component");
  EXPECT_EQ(name_in(found, "end")["kind"], "use");
  EXPECT_EQ(name_in(found, "i")["scope"], Json({13, 15}));
}

TEST(Outline, OfAWrongTextHasTheOtherNames) {
  const Json found = outline_of(std::string(kOutlined) + "let w = nothing\nlet v = (\nlet u = 2*l\n");
  ASSERT_EQ(found["diagnostics"].size(), 2u);
  EXPECT_EQ(found["diagnostics"][0]["kind"], "unknown-name");
  EXPECT_EQ(name_in(found, "w")["unit"], "");
  EXPECT_EQ(name_in(found, "v"), nullptr);
  EXPECT_EQ(name_in(found, "u")["unit"], "m");
  EXPECT_EQ(outline_of("")["names"], Json::array());
  EXPECT_EQ(outline_of("coord q [m]\nlet a = q +")["names"].size(), 1u);
}

TEST(Outline, TakesUnsavedTextsBeforeIncludedFiles) {
  const Folder folder;
  const auto part = folder.write("part.vin", "param k = 2 [m]\ncomponent c(h) {\n}\n");
  const std::string text = "model m\ninclude \"part.vin\"\nframe N newtonian\ncoord x [m]\n";
  const std::string path = (folder.path() / "m.vin").string();
  const Json saved = outline_of(text, path);
  EXPECT_EQ(name_in(saved, "k")["unit"], "m");
  EXPECT_EQ(name_in(saved, "c")["file"], part.string());
  EXPECT_EQ(saved["files"].size(), 2u);
  const Json unsaved = outline_of(text, path, {{std::filesystem::canonical(part), "param j = 2 [kg]\n"}});
  EXPECT_EQ(name_in(unsaved, "k"), nullptr);
  EXPECT_EQ(name_in(unsaved, "j")["unit"], "kg");
}

TEST(Vocabulary, HasTheTablesOfTheLanguage) {
  const Json words = Json::parse(vocabulary());
  const auto has = [&](const char* table, const char* word) {
    return std::ranges::any_of(words[table], [&](const Json& row) { return row["word"] == word; });
  };
  EXPECT_TRUE(has("statements", "particle"));
  EXPECT_TRUE(has("clauses", "nonideal"));
  EXPECT_TRUE(has("view", "coil"));
  EXPECT_TRUE(has("functions", "multiplier"));
  EXPECT_TRUE(has("laws", "gyroscopic"));
  EXPECT_TRUE(has("joints", "contact"));
  EXPECT_TRUE(has("units", "lbf"));
  EXPECT_TRUE(has("methods", "radau"));
  EXPECT_TRUE(has("stops", "not-unique"));
  EXPECT_EQ(words["operators"][0], "and");
}

TEST(FormatText, IsTheLayoutOfAFile) {
  const Folder folder;
  const std::string text = "model   m\ncoord x  [m]\n";
  EXPECT_EQ(format_text(text).value(), format(folder.write("m.vin", text)).value());
  const auto wrong = format_text("model m\nlet v = (\n", "w.vin");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().place, "w.vin:2:9");
}

}  // namespace
}  // namespace vinculum

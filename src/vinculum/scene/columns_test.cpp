#include "vinculum/scene/columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

namespace vinculum::report {
namespace {

double number_at(const SceneColumns& columns, std::size_t column, std::size_t place) {
  const Node& node = columns.node().at(column);
  const std::string& kind = std::get<std::string>(node.at("k").value);
  if (kind == "const") return std::get<double>(node.at("b").value);
  const auto offset = static_cast<std::size_t>(std::get<std::int64_t>(node.at("o").value));
  const std::uint8_t* first = columns.bytes().data() + offset;
  if (kind == "f64") {
    double value = 0.0;
    std::memcpy(&value, first + 8 * place, sizeof value);
    return value;
  }
  float value = 0.0F;
  std::memcpy(&value, first + 4 * place, sizeof value);
  return std::get<double>(node.at("b").value) + static_cast<double>(value);
}

TEST(SceneColumns, KeepTinyDriftsOnLargeValues) {
  SceneColumns columns;
  const std::vector<double> energy{20.0, 20.0 + 3e-12, 20.0 - 1e-12};
  EXPECT_EQ(columns.add(energy), 0);
  for (std::size_t i = 0; i < energy.size(); ++i) EXPECT_NEAR(number_at(columns, 0, i) - 20.0, energy[i] - 20.0, 1e-14);
}

TEST(SceneColumns, ConstantsCostNoBytesAndTimesAreExact) {
  SceneColumns columns;
  columns.add(std::vector<double>{2.5, 2.5, 2.5});
  EXPECT_TRUE(columns.bytes().empty());
  EXPECT_EQ(number_at(columns, 0, 2), 2.5);
  columns.add(std::vector<double>{0.0, 1.0, 3.0});
  const std::vector<double> times{0.0, 1.0 / 3.0, std::numbers::pi};
  columns.add(times, SceneColumns::Precision::kDouble);
  EXPECT_EQ(std::get<std::int64_t>(columns.node().at(2).at("o").value), 16);  // offsets are multiples of 8
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(number_at(columns, 2, i), times[i]);
}

TEST(SceneColumns, WhatIsThereIsNotWrittenAgain) {
  SceneColumns columns;
  const std::vector<double> lambda{1.0, 1.5, 1.25};
  const int first = columns.add(lambda);
  const int other = columns.add(std::vector<double>{1.0, 1.5, 1.5});
  const std::size_t size = columns.bytes().size();
  EXPECT_EQ(columns.add(lambda), first);
  EXPECT_EQ(columns.bytes().size(), size);
  EXPECT_EQ(number_at(columns, static_cast<std::size_t>(other), 2), 1.5);
  // a column with the same differences from another base is not equal, and so is stored as another column
  EXPECT_NE(columns.add(std::vector<double>{2.0, 2.5, 2.25}), first);
  EXPECT_NE(columns.add(lambda, SceneColumns::Precision::kDouble), first);
}

TEST(SceneColumns, GapsAreNotANumber) {
  SceneColumns columns;
  columns.add(std::vector<double>{std::nan(""), 1.0, 2.0});
  EXPECT_TRUE(std::isnan(number_at(columns, 0, 0)));
  EXPECT_EQ(number_at(columns, 0, 2), 2.0);
  columns.add(std::vector<double>{std::nan(""), std::nan("")});
  EXPECT_EQ(std::get<std::string>(columns.node().at(1).at("k").value), "const");
}

TEST(SceneColumns, AreWrittenInBase64) {
  const auto written = [](std::string_view text) {
    return base64(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  };
  EXPECT_EQ(written(""), "");  // RFC 4648, section 10
  EXPECT_EQ(written("f"), "Zg==");
  EXPECT_EQ(written("fo"), "Zm8=");
  EXPECT_EQ(written("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace vinculum::report

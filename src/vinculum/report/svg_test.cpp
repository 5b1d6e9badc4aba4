#include "vinculum/report/svg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace vinculum::report {
namespace {

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// Returns the points of line number k in a picture.
std::vector<std::pair<double, double>> points(const std::string& svg, std::size_t k) {
  std::size_t at = 0;
  const std::string begin = "\" fill=\"none\" stroke=\"#";
  for (std::size_t i = 0; i <= k + 1; ++i) at = svg.find(begin, at) + 1;  // the first path is the frame of the axes
  const std::size_t from = svg.rfind("<path d=\"", at) + 9;
  const std::string path = svg.substr(from, at - 1 - from);
  const std::regex number("(-?[0-9.]+) (-?[0-9.]+)");
  std::vector<std::pair<double, double>> result;
  for (auto it = std::sregex_iterator(path.begin(), path.end(), number); it != std::sregex_iterator(); ++it)
    result.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  return result;
}

Plot sine() {
  Plot plot{"a < b & c", "s", {}, {}, {{"Coordinates", "m", {{"x", {}}, {"y\"", {}}}, ""}}};
  for (int i = 0; i <= 4000; ++i) {
    plot.t.push_back(i * 0.001);
    plot.panels[0].lines[0].values.push_back(std::sin(3.0 * plot.t.back()));
    plot.panels[0].lines[1].values.push_back(plot.t.back() / 4.0);
  }
  return plot;
}

TEST(AxisMarks, AreRoundAndHoldEverything) {
  EXPECT_EQ(axis_marks(0.0, 1.0, 5), (std::vector<double>{0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0}));
  for (const auto& [least, greatest] : std::vector<std::pair<double, double>>{
           {-1.7, 2.3}, {1e-9, 3e-9}, {5.0, 5.0}, {0.0, 0.0}, {-4e12, -3.9e12}, {99.5, 100.5}}) {
    const std::vector<double> marks = axis_marks(least, greatest, 4);
    ASSERT_GE(marks.size(), 2U);
    EXPECT_LE(marks.size(), 8U);
    const double step = marks[1] - marks[0];
    EXPECT_LE(marks.front(), least + 1e-9 * step);
    EXPECT_GE(marks.back(), greatest - 1e-9 * step);
    const double lead = step / std::pow(10.0, std::floor(std::log10(step) + 1e-6));
    EXPECT_TRUE(std::abs(lead - 1) < 1e-3 || std::abs(lead - 2) < 1e-3 || std::abs(lead - 5) < 1e-3) << step;
  }
}

TEST(Svg, HasItsLinesInItsAxes) {
  const std::string svg = to_svg(sine());
  const auto x = points(svg, 0), y = points(svg, 1);
  EXPECT_LT(x.size(), 400U);  // not all samples are drawn
  EXPECT_EQ(y.size(), 2U);    // a straight line needs two points
  EXPECT_DOUBLE_EQ(y.front().first, 84.0);
  EXPECT_DOUBLE_EQ(y.back().first, 876.0);
  for (const auto& [t, value] : x) {
    const double time = (t - 84.0) / (876.0 - 84.0) * 4.0;
    const double number = -1.0 + 2.0 * (266.0 - value) / 190.0;  // the panel begins at y = 76 and is 190 high
    EXPECT_NEAR(number, std::sin(3.0 * time), 2e-3);
  }
}

TEST(Svg, SaysWhatItShows) {
  Plot plot = sine();
  plot.events = {1.5, 2.5};
  plot.panels.push_back({"Forces", "", {{"F", std::vector<double>(plot.t.size(), 2.0)}}, "and 3 more"});
  const std::string svg = to_svg(plot);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const char* text :
       {">a &lt; b &amp; c<", ">Coordinates [m]<", ">y&quot;<", ">Forces<", ">and 3 more<", ">t [s]<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  EXPECT_EQ(count(svg, "stroke-dasharray=\"1 4\""), 4U);  // two events in two panels
  EXPECT_EQ(count(svg, "<script"), 0U);
  EXPECT_EQ(count(svg, "nan"), 0U);
}

TEST(Svg, LeavesGapsAndKeepsJumps) {
  Plot plot{"p", "", {0.0, 1.0, 1.0, 2.0, 3.0, 4.0}, {}, {}};
  plot.panels = {
      {"c",
       "",
       {{"jump", {0, 0, 1, 1, 1, 1}}, {"gap", {0, 1, NAN, NAN, 3, 4}}, {"none", {NAN, NAN, NAN, NAN, NAN, NAN}}},
       ""}};
  const std::string svg = to_svg(plot);
  const auto jump = points(svg, 0);
  ASSERT_EQ(jump.size(), 4U);
  EXPECT_EQ(jump[1].first, jump[2].first);
  const std::size_t gap = svg.find("stroke=\"#c2500a\"", svg.find("stroke=\"#c2500a\"") + 1);
  const std::string path = svg.substr(svg.rfind("<path", gap), gap - svg.rfind("<path", gap));
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
  EXPECT_NE(svg.find("d=\"\" fill"), std::string::npos);  // the third line is empty
}

}  // namespace
}  // namespace vinculum::report

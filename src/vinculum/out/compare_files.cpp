#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

#include "vinculum/out/columns.hpp"
#include "vinculum/out/compare_report.hpp"

namespace vinculum::out {
namespace {

using sim::Group;

constexpr std::size_t kMostPanels = 6;
constexpr const char* kColours[] = {"#1f5fa8", "#c8442a", "#2d8a4e", "#8a4fa3", "#b8860b", "#3a3a3a", "#1aa0a8", "#a0522d"};

/// A name as a field: one with a comma or a quote stands in quotes.
std::string field(const std::string& name) {
  if (name.find_first_of(",\"") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

std::string value(double x) { return std::isfinite(x) ? fmt::format("{:.17g}", x) : ""; }

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

/// Column of a quantity of a variant in compare.csv, from 1.
std::size_t column(const CompareReport& report, std::size_t quantity, std::size_t variant) {
  return 2 + quantity * report.variants.size() + variant;
}

std::string label(const CompareReport& report, std::size_t quantity) {
  const sim::Quantity& one = report.comparison.quantities[quantity];
  const std::string unit = unit_suffix(*report.variants.front().compiled->model, one.dimension);
  return unit.empty() ? one.name : one.name + " [" + unit.substr(1) + "]";
}

std::string curve(const CompareReport& report, std::size_t variant, const std::string& columns, bool has_title) {
  const std::string title = has_title ? "title " + quoted(report.comparison.variants[variant].name) : std::string("notitle");
  return fmt::format("'compare.csv' using {} with lines linecolor rgb '{}' {}", columns, kColours[variant % std::size(kColours)], title);
}

/// One panel: a quantity over time for all variants that have it.
std::string over_time(const CompareReport& report, std::size_t quantity, bool has_titles) {
  std::string text = fmt::format("set xlabel 't [s]'\nset ylabel {}\nplot ", quoted(label(report, quantity)));
  bool is_first = true;
  for (std::size_t v = 0; v < report.variants.size(); ++v) {
    if (!report.comparison.values[v].col(static_cast<Eigen::Index>(quantity)).array().isFinite().any()) continue;
    text += (is_first ? "" : ", \\\n     ") + curve(report, v, fmt::format("1:{}", column(report, quantity, v)), has_titles);
    is_first = false;
  }
  return text + "\n";
}

std::string panels(const CompareReport& report, const std::string& file, const std::vector<std::size_t>& quantities) {
  if (quantities.empty()) return "";
  const std::size_t columns = quantities.size() > 1 ? 2 : 1, rows = (quantities.size() + columns - 1) / columns;
  std::string text = fmt::format("\nset terminal svg size {},{} dynamic enhanced font 'sans,11' background rgb 'white'\n", 380 * columns, 260 * rows) +
                     fmt::format("set output '{}'\nset multiplot layout {},{}\n", file, rows, columns);
  for (std::size_t i = 0; i < quantities.size(); ++i) text += over_time(report, quantities[i], i == 0);
  return text + "unset multiplot\n";
}

std::optional<std::size_t> coordinate(const CompareReport& report, const std::string& name) {
  const auto& all = report.comparison.quantities;
  const auto found = std::ranges::find_if(all, [&](const sim::Quantity& one) { return one.group == Group::kCoordinates && one.name == name; });
  return found == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - all.begin()));
}

std::string path(const CompareReport& report) {
  const auto x = coordinate(report, "x"), y = coordinate(report, "y");
  if (!x || !y || !(report.comparison.quantities[*x].dimension == report.comparison.quantities[*y].dimension)) return "";
  std::string text = fmt::format("\nset terminal svg size 520,400 dynamic enhanced font 'sans,11' background rgb 'white'\nset output 'path.svg'\n"
                                 "set size ratio -1\nset xlabel {}\nset ylabel {}\nplot ",
                                 quoted(label(report, *x)), quoted(label(report, *y)));
  for (std::size_t v = 0; v < report.variants.size(); ++v) {
    text += (v == 0 ? "" : ", \\\n     ") + curve(report, v, fmt::format("{}:{}", column(report, *x, v), column(report, *y, v)), true);
  }
  return text + "\nset size noratio\n";
}

std::string ladders(const CompareReport& report) {
  if (report.comparison.ladders.empty()) return "";
  std::string text = "\nset terminal svg size 520,400 dynamic enhanced font 'sans,11' background rgb 'white'\nset output 'ladder.svg'\n"
                     "set logscale xy\nset format '10^{%L}'\nset key bottom left\nset xlabel 'parameter of the law'\n"
                     "set ylabel 'distance of coordinates'\nplot ";
  for (std::size_t i = 0; i < report.comparison.ladders.size(); ++i) {
    const sim::LadderResult& one = report.comparison.ladders[i];
    const std::string& first = report.comparison.variants[one.ladder.variants.front()].name;
    const std::string title = fmt::format("{} from {}", first.substr(0, first.find('(')), report.comparison.variants[one.reference].name);
    text += (i == 0 ? "" : ", \\\n     ") + fmt::format("'ladder.csv' using ($1=={} ? $3 : NaN):4 with linespoints pointtype 7 linecolor rgb '{}' title {}",
                                                        i + 1, kColours[i % std::size(kColours)], quoted(title));
  }
  return text + "\nunset logscale\n";
}

}  // namespace

void write_compare_csv(std::ostream& stream, const CompareReport& report) {
  const sim::Comparison& comparison = report.comparison;
  stream << "t";
  for (const sim::Quantity& quantity : comparison.quantities) {
    for (const sim::Compared& variant : comparison.variants) stream << ',' << field(quantity.name + " (" + variant.name + ")");
  }
  stream << '\n';
  for (std::size_t k = 0; k < comparison.times.size(); ++k) {
    stream << value(comparison.times[k]);
    for (std::size_t q = 0; q < comparison.quantities.size(); ++q) {
      for (const Matrix& values : comparison.values) stream << ',' << value(values(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(q)));
    }
    stream << '\n';
  }
}

void write_ladder_csv(std::ostream& stream, const CompareReport& report) {
  stream << "ladder,variant,value,coordinates,coordinates order,speeds,speeds order\n";
  for (std::size_t i = 0; i < report.comparison.ladders.size(); ++i) {
    const sim::LadderResult& ladder = report.comparison.ladders[i];
    for (std::size_t k = 0; k < ladder.rungs.size(); ++k) {
      const auto& rung = ladder.rungs[k];
      stream << i + 1 << ',' << field(report.comparison.variants[ladder.ladder.variants[k]].name) << ',' << value(ladder.ladder.values[k]) << ','
             << value(rung.coordinates) << ',' << value(rung.coordinates_order) << ',' << value(rung.speeds) << ',' << value(rung.speeds_order) << '\n';
    }
  }
}

std::string compare_plot(const CompareReport& report) {
  std::vector<std::size_t> coordinates, energies;
  for (std::size_t i = 0; i < report.comparison.quantities.size(); ++i) {
    const sim::Quantity& one = report.comparison.quantities[i];
    if (one.group == Group::kCoordinates && coordinates.size() < kMostPanels) coordinates.push_back(i);
    if (one.group == Group::kEnergies && (one.name == "total energy" || one.name == "effective energy")) energies.push_back(i);
  }
  return "# gnuplot compare.gp, in the folder of compare.csv\n"
         "set datafile separator ','\nset datafile missing ''\nset key autotitle columnhead\nset key noenhanced top left\n"
         "set grid linecolor rgb '#dddddd'\nset border 3\nset tics nomirror\nset xlabel noenhanced\nset ylabel noenhanced\n" +
         panels(report, "coordinates.svg", coordinates) + path(report) + panels(report, "energies.svg", energies) + ladders(report);
}

}  // namespace vinculum::out

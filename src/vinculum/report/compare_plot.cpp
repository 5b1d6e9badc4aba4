#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/report/columns.hpp"
#include "vinculum/report/compare_report.hpp"

namespace vinculum::report {
namespace {

using compare::Group;

constexpr std::size_t kMostPanels = 6;
// Length of the longer axis of a plot of a path, in pixels.
constexpr double kPathPixels = 320.0;
constexpr double kTicPixels = 45.0;
// Largest number of curves in a plot. If there are more variants, the inner variants of ladders are not drawn; they are
// in the CSV.
constexpr std::size_t kMostCurves = 8;
constexpr const char* kColours[] = {"#222222", "#c8442a", "#1f5fa8", "#2d8a4e",
                                    "#8a4fa3", "#b8860b", "#1aa0a8", "#a0522d"};

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

/// Writes the gnuplot expression for a quantity of a variant: the number of its column in compare.csv, counted from 1.
/// If the declared unit is not SI, the expression divides the column by the unit.
std::string column(const CompareReport& report, std::size_t quantity, std::size_t variant) {
  const std::size_t place = 2 + quantity * report.variants.size() + variant;
  const double scale = report.comparison.quantities[quantity].unit.scale;
  return scale == 1.0 ? fmt::format("{}", place) : fmt::format("(${}/{})", place, scale);
}

std::string label(const CompareReport& report, std::size_t quantity) {
  const compare::Quantity& one = report.comparison.quantities[quantity];
  const std::string& unit = one.unit.shown;
  return unit.empty() ? one.name : one.name + " [" + unit + "]";
}

/// Style and title of the curve of one variant.
struct Curve {
  std::size_t variant = 0;
  std::string style, title;
};

/// Returns all variants, or all except the inner variants of ladders.
std::vector<Curve> drawn(const CompareReport& report) {
  std::vector<Curve> result;
  for (std::size_t i = 0; i < report.variants.size(); ++i) {
    if (report.variants.size() > kMostCurves && is_inner_rung(report.comparison, i)) continue;
    const std::string style = fmt::format("with lines linewidth {} linecolor rgb '{}'", result.empty() ? 2.5 : 1.5,
                                          kColours[result.size() % std::size(kColours)]);
    result.push_back({i, style, quoted(report.comparison.variants[i].name)});
  }
  return result;
}

std::string plot_of(const std::vector<std::string>& curves) {
  return fmt::format("plot {}\n", fmt::join(curves, ", \\\n     "));
}

/// Writes the gnuplot command for a quantity over time, with one curve for every variant that has the quantity.
std::string over_time(const CompareReport& report, std::size_t quantity) {
  std::vector<std::string> curves;
  for (const auto& [v, style, title] : drawn(report)) {
    if (report.comparison.values[v].col(static_cast<Eigen::Index>(quantity)).array().isFinite().any())
      curves.push_back(fmt::format("'compare.csv' using 1:{} {} notitle", column(report, quantity, v), style));
  }
  if (curves.empty()) return "";
  const std::string time = model_of(report).has_units ? "t [s]" : "t";
  return fmt::format("set xlabel {}\nset ylabel {}\n", quoted(time), quoted(label(report, quantity))) + plot_of(curves);
}

/// Writes the gnuplot commands for a panel that contains only the legend.
std::string names_panel(const CompareReport& report) {
  std::vector<std::string> curves;
  for (const Curve& one : drawn(report)) curves.push_back(fmt::format("NaN {} title {}", one.style, one.title));
  return "unset border\nunset tics\nunset grid\nunset xlabel\nunset ylabel\nset key center center\nset xrange "
         "[0:1]\nset yrange [0:1]\n" +
         plot_of(curves) +
         "set autoscale\nset key top left\nset border 3\nset tics nomirror\nset grid linecolor rgb '#dddddd'\n";
}

std::string terminal(std::size_t width, std::size_t height, const std::string& file) {
  return fmt::format(
      "\nset terminal svg size {},{} dynamic enhanced font 'sans,11' background rgb 'white'\nset output '{}'\n", width,
      height, file);
}

std::string panels(const CompareReport& report, const std::string& file, const std::vector<std::size_t>& quantities) {
  if (quantities.empty()) return "";
  const std::size_t rows = (quantities.size() + 2) / 2;
  std::string text = terminal(760, 250 * rows, file) + fmt::format("set multiplot layout {},2\n", rows);
  for (const std::size_t quantity : quantities) text += over_time(report, quantity);
  return text + names_panel(report) + "unset multiplot\n";
}

std::optional<std::size_t> coordinate(const CompareReport& report, const std::string& name) {
  const auto& all = report.comparison.quantities;
  const auto found = std::ranges::find_if(
      all, [&](const compare::Quantity& one) { return one.group == Group::kCoordinates && one.name == name; });
  return found == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - all.begin()));
}

/// Returns the distance between ticks that leaves room for their labels: 1, 2 or 5 times a power of ten. `span` and
/// `pixels` are the length of the axis in numbers and in pixels.
double tic_step(double span, double pixels) {
  const double least = span * kTicPixels / std::max(pixels, kTicPixels),
               power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (least <= factor * power) return factor * power;
  }
  return 10.0 * power;
}

/// Returns the difference between the largest and the smallest drawn value of a quantity; NaN if nothing is drawn.
double span_of(const CompareReport& report, std::size_t quantity) {
  double least = std::nan(""), largest = least;
  for (const Curve& one : drawn(report)) {
    for (const double x : report.comparison.values[one.variant].col(static_cast<Eigen::Index>(quantity))) {
      least = std::fmin(least, x);
      largest = std::fmax(largest, x);
    }
  }
  return (largest - least) / report.comparison.quantities[quantity].unit.scale;
}

std::string path(const CompareReport& report) {
  const auto x = coordinate(report, "x"), y = coordinate(report, "y");
  if (!x || !y || !(report.comparison.quantities[*x].unit == report.comparison.quantities[*y].unit)) return "";
  std::vector<std::string> curves;
  for (const auto& [v, style, title] : drawn(report))
    curves.push_back(fmt::format("'compare.csv' using {}:{} {} title {}", column(report, *x, v), column(report, *y, v),
                                 style, title));
  const double width = span_of(report, *x), height = span_of(report, *y);
  if (!(width > 0.0) || !(height > 0.0)) return "";
  const double scale = std::min(kPathPixels / width, kPathPixels / height);
  return terminal(640, 400, "path.svg") +
         fmt::format(
             "set size ratio -1\nset key outside right top\nset xtics {:g}\nset ytics {:g}\nset xlabel {}\nset ylabel "
             "{}\n",
             tic_step(width, scale * width), tic_step(height, scale * height), quoted(label(report, *x)),
             quoted(label(report, *y))) +
         plot_of(curves) + "set size noratio\nset key inside top left\nset xtics autofreq\nset ytics autofreq\n";
}

std::string ladders(const CompareReport& report) {
  if (report.comparison.ladders.empty()) return "";
  std::vector<std::string> curves;
  for (std::size_t i = 0; i < report.comparison.ladders.size(); ++i) {
    const compare::LadderResult& one = report.comparison.ladders[i];
    const std::string& first = report.comparison.variants[one.ladder.variants.front()].name;
    const std::string title =
        fmt::format("{} from {}", first.substr(0, first.find('(')), report.comparison.variants[one.reference].name);
    curves.push_back(
        fmt::format("'ladder.csv' using ($1=={} ? $3 : NaN):4 with linespoints pointtype 7 pointsize 0.6 linewidth 1.5 "
                    "linecolor rgb '{}' title {}",
                    i + 1, kColours[(i + 1) % std::size(kColours)], quoted(title)));
  }
  return terminal(640, 360, "ladder.svg") +
         "set logscale xy\nset format '%g'\nset key below\nset xlabel 'parameter of the law'\nset ylabel 'distance of "
         "coordinates'\n" +
         plot_of(curves) + "unset logscale\nset format\n";
}

}  // namespace

std::string compare_plot(const CompareReport& report) {
  std::vector<std::size_t> coordinates, energies;
  for (std::size_t i = 0; i < report.comparison.quantities.size(); ++i) {
    const compare::Quantity& one = report.comparison.quantities[i];
    if (one.group == Group::kCoordinates && coordinates.size() < kMostPanels) coordinates.push_back(i);
    if (one.group == Group::kEnergies && (one.name == "total energy" || one.name == "effective energy"))
      energies.push_back(i);
  }
  return "# gnuplot compare.gp, in the folder of compare.csv\n"
         "set datafile separator ','\nset datafile missing ''\nset key noenhanced top left\n"
         "set grid linecolor rgb '#dddddd'\nset border 3\nset tics nomirror\nset xlabel noenhanced\nset ylabel "
         "noenhanced\n" +
         panels(report, "coordinates.svg", coordinates) + path(report) + panels(report, "energies.svg", energies) +
         ladders(report);
}

}  // namespace vinculum::report

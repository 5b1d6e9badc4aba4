#include "vinculum/report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/report/thin.hpp"

namespace vinculum::report {
namespace {

constexpr double kWidth = 900.0, kLeft = 84.0, kRight = 24.0, kTop = 52.0, kBottom = 46.0;
constexpr double kPanel = 190.0, kGap = 22.0, kLegendLine = 20.0;
// Approximate width of a character in pixels, at a font size of 13 px.
constexpr double kLetter = 7.2;
constexpr double kPixelParts = 20.0;

constexpr std::array<std::string_view, 8> kHues = {"#1f5fa8", "#c2500a", "#2b8a57", "#8a3fa0",
                                                   "#b3243f", "#557000", "#0b7285", "#7a4b20"};
constexpr std::array<std::string_view, 3> kDashes = {"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') result += "&lt;";
    if (c == '>') result += "&gt;";
    if (c == '&') result += "&amp;";
    if (c == '"') result += "&quot;";
    if (std::string_view("<>&\"").find(c) == std::string_view::npos) result += c;
  }
  return result;
}

std::string shown_mark(double value, double step) {
  const double size = std::max(std::abs(value), step);
  const int digits = std::max(6, 2 + static_cast<int>(std::floor(std::log10(size / step))));
  std::string text = fmt::format("{:.{}g}", std::abs(value) < step / 2.0 ? 0.0 : value, digits);
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

std::string stroke(std::size_t line) {
  return fmt::format("stroke=\"{}\"{}", kHues[line % kHues.size()], kDashes[line / kHues.size() % kDashes.size()]);
}

/// Maps numbers linearly to pixels.
struct Axis {
  double from, to, low, high;  ///< the numbers `from` and `to` are mapped to the pixels `low` and `high`
  [[nodiscard]] double at(double value) const { return low + (value - from) / (to - from) * (high - low); }
};

class SvgWriter {
 public:
  explicit SvgWriter(const Plot& plot) : plot_(plot) {}

  std::string write() {
    const auto [first, last] = plot_.t.empty() ? std::pair(0.0, 1.0) : std::pair(plot_.t.front(), plot_.t.back());
    time_ = {first, last > first ? last : first + 1.0, kLeft, kWidth - kRight};
    double y = kTop;
    for (const Plot::Panel& panel : plot_.panels) y = add_panel(panel, y) + kGap;
    const double height = y - kGap + kBottom;
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
               "font-family=\"sans-serif\" font-size=\"13\" fill=\"#1c2733\" role=\"img\">\n<title>{2}</title>\n"
               "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
               "<text x=\"{3:g}\" y=\"28\" font-size=\"16\" font-weight=\"600\">{2}</text>\n",
               kWidth, height, escaped(plot_.title), kLeft) +
           body_ + "</svg>\n";
  }

 private:
  /// Adds a panel whose top is at y.   \returns the y coordinate of its lower edge.
  double add_panel(const Plot::Panel& panel, double y) {
    const double top = add_legend(panel, y);
    const Axis values = add_values(panel, top);
    add_times(top + kPanel, &panel == &plot_.panels.back());
    for (const double event : plot_.events) {
      const double x = time_.at(event);
      body_ += fmt::format("<path d=\"M{0:.2f} {1:g}V{2:g}\" stroke=\"#6f7885\" stroke-dasharray=\"1 4\"/>\n", x, top,
                           top + kPanel);
    }
    for (std::size_t k = 0; k < panel.lines.size(); ++k) {
      body_ += fmt::format("<path d=\"{}\" fill=\"none\" {} stroke-width=\"1.6\" stroke-linejoin=\"round\"/>\n",
                           path(panel.lines[k].values, values), stroke(k));
    }
    return top + kPanel;
  }

  /// Adds title, unit and names, in as many lines as needed. \returns y of the top of the panel.
  double add_legend(const Plot::Panel& panel, double y) {
    const std::string unit = panel.unit.empty() ? "" : fmt::format(" [{}]", panel.unit);
    body_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" font-weight=\"600\">{}</text>\n", kLeft, y + 14.0,
                         escaped(panel.title + unit));
    double x = kLeft + kLetter * static_cast<double>(panel.title.size() + unit.size()) + 26.0;
    const auto place = [&](std::size_t letters) {
      const double width = kLetter * static_cast<double>(letters) + 44.0;
      if (x + width > kWidth && x > kLeft) {
        x = kLeft;
        y += kLegendLine;
      }
      return std::exchange(x, x + width);
    };
    for (std::size_t k = 0; k < panel.lines.size(); ++k) {
      const double at = place(panel.lines[k].name.size());
      body_ += fmt::format(
          "<path d=\"M{0:g} {1:g}h22\" {2} stroke-width=\"2.4\"/><text x=\"{3:g}\" y=\"{4:g}\">{5}</text>\n", at,
          y + 9.5, stroke(k), at + 28.0, y + 14.0, escaped(panel.lines[k].name));
    }
    if (!panel.left_out.empty())
      body_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" fill=\"#5b6675\">{}</text>\n", place(panel.left_out.size()),
                           y + 14.0, escaped(panel.left_out));
    return y + kLegendLine + 4.0;
  }

  Axis add_values(const Plot::Panel& panel, double top) {
    double least = INFINITY, greatest = -INFINITY;
    for (const Plot::Line& line : panel.lines) {
      for (const double value : line.values) {
        if (!std::isfinite(value)) continue;
        least = std::min(least, value);
        greatest = std::max(greatest, value);
      }
    }
    if (!(greatest >= least)) least = 0.0, greatest = 1.0;  // no finite value
    const std::vector<double> marks = axis_marks(least, greatest, 4);
    const Axis axis{marks.front(), marks.back(), top + kPanel, top};
    for (const double mark : marks) {
      const double y = axis.at(mark);
      body_ += fmt::format(
          "<path d=\"M{0:g} {1:.2f}H{2:g}\" stroke=\"#d9dee5\"/><text x=\"{3:g}\" y=\"{4:.2f}\" "
          "text-anchor=\"end\">{5}</text>\n",
          kLeft, y, kWidth - kRight, kLeft - 8.0, y + 4.5, shown_mark(mark, marks[1] - marks[0]));
    }
    return axis;
  }

  void add_times(double bottom, bool has_names) {
    const std::vector<double> marks = axis_marks(time_.from, time_.to, 8);
    const double step = marks[1] - marks[0];
    for (const double mark : marks) {
      if (mark < time_.from - tolerance::kGeneric * step || mark > time_.to + tolerance::kGeneric * step) continue;
      const double x = time_.at(mark);
      body_ += fmt::format("<path d=\"M{0:.2f} {1:g}V{2:g}\" stroke=\"#d9dee5\"/>\n", x, bottom - kPanel, bottom);
      if (has_names)
        body_ += fmt::format("<text x=\"{:.2f}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n", x, bottom + 18.0,
                             shown_mark(mark, step));
    }
    body_ += fmt::format("<path d=\"M{0:g} {1:g}V{2:g}H{3:g}\" fill=\"none\" stroke=\"#1c2733\"/>\n", kLeft,
                         bottom - kPanel, bottom, kWidth - kRight);
    if (has_names)
      body_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"end\">t{}</text>\n", kWidth - kRight,
                           bottom + 36.0, plot_.time_unit.empty() ? "" : fmt::format(" [{}]", plot_.time_unit));
  }

  [[nodiscard]] std::string path(const std::vector<double>& values, const Axis& axis) const {
    const double pixel = (axis.to - axis.from) / kPanel;
    const Drawn drawn{values, pixel / kPixelParts};
    std::string path;
    bool is_on = false;
    for (const std::size_t i : instants_needed(plot_.t, {&drawn, 1})) {
      if (!std::isfinite(values[i])) {
        is_on = false;
        continue;
      }
      path += fmt::format("{}{:.2f} {:.2f}", is_on ? "L" : "M", time_.at(plot_.t[i]), axis.at(values[i]));
      is_on = true;
    }
    return path;
  }

  const Plot& plot_;
  Axis time_{};
  std::string body_;
};

}  // namespace

std::vector<double> axis_marks(double least, double greatest, int about) {
  if (greatest - least <= tolerance::kZero * std::max(std::abs(least), std::abs(greatest))) {  // constant
    const double half = least == 0.0 ? 1.0 : std::abs(least) / 2.0;
    least -= half;
    greatest += half;
  }
  const double raw = (greatest - least) / about, power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10.0 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= raw) step = factor * power;
  }
  std::vector<double> marks;
  const double first = std::floor(least / step + tolerance::kGeneric);
  const double last = std::ceil(greatest / step - tolerance::kGeneric);
  for (double k = first; k <= std::max(last, first + 1.0); ++k) marks.push_back(k * step);
  return marks;
}

std::string to_svg(const Plot& plot) { return SvgWriter(plot).write(); }

}  // namespace vinculum::report

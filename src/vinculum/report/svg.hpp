#pragma once

#include <string>
#include <vector>

namespace vinculum::report {

/// Lines over time, in one panel per kind of quantity; input of `to_svg`.
struct Plot {
  struct Line {
    std::string name;
    std::vector<double> values;  ///< [instants] values; NaN: a gap
  };
  struct Panel {
    std::string title, unit;  ///< "Coordinates", "deg"; the unit may be empty
    std::vector<Line> lines;
    std::string left_out = {};  ///< shown after the legend: "and 4 more"
  };
  std::string title;
  std::string time_unit;       ///< unit of time: "s", or empty
  std::vector<double> t;       ///< times of the points, not decreasing; an instant that occurs twice marks a jump
  std::vector<double> events;  ///< times of vertical dotted lines
  std::vector<Panel> panels;
};

/// Draws a self-contained SVG 1.1 picture. The panels are stacked on a common time axis. They have tick marks at 1, 2
/// or 5 × 10ⁿ, and legends with the names of their lines. Points that change a line by less than a twentieth of a pixel
/// are left out; extreme values are kept.
[[nodiscard]] std::string to_svg(const Plot& plot);

/// Returns tick marks that cover the range from `least` to `greatest`, with about `about` steps of 1, 2 or 5 × 10ⁿ. The
/// first mark is ≤ least and the last is ≥ greatest. \pre least ≤ greatest, both finite
[[nodiscard]] std::vector<double> axis_marks(double least, double greatest, int about);

}  // namespace vinculum::report

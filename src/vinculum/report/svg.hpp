#pragma once

#include <string>
#include <vector>

namespace vinculum::report {

/// Lines over the time, one panel a kind of quantity, for `to_svg`.
struct Plot {
  struct Line {
    std::string name;
    std::vector<double> values;  ///< [t]; NaN: a gap
  };
  struct Panel {
    std::string title, unit;  ///< "Coordinates", "deg"; the unit may be empty
    std::vector<Line> lines;
    std::string left_out = {};  ///< behind the legend: "and 4 more"
  };
  std::string title;
  std::string time_unit;       ///< "s", or empty
  std::vector<double> t;       ///< none falls; an instant that stands there twice is a jump
  std::vector<double> events;  ///< dotted lines
  std::vector<Panel> panels;
};

/// An SVG 1.1 picture that needs nothing else: panels over each other on one time axis, an axis of 1, 2, 5 × 10ⁿ each,
/// legends with the names. Points between which straight lines pass within a twentieth of a pixel are left out; least
/// and greatest values stay.
[[nodiscard]] std::string to_svg(const Plot& plot);

/// Values of an axis that holds all from `least` to `greatest`: about so many steps of 1, 2 or 5 × 10ⁿ, the first not
/// above and the last not below. \pre least ≤ greatest, both finite
[[nodiscard]] std::vector<double> axis_marks(double least, double greatest, int about);

}  // namespace vinculum::report

#include "vinculum/report/thin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::report {
namespace {

constexpr double kWithoutBound = std::numeric_limits<double>::infinity();

/// Interval of the slopes of lines from an instant that satisfy the permitted errors at all samples so far.
struct Cone {
  double least = -kWithoutBound, greatest = kWithoutBound;
};

class Swing {
 public:
  Swing(std::span<const double> t, std::span<const Drawn> drawn) : t_(t), drawn_(drawn), cones_(drawn.size()) {}

  void start_from(std::size_t sample) {
    from_ = sample;
    std::ranges::fill(cones_, Cone{});
  }
  /// Whether the line from the start instant to this sample satisfies the permitted errors at all samples between the
  /// two.
  [[nodiscard]] bool reaches(std::size_t sample) const {
    const double dt = t_[sample] - t_[from_];
    if (!(dt > 0.0)) return false;
    for (std::size_t k = 0; k < drawn_.size(); ++k) {
      const double there = drawn_[k].values[sample], here = drawn_[k].values[from_];
      if (std::isnan(there) && std::isnan(here)) continue;
      if (drawn_[k].has_steps) {
        if (!(std::abs(there - here) <= drawn_[k].allowed)) return false;
        continue;
      }
      const double slope = (there - here) / dt;
      if (!(slope >= cones_[k].least && slope <= cones_[k].greatest)) return false;
    }
    return true;
  }
  /// Restricts the interval of slopes by the permitted error at this sample.
  void pass(std::size_t sample) {
    const double dt = t_[sample] - t_[from_];
    for (std::size_t k = 0; k < drawn_.size(); ++k) {
      if (drawn_[k].has_steps) continue;
      const double rise = drawn_[k].values[sample] - drawn_[k].values[from_];
      if (std::isnan(rise)) continue;
      cones_[k].least = std::max(cones_[k].least, (rise - drawn_[k].allowed) / dt);
      cones_[k].greatest = std::min(cones_[k].greatest, (rise + drawn_[k].allowed) / dt);
    }
  }

 private:
  std::span<const double> t_;
  std::span<const Drawn> drawn_;
  std::vector<Cone> cones_;
  std::size_t from_ = 0;
};

/// Marks the indices of the smallest and the largest value of each quantity.
std::vector<char> extremes(std::size_t count, std::span<const Drawn> drawn) {
  std::vector<char> is_extreme(count, 0);
  for (const Drawn& one : drawn) {
    std::size_t least = count, greatest = count;
    for (std::size_t i = 0; i < count; ++i) {
      if (std::isnan(one.values[i])) continue;
      if (least == count || one.values[i] < one.values[least]) least = i;
      if (greatest == count || one.values[i] > one.values[greatest]) greatest = i;
    }
    if (least < count) is_extreme[least] = is_extreme[greatest] = 1;
  }
  return is_extreme;
}

}  // namespace

std::vector<std::size_t> instants_needed(std::span<const double> t, std::span<const Drawn> drawn) {
  std::vector<std::size_t> kept;
  if (t.empty()) return kept;
  const std::vector<char> is_extreme = extremes(t.size(), drawn);
  Swing swing(t, drawn);
  const auto keep = [&](std::size_t sample) {
    kept.push_back(sample);
    swing.start_from(sample);
  };
  keep(0);
  for (std::size_t i = 1; i < t.size(); ++i) {
    if (!swing.reaches(i)) {
      if (kept.back() != i - 1) keep(i - 1);
      if (!swing.reaches(i)) {  // a gap begins or ends, a step, or the time does not increase
        keep(i);
        continue;
      }
    }
    if (is_extreme[i] != 0 || i + 1 == t.size()) {
      keep(i);
    } else {
      swing.pass(i);
    }
  }
  return kept;
}

}  // namespace vinculum::report

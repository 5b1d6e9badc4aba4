#include "vinculum/integrate/lowest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::integrate {
namespace {

constexpr int kSamplesOfLength = 12;  // number of samples inside the interval, in addition to its ends
constexpr int kGoldenSections = 90;
constexpr double kGolden = 0.6180339887498949;
// A minimum counts as flat if the larger of the two values at the ends of its interval is at most this multiple of it.
// For a length that falls to 0 as |t|^p with p > 0.15 the ratio is larger, so the search continues.
constexpr double kFlat = 1.1;

/// True if the length is nearly constant around its minimum and the minimum is above 2 · zero: then the length does not
/// come near zero within the interval.
bool is_far_from(double zero, double lowest, double at_left, double at_right) {
  return lowest > 2.0 * zero && std::max(at_left, at_right) <= kFlat * lowest;
}

}  // namespace

double LowestOfEach::look(double t, int k) {
  if (!read_(t, lengths_)) return std::numeric_limits<double>::infinity();
  const auto place = std::ranges::lower_bound(looks_, t, {}, &Look::t);
  looks_.insert(place, {t, lengths_});
  return lengths_[k];
}

void LowestOfEach::sample() {
  for (int i = 0; i <= kSamplesOfLength + 1; ++i) {
    (void)look(begin_ + (end_ - begin_) * i / (kSamplesOfLength + 1), 0);
  }
  samples_ = looks_;
}

std::vector<Lowest> LowestOfEach::sampled(int k) const {
  std::vector<Lowest> values;
  for (const Look& look : samples_) {
    if (std::isfinite(look.lengths[k])) values.push_back({look.t, look.lengths[k]});
  }
  return values;
}

/// True if length k is zero at an instant where another length was found to be zero.
bool LowestOfEach::vanished(int k, double zero, Minimum& around) const {
  for (const Look& at : zeros_) {
    if (at.t < around.left.t || at.t > around.right.t || !(at.lengths[k] <= zero)) continue;
    around.lowest = {at.t, at.lengths[k]};
    return true;
  }
  return false;
}

/// Narrows the interval around a minimum of length k by evaluations that were made in it to search for minima of other
/// lengths.
void LowestOfEach::close_in(int k, Minimum& around) const {
  const auto begin = std::ranges::lower_bound(looks_, around.left.t, {}, &Look::t);
  const auto end = std::ranges::upper_bound(looks_, around.right.t, {}, &Look::t);
  for (auto look = begin; look != end; ++look) {
    if (look->lengths[k] < around.lowest.length) around.lowest = {look->t, look->lengths[k]};
  }
  for (auto look = begin; look != end; ++look) {
    if (!std::isfinite(look->lengths[k])) continue;
    if (look->t < around.lowest.t) around.left = {look->t, look->lengths[k]};
    if (look->t > around.lowest.t) {
      around.right = {look->t, look->lengths[k]};
      break;
    }
  }
}

/// Finds the minimum of length k by golden-section search between the two neighbors of the minimum found so far.
Lowest LowestOfEach::follow(int k, const Minimum& around, double zero) {
  Lowest found = around.lowest;
  const auto length_at = [&](double t) {
    const double value = look(t, k);
    if (value < found.length) found = {t, value};
    return value;
  };
  double a = around.left.t, b = around.right.t, at_a = around.left.length, at_b = around.right.length;
  if (is_far_from(zero, found.length, at_a, at_b)) return found;
  double c = b - kGolden * (b - a), d = a + kGolden * (b - a);
  double at_c = length_at(c), at_d = length_at(d);
  for (int step = 0; step < kGoldenSections && b - a > 0.0 && c > a && d < b; ++step) {
    if (is_far_from(zero, found.length, at_a, at_b)) break;
    if (at_c < at_d) {
      b = d, at_b = at_d, d = c, at_d = at_c;
      c = b - kGolden * (b - a);
      at_c = length_at(c);
    } else {
      a = c, at_a = at_c, c = d, at_c = at_d;
      d = a + kGolden * (b - a);
      at_d = length_at(d);
    }
  }
  return found;
}

std::optional<Lowest> LowestOfEach::find(int k, double zero) {
  if (looks_.empty()) sample();
  const std::vector<Lowest> values = sampled(k);
  if (values.size() < 3) return std::nullopt;
  std::optional<Lowest> best;
  const std::size_t last = values.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    Minimum around{values[i == 0 ? 0 : i - 1], values[i], values[i == last ? last : i + 1]};
    if (values[i].length > around.left.length || values[i].length > around.right.length) continue;
    if (!vanished(k, zero, around)) {
      close_in(k, around);
      around.lowest = follow(k, around, zero);
      if (around.lowest.length <= zero) zeros_.push_back(*std::ranges::find(looks_, around.lowest.t, &Look::t));
    }
    if (!best || around.lowest.length < best->length) best = around.lowest;
  }
  return best;
}

std::optional<Lowest> find_lowest(const std::function<double(double t)>& length, double begin, double end) {
  const auto read = [&](double t, Vector& lengths) {
    lengths = Vector{{length(t)}};
    return true;
  };
  return LowestOfEach(read, begin, end).find(0, std::numeric_limits<double>::infinity());
}

}  // namespace vinculum::integrate

#include "vinculum/integrate/event.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {
namespace {

constexpr int kMostSections = 100;
constexpr int kHalvedEvery = 4;
constexpr int kHalvings = 45;
constexpr double kLeastJump = 0.02;  // least angle of a jump in radians
// A turn counts as a jump if, each time the interval is halved, one half contains at least this fraction of the angle.
// A smooth turn has about 0.5 in each half.
constexpr double kStaysTurned = 0.7;

double angle_between(const Vector& a, const Vector& b) {
  const double lengths = a.norm() * b.norm();
  return lengths > 0.0 ? std::acos(std::clamp(a.dot(b) / lengths, -1.0, 1.0)) : std::acos(-1.0);
}

}  // namespace

int passage(double from, double to, Direction direction) {
  if (from > 0.0 && to <= 0.0 && direction != Direction::kRising) return -1;
  if (from < 0.0 && to >= 0.0 && direction != Direction::kFalling) return 1;
  return 0;
}

Crossing find_crossing(const std::function<Outcome<double>(double t)>& margin, double before, double at_before,
                       double after, double at_after, double accuracy) {
  if (!(at_before > 0.0)) return {before, before, {}};
  int side = 0;
  for (int i = 0; i < kMostSections && after - before > accuracy; ++i) {
    const double width = after - before;
    double t = before + width * at_before / (at_before - at_after);
    const bool is_halved = i % kHalvedEvery == kHalvedEvery - 1 || i >= kMostSections / 2;
    if (is_halved || !(t > before && t < after)) t = before + 0.5 * width;
    if (!(t > before && t < after)) break;
    const Outcome<double> value = margin(t);
    if (!value) return {before, after, value.error()};
    if (*value > 0.0) {
      before = t;
      at_before = *value;
      if (side == 1) at_after *= 0.5;
      side = 1;
    } else {
      after = t;
      at_after = *value;
      if (side == -1) at_before *= 0.5;
      side = -1;
      if (at_after == 0.0) break;
    }
  }
  return {before, after, {}};
}

std::optional<Jump> find_jump(const std::function<bool(double t, Vector& vector)>& read, double begin, double end) {
  Vector a, b, middle;
  if (!read(begin, a) || !read(end, b)) return std::nullopt;
  double kept = angle_between(a, b);
  if (!(kept > kLeastJump)) return std::nullopt;
  for (int i = 0; i < kHalvings; ++i) {
    const double t = 0.5 * (begin + end);
    if (t <= begin || t >= end) break;
    if (!read(t, middle)) return Jump{t, 0.0, false};
    // Stop: the interval is so short that states in it differ only by rounding errors, and the vector in between may
    // have any direction.
    if (end - begin <= tolerance::kRounded * std::max(std::abs(begin), std::abs(end))) break;
    const double left = angle_between(a, middle), right = angle_between(middle, b);
    kept *= kStaysTurned;
    if (std::max(left, right) < kept) return std::nullopt;
    kept = std::max(left, right);
    if (left >= right) {
      b = middle;
      end = t;
    } else {
      a = middle;
      begin = t;
    }
  }
  return Jump{0.5 * (begin + end), std::min(a.norm(), b.norm()), true};
}

}  // namespace vinculum::integrate

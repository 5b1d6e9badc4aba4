#include "vinculum/integrate/first_fall.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {
namespace {

constexpr int kDegree = 8;
constexpr int kGrid = 32;  // number of intervals of the grid on which the interpolant is evaluated to bound it

/// A subinterval with the values of the margin at its nodes.
class Part {
 public:
  Part(double from, double to) : from_(from), to_(to) {}
  [[nodiscard]] Outcome<void> read(const std::function<Outcome<double>(double)>& margin) {
    for (int node = 0; node <= kDegree; ++node) {
      const auto value = margin(node_at(node));
      if (!value) return fail(value.error());
      values_[static_cast<std::size_t>(node)] = *value;
    }
    for (int k = 0; k <= kDegree; ++k) {
      double sum = 0.0;
      for (int node = 0; node <= kDegree; ++node) {
        const double weight = node == 0 || node == kDegree ? 0.5 : 1.0;
        sum += weight * value(node) * std::cos(std::numbers::pi * k * node / kDegree);
      }
      coefficients_[static_cast<std::size_t>(k)] = sum * (k == 0 || k == kDegree ? 1.0 : 2.0) / kDegree;
    }
    return {};
  }
  [[nodiscard]] double node_at(int node) const {
    if (node == 0) return from_;
    if (node == kDegree) return to_;
    return from_ + 0.5 * (1.0 - std::cos(std::numbers::pi * node / kDegree)) * (to_ - from_);
  }
  [[nodiscard]] double value(int node) const { return values_[static_cast<std::size_t>(node)]; }
  /// First node at which the margin is not positive; kDegree + 1: none.
  [[nodiscard]] int first_fallen() const {
    int node = 0;
    while (node <= kDegree && value(node) > 0.0) ++node;
    return node;
  }
  /// Estimated bound of the interpolation error, from the last two coefficients.
  [[nodiscard]] double doubt() const {
    return 2.0 * (std::abs(coefficients_[kDegree - 1]) + std::abs(coefficients_[kDegree]));
  }
  /// Lower bound of the interpolant between the start of the subinterval and a node.
  [[nodiscard]] double lowest_up_to(int node) const {
    const double end = -std::cos(std::numbers::pi * node / kDegree);
    double least = value(0), most = least;
    for (int i = 1; i <= kGrid; ++i) {
      // Chebyshev points of the interval. Between them a polynomial of degree kDegree exceeds half its range over the
      // points by at most the factor 1/cos(π kDegree/(2 kGrid)).
      const double x = -1.0 + 0.5 * (1.0 - std::cos(std::numbers::pi * i / kGrid)) * (end + 1.0);
      const double here = at(x);
      least = std::min(least, here), most = std::max(most, here);
    }
    const double beyond = 1.0 / std::cos(0.5 * std::numbers::pi * kDegree / kGrid) - 1.0;
    return least - 0.5 * beyond * (most - least);
  }
  [[nodiscard]] double from() const { return from_; }
  [[nodiscard]] double to() const { return to_; }

 private:
  /// Interpolant at x, by Clenshaw's recurrence. Nodes run from x = −1, where T_k is (−1)^k.
  [[nodiscard]] double at(double x) const {
    double b1 = 0.0, b2 = 0.0;
    for (int k = kDegree; k > 0; --k)
      b2 = std::exchange(b1, -2.0 * x * b1 - b2 + coefficients_[static_cast<std::size_t>(k)]);
    return coefficients_[0] - x * b1 - b2;
  }

  double from_, to_;
  std::array<double, kDegree + 1> values_{}, coefficients_{};
};

}  // namespace

Outcome<FirstFall> find_first_fall(const std::function<Outcome<double>(double t)>& margin, double begin, double end,
                                   int parts) {
  std::vector<std::pair<double, double>> left{{begin, end}};  // subintervals to be examined, the earliest last
  const double shortest = tolerance::kSameEvent * (end - begin);
  for (int count = 0; !left.empty(); ++count) {
    const auto [from, to] = left.back();
    if (count >= parts) return FirstFall{{}, from};
    left.pop_back();
    Part part(from, to);
    if (auto done = part.read(margin); !done) return fail(std::move(done.error()));
    const int fallen = part.first_fallen();
    const bool falls = fallen <= kDegree;
    const double middle = 0.5 * (from + to);
    const bool is_short = to - from <= shortest || !(middle > from && middle < to);
    const int stands = falls ? std::max(fallen - 1, 0) : kDegree;
    if (is_short || fallen == 0 || part.lowest_up_to(stands) >= part.doubt()) {
      if (!falls) continue;
      const double before = part.node_at(stands);
      return FirstFall{find_crossing(margin, before, part.value(stands), part.node_at(fallen), part.value(fallen), 0.0),
                       before};
    }
    left.emplace_back(middle, to);
    left.emplace_back(from, middle);
  }
  return FirstFall{{}, end};
}

}  // namespace vinculum::integrate

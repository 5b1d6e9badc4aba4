#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::integrate {

/// Instant and value of a minimum.
struct Lowest {
  double t = 0.0;
  double length = 0.0;
};

/// Finds the minimum of each of several lengths in an interval. Every evaluation gives all lengths. If all of them
/// vanish at the same instant, the search costs as much as for one.
class LowestOfEach {
 public:
  /// Evaluates all lengths at t; a length that is not finite is unknown. Returns false if none can be evaluated.
  using Read = std::function<bool(double t, Vector& lengths)>;
  LowestOfEach(Read read, double begin, double end) : read_(std::move(read)), begin_(begin), end_(end) {}

  /// Samples the interval and refines the minima of the samples by golden sections, between the nearest evaluated
  /// instants.
  /// \param zero  lengths at most this large count as zero. Minima that clearly stay above it are not refined fully,
  ///   and a length that is at most `zero` where another one was found to vanish has its minimum there.
  /// \returns nothing if fewer than three values can be evaluated.
  [[nodiscard]] std::optional<Lowest> find(int k, double zero);

 private:
  struct Look {
    double t;
    Vector lengths;
  };
  /// A minimum between two values that are not smaller.
  struct Minimum {
    Lowest left, lowest, right;
  };
  void sample();
  [[nodiscard]] double look(double t, int k);
  [[nodiscard]] std::vector<Lowest> sampled(int k) const;
  [[nodiscard]] bool vanished(int k, double zero, Minimum& around) const;
  void close_in(int k, Minimum& around) const;
  [[nodiscard]] Lowest follow(int k, const Minimum& around, double zero);

  Read read_;
  double begin_, end_;
  std::vector<Look> samples_;
  std::vector<Look> looks_;  ///< all evaluations, in the order of time
  std::vector<Look> zeros_;  ///< instants at which lengths were found to be zero
  Vector lengths_;
};

/// Minimum of one length.   \param length  infinite where it cannot be evaluated.
[[nodiscard]] std::optional<Lowest> find_lowest(const std::function<double(double t)>& length, double begin,
                                                double end);

}  // namespace vinculum::integrate

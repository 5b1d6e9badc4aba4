#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::integrate {

/// Instant and value of the minimum of a length.
struct Lowest {
  double t = 0.0;
  double length = 0.0;
};

/// Finds the minimum of each of several lengths in an interval. Every evaluation gives all lengths and is used for all
/// of them. If all lengths vanish at the same instant, the search costs as much as for one length.
class LowestOfEach {
 public:
  /// Evaluates all lengths at t. A length that is not finite is unknown at t. Returns false if no length can be
  /// evaluated.
  using Read = std::function<bool(double t, Vector& lengths)>;
  LowestOfEach(Read read, double begin, double end) : read_(std::move(read)), begin_(begin), end_(end) {}

  /// Minimum of length k. Samples the interval, and refines each minimum of the samples by golden sections between the
  /// nearest evaluated instants.
  /// \param zero  lengths at most this large count as zero. A minimum that clearly exceeds `zero` is not fully refined.
  /// If another length was found to vanish at some instant, and length k is at most `zero` there, its minimum is at
  /// that instant.
  /// \returns nothing if length k has fewer than three finite samples.
  [[nodiscard]] std::optional<Lowest> find(int k, double zero);

 private:
  struct Look {
    double t;
    Vector lengths;
  };
  /// A minimum of one length, and its two neighbors in time, whose values are not smaller.
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

/// Minimum of a single length over [begin, end].   \param length  infinite where it cannot be evaluated.
[[nodiscard]] std::optional<Lowest> find_lowest(const std::function<double(double t)>& length, double begin,
                                                double end);

}  // namespace vinculum::integrate

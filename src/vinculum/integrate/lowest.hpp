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

/// Finds the minimum of each of several lengths in an interval. Each evaluation computes all lengths and serves the
/// searches for all their minima. So if all lengths vanish at the same instant, finding all minima costs as much as
/// finding one.
class LowestOfEach {
 public:
  /// Evaluates all lengths at t. A length that is not finite is unknown at t. Returns false if no length can be
  /// evaluated.
  using Read = std::function<bool(double t, Vector& lengths)>;
  LowestOfEach(Read read, double begin, double end) : read_(std::move(read)), begin_(begin), end_(end) {}

  /// Finds the least value of length k in the interval. First evaluates the lengths at equally spaced instants. A
  /// sample of length k that is not larger than either neighbor has a local minimum between these neighbors.
  /// Golden-section search finds that minimum. The result is the least of the local minima.
  /// \param zero  a length at most this large counts as zero. The search for a local minimum ends early once the length
  /// is nearly constant and more than twice `zero`. If the search for another length found a zero between the two
  /// neighbors, and length k counts as zero at that instant too, the instant is taken as the local minimum without a
  /// search.
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

/// Finds the minimum of a single length in [begin, end].   \param length  infinite where it cannot be evaluated.
[[nodiscard]] std::optional<Lowest> find_lowest(const std::function<double(double t)>& length, double begin,
                                                double end);

}  // namespace vinculum::integrate

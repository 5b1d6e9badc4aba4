#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::integrate {

/// Where a length is least.
struct Lowest {
  double t = 0.0;
  double length = 0.0;
};

/// Where each of several lengths is least in an interval. What is read for one serves the others: where all of them
/// vanish together they cost as much as one.
class LowestOfEach {
 public:
  /// All lengths at t; one that is not finite cannot be read. False: none can.
  using Read = std::function<bool(double t, Vector& lengths)>;
  LowestOfEach(Read read, double begin, double end) : read_(std::move(read)), begin_(begin), end_(end) {}

  /// By samples and golden sections around the minima of the samples, each between the nearest that has been read.
  /// \param zero  minima whose surroundings show that they do not come near to it are not followed to the last digits,
  ///              and a length that is no longer where another was followed to zero has its minimum there.
  /// \returns nothing where fewer than three values can be read.
  [[nodiscard]] std::optional<Lowest> find(int k, double zero);

 private:
  struct Look {
    double t;
    Vector lengths;
  };
  /// A minimum between two others that are no shorter.
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
  std::vector<Look> looks_;  ///< all, in the order of time
  std::vector<Look> zeros_;  ///< where lengths were followed to zero
  Vector lengths_;
};

/// Where one length is least.   \param length  infinite where it cannot be read.
[[nodiscard]] std::optional<Lowest> find_lowest(const std::function<double(double t)>& length, double begin,
                                                double end);

}  // namespace vinculum::integrate

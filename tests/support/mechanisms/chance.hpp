#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace vinculum::mechanisms {

/// Random numbers that are the same with every standard library (SplitMix64).
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 0x1234567ULL) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double between(double a, double b) { return a + (b - a) * uniform(); }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool is(double probability) { return uniform() < probability; }
  /// A number between a and b with two decimals, not 0.
  double nice(double a, double b) {
    const double x = std::round(between(a, b) * 100.0) / 100.0;
    return x == 0.0 ? 0.01 : x;
  }
  /// A random index with the given weights.
  int weighted(std::initializer_list<double> weights) {
    double sum = 0.0;
    for (const double w : weights) sum += w;
    double x = uniform() * sum;
    int i = 0;
    for (const double w : weights) {
      if (x < w) return i;
      x -= w;
      ++i;
    }
    return i - 1;
  }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace vinculum::mechanisms

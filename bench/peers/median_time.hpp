#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace vinculum::bench {

/// Median over batches of the nanoseconds that one call takes.
template <class Call>
double median_nanoseconds(int repeats, const Call& call) {
  constexpr int kBatches = 15;
  std::vector<double> times;
  for (int batch = 0; batch < kBatches; ++batch) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) call();
    times.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() /
                    repeats);
  }
  std::sort(times.begin(), times.end());
  return times[kBatches / 2];
}

}  // namespace vinculum::bench

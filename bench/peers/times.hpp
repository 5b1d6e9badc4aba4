#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

/// Measurement and output shared by all programs of a comparison, so that all measure in the same way.
namespace vinculum::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Processor time of this thread [s]. Other programs on the machine do not count, except that they slow down caches.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Times {
  double median = 0.0, lowest = 0.0;  ///< [s] of processor time of one call, over batches
};

/// Measures batches of calls, each long enough to take `batch` seconds. The first batch, which fills the caches, does
/// not count.
template <class Call>
Times times_of(const Call& call, double batch = 0.01) {
  constexpr int kBatches = 11;
  long calls = 1;
  const auto spent = [&] {
    const double begin = processor_seconds();
    for (long i = 0; i < calls; ++i) call();
    return processor_seconds() - begin;
  };
  while (spent() < batch) calls *= 2;
  std::vector<double> seconds;
  for (int i = 0; i < kBatches; ++i) seconds.push_back(spent() / static_cast<double>(calls));
  std::sort(seconds.begin(), seconds.end());
  return {seconds[kBatches / 2], seconds.front()};
}

/// One line of JSON. \param ready  [s] from the description to the first accelerations
inline void print_answer(const std::string& version, const Times& times, double ready,
                         const std::vector<double>& accelerations, const std::string& more = "") {
  std::printf("{\"version\": \"%s\", \"median\": %.9g, \"lowest\": %.9g, \"ready\": %.9g%s, \"accelerations\": [",
              version.c_str(), times.median, times.lowest, ready, more.c_str());
  for (std::size_t i = 0; i < accelerations.size(); ++i) std::printf("%s%.17g", i == 0 ? "" : ", ", accelerations[i]);
  std::printf("]}\n");
}

}  // namespace vinculum::bench

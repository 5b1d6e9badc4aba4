#pragma once

#include <optional>
#include <string>

/// The two pucks of [R] Example 3 in Simbody. Kept apart because Simbody's headers need C++17.
namespace vinculum::bench {

struct Run {
  double error = 0.0;    ///< [m] largest deviation of a coordinate at t = 10 s
  double seconds = 0.0;  ///< median wall clock of an integration
};

enum class SimbodyMethod { kRungeKuttaMerson, kRungeKuttaFeldberg, kCPodes };

/// Integrates ten seconds with the given accuracy.   \param reference  q1…q4 at the end.   \returns nothing if Simbody
/// throws an exception.
[[nodiscard]] std::optional<Run> run_simbody_pucks(SimbodyMethod method, double accuracy, const double (&reference)[4],
                                                   int repeats);

}  // namespace vinculum::bench

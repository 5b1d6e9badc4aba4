#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// A problem M u' = f + Aᵀ λ, A u' = b with consistent right-hand side, for property tests, fuzzing and benchmarks.
struct RandomSystem {
  Matrix M, A;
  Vector f, b, C;
};

using RandomEngine = std::mt19937_64;

/// Entries uniform in [−1, 1].
[[nodiscard]] Matrix random_matrix(RandomEngine& engine, int rows, int columns);
[[nodiscard]] Vector random_vector(RandomEngine& engine, int size);

/// M is symmetric positive definite with condition number below 1e3; A generally has full rank min(nu, nc); b = A v
/// for a random v.
[[nodiscard]] RandomSystem random_system(RandomEngine& engine, int nu, int nc);

/// Like `random_system` with nc ≤ nu. The singular values of A L⁻ᵀ are spaced evenly in logarithm from 1 to
/// `smallest`.
[[nodiscard]] RandomSystem random_system_with_singular_values(RandomEngine& engine, int nu, int nc, double smallest);

/// Replaces every row by `copies` multiples with random factors in ±[0.1, 10], in random order.
/// \param origin  index of the original row of each new row.
[[nodiscard]] RandomSystem with_repeated_rows(RandomEngine& engine, const RandomSystem& system, int copies,
                                              std::vector<int>* origin = nullptr);

}  // namespace vinculum::numeric

#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "vinculum/integrate/tableau.hpp"
#include "vinculum/numeric/wide.hpp"

namespace vinculum::integrate {

/// Weighted sums over the stages of one method, with one function per row of the method's coefficient tables. The
/// stages are contiguous: k_j is at `k + j n`. `out` must not overlap the inputs. \cost 2 operations per nonzero
/// coefficient and entry.
struct StageSums {
  /// out = Σ_j w_j k_j
  using Sum = void (*)(const double* k, std::ptrdiff_t n, double* out);
  /// out = y + h Σ_j w_j k_j
  using Advance = void (*)(const double* y, double h, const double* k, std::ptrdiff_t n, double* out);

  std::span<const Advance> advance;  ///< [rows] states of the stages, from the rows of `a`; null for row 0
  Sum increment;                     ///< sum with row s of `a`, the weights of the step
  std::span<const Sum> error;        ///< [error_rows] sums with the rows of `e`
  std::span<const Sum> dense;        ///< [dense_rows] sums with the rows of `d`
};

namespace detail {

enum class Table { kA, kE, kD };

template <const auto& kTableau, Table kTable, int kRow>
constexpr auto row_of() {
  if constexpr (kTable == Table::kA)
    return kTableau.a[kRow];
  else if constexpr (kTable == Table::kE)
    return kTableau.e[kRow];
  else
    return kTableau.d[kRow];
}

template <const auto& kTableau, Table kTable, int kRow, std::size_t... kColumn>
inline double sum_at(const double* k, std::ptrdiff_t n, std::ptrdiff_t i, std::index_sequence<kColumn...>) {
  constexpr auto w = row_of<kTableau, kTable, kRow>();
  double sum = w[0] * k[i];
  (
      [&] {
        if constexpr (w[kColumn + 1] != 0.0)
          sum += w[kColumn + 1] * k[static_cast<std::ptrdiff_t>(kColumn + 1) * n + i];
      }(),
      ...);
  return sum;
}

template <const auto& kTableau, Table kTable, int kRow>
VINCULUM_WIDE void sum_row(const double* __restrict k, std::ptrdiff_t n, double* __restrict out) {
  constexpr auto columns = std::make_index_sequence<row_of<kTableau, kTable, kRow>().size() - 1>();
  for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = sum_at<kTableau, kTable, kRow>(k, n, i, columns);
}

template <const auto& kTableau, int kRow>
VINCULUM_WIDE void advance_row(const double* __restrict y, double h, const double* __restrict k, std::ptrdiff_t n,
                               double* __restrict out) {
  constexpr auto columns = std::make_index_sequence<row_of<kTableau, Table::kA, kRow>().size() - 1>();
  for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = y[i] + h * sum_at<kTableau, Table::kA, kRow>(k, n, i, columns);
}

template <const auto& kTableau, Table kTable, std::size_t... kRow>
constexpr std::array<StageSums::Sum, sizeof...(kRow)> sum_rows(std::index_sequence<kRow...>) {
  return {&sum_row<kTableau, kTable, static_cast<int>(kRow)>...};
}

template <const auto& kTableau, std::size_t... kRow>
constexpr std::array<StageSums::Advance, sizeof...(kRow) + 1> advance_rows(std::index_sequence<kRow...>) {
  return {nullptr, &advance_row<kTableau, static_cast<int>(kRow) + 1>...};
}

template <const auto& kTableau>
struct Unrolled {
  static constexpr auto kAdvance = advance_rows<kTableau>(std::make_index_sequence<kTableau.kRows - 1>());
  static constexpr auto kError = sum_rows<kTableau, Table::kE>(std::make_index_sequence<kTableau.kErrors>());
  static constexpr auto kDense = sum_rows<kTableau, Table::kD>(std::make_index_sequence<kTableau.kDense>());
  static constexpr StageSums kSums = {kAdvance, &sum_row<kTableau, Table::kA, kTableau.kStages>, kError, kDense};
};

}  // namespace detail

/// The sums of the method with the coefficients `kTableau`, a constexpr object with static storage.
template <const auto& kTableau>
inline constexpr const StageSums& kStageSums = detail::Unrolled<kTableau>::kSums;

}  // namespace vinculum::integrate

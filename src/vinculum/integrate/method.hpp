#pragma once

#include <span>
#include <string_view>

namespace vinculum::integrate {

struct StageSums;

/// An explicit Runge–Kutta method as a row of data. Coefficient tables have `rows()` columns, zero where unused.
///
///   k_i = F(t + c_i h, y + h Σ_{j<i} a_ij k_j)                  stages i = 0 … s−1, s = `stages`
///   y_new = y + h Σ_j a_sj k_j,   k_s = F(t + h, y_new)         row s of `a` is b; k_s serves the next step as k_0
///   error = h Σ_j e_j k_j                                       see `error_rows`
///   y(t + θh) = y + θ(r_0 + (1−θ)(r_1 + θ(r_2 + (1−θ)(r_3 + θ(r_4 + …)))))
///     r_0 = y_new − y,  r_1 = h k_0 − r_0,  r_2 = r_0 − h k_s − r_1,  r_{3+i} = h Σ_j d_ij k_j
struct Method {
  std::string_view name;                 ///< as in `Options::method` and in a model's `run`
  std::string_view source;               ///< where the coefficients come from
  int order;                             ///< the error of a step is O(h^(order+1))
  std::span<const int> embedded_orders;  ///< of the solutions that the rows of `e` compare with
  int dense_order;                       ///< the dense output's error within a step is O(h^(dense_order+1))
  int stages;                            ///< derivative evaluations of an accepted step
  int extra_stages;                      ///< more evaluations for the dense output, rows behind row s
  bool first_same_as_last;               ///< k_s is the next step's k_0
  bool error_uses_last;                  ///< `e` weighs k_s, which is then evaluated before the error is known
  /// 1: the error is the row's. 2: err = |err_0|² / √(|err_0|² + 0.01 |err_1|²), Hairer, Nørsett & Wanner I, II.10.
  int error_rows;
  int dense_rows;
  int error_exponent;         ///< the error behaves as h^error_exponent
  double alpha, beta;         ///< PI control: h_new = 0.9 h err^−alpha err_old^beta
  std::span<const double> c;  ///< [rows]
  std::span<const double> a;  ///< [rows × rows] by rows, strictly lower triangular
  std::span<const double> e;  ///< [error_rows × rows]
  std::span<const double> d;  ///< [dense_rows × rows]
  const StageSums* sums;      ///< the sums above, unrolled over the non-zero coefficients

  [[nodiscard]] int rows() const { return stages + 1 + extra_stages; }
};

/// The one table of methods; docs, help and tests are generated from it.
[[nodiscard]] std::span<const Method> method_table();

/// The row called `name`, null where there is none.
[[nodiscard]] const Method* find_method(std::string_view name);

}  // namespace vinculum::integrate

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/integrate/stage_sums.hpp"

namespace vinculum::integrate {

class Stepper;
struct Problem;

/// An explicit Runge–Kutta method as data. Tables have `rows()` columns; unused entries are zero.
///
///   k_i = F(t + c_i h, y + h Σ_{j<i} a_ij k_j)                  stages i = 0 … s−1, s = `stages`
///   y_new = y + h Σ_j a_sj k_j,   k_s = F(t + h, y_new)         row s of `a` is b; k_s serves the next step as k_0
///   error = h Σ_j e_j k_j                                       see `error_rows`
///   y(t + θh) = y + θ(r_0 + (1−θ)(r_1 + θ(r_2 + (1−θ)(r_3 + θ(r_4 + …)))))
///     r_0 = y_new − y,  r_1 = h k_0 − r_0,  r_2 = r_0 − h k_s − r_1,  r_{3+i} = h Σ_j d_ij k_j
struct RungeKutta {
  std::span<const int> embedded_orders;  ///< orders of the embedded solutions that the rows of `e` represent
  int stages = 0;                        ///< derivative evaluations per accepted step
  int extra_stages = 0;                  ///< additional evaluations for the dense output; rows after row s
  bool error_uses_last = false;          ///< `e` contains k_s, which must be evaluated before the error is known
  /// Number of rows of `e`; row i defines the error estimate err_i. With one row the error is |err_0|. With two rows it
  /// is |err_0|² / √(|err_0|² + 0.01 |err_1|²), Hairer, Nørsett & Wanner I, II.10.
  int error_rows = 0;
  int dense_rows = 0;
  int error_exponent = 0;          ///< the error is proportional to h^error_exponent
  double alpha = 0.0, beta = 0.0;  ///< exponents of the PI control: h_new = 0.9 h err^−alpha err_old^beta
  /// Stability bound: the value of h|λ|, for y' = λy with λ < 0, above which stability limits the step size. Hairer &
  /// Wanner II, IV.2.
  double stability = 0.0;
  std::span<const double> c;        ///< [rows] instants of the stages as fractions of h
  std::span<const double> a;        ///< [rows × rows] by rows, strictly lower triangular
  std::span<const double> e;        ///< [error_rows × rows]
  std::span<const double> d;        ///< [dense_rows × rows]
  const StageSums* sums = nullptr;  ///< the sums above as functions, unrolled over the nonzero coefficients

  [[nodiscard]] int rows() const { return stages + 1 + extra_stages; }
};

/// An integration method. Functions that list, check or select methods by name have a MethodTable as an argument.
struct Method {
  std::string_view name;    ///< as in `Options::method` and in a model's `run`
  std::string_view source;  ///< source in the literature
  int order;                ///< the error of a step is O(h^(order+1))
  int dense_order;          ///< the dense output's error within a step is O(h^(dense_order+1))
  /// Creates a stepper of this method; method and problem must outlive it.   \param tolerance  relative, > 0.
  std::unique_ptr<Stepper> (*make)(const Method& method, const Problem& problem, double tolerance);
  RungeKutta runge_kutta = {};  ///< coefficients of an explicit method; `stages` is 0 for methods that are not explicit
};
using MethodTable = std::span<const Method>;

/// The methods of the program; the first is the default. Documentation, help and tests are generated from this table.
[[nodiscard]] MethodTable method_table();
/// The method with the name `name`; the first one if the name is empty; null if the table has no such method.
[[nodiscard]] const Method* find_method(std::string_view name, MethodTable table = method_table());
/// Names in the order of the table.
[[nodiscard]] std::vector<std::string> names_of(MethodTable table);

[[nodiscard]] std::unique_ptr<Stepper> make_explicit_stepper(const Method& method, const Problem& problem,
                                                             double tolerance);

[[nodiscard]] std::unique_ptr<Stepper> make_radau_stepper(const Method& method, const Problem& problem,
                                                          double tolerance);

/// The RungeKutta with the coefficients of `kTableau`, a constexpr object with static storage, and with the other
/// values from the arguments.
template <const auto& kTableau>
constexpr RungeKutta runge_kutta(std::span<const int> embedded_orders, int error_exponent, double alpha, double beta,
                                 double stability) {
  // Nested std::arrays of double are contiguous in memory.
  const auto flat = [](const auto& rows) {
    return rows.empty() ? std::span<const double>() : std::span(rows.front().data(), rows.size() * rows.front().size());
  };
  bool error_uses_last = false;
  for (const auto& row : kTableau.e) error_uses_last |= row[kTableau.kStages] != 0.0;
  return {embedded_orders,
          kTableau.kStages,
          kTableau.kExtra,
          error_uses_last,
          kTableau.kErrors,
          kTableau.kDense,
          error_exponent,
          alpha,
          beta,
          stability,
          kTableau.c,
          flat(kTableau.a),
          flat(kTableau.e),
          flat(kTableau.d),
          &kStageSums<kTableau>};
}

}  // namespace vinculum::integrate

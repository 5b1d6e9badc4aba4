#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"
#include "vinculum/numeric/cholesky.hpp"
#include "vinculum/numeric/pivoted_qr.hpp"
#include "vinculum/solve/memory.hpp"

namespace vinculum::solve {

/// LU with partial pivoting of a small square matrix of varying size up to `most`; allocates nothing after
/// construction.
class SmallLu {
 public:
  explicit SmallLu(int most) : lu_(Matrix::Zero(most, most)), pivots_(static_cast<std::size_t>(most)) {}
  /// Storage, to be filled before `factor`.
  [[nodiscard]] double& at(int i, int j) { return lu_(i, j); }
  /// \returns false where a pivot is zero or not finite.
  [[nodiscard]] bool factor(int n);
  void solve(double* x) const;  ///< x ← A⁻¹ x, [n]
  [[nodiscard]] int determinant_sign() const;

 private:
  Matrix lu_;
  std::vector<int> pivots_;
  int n_ = 0;
};

/// The minimal formulation (theory.md §7) at one state: independent speeds by pivoting, partial accelerations V =
/// ∂u'/∂u_I' from the rows themselves, and
///
///   VᵀMV u_I' = Vᵀ (f − M c),   u' = V u_I' + c,   c the accelerations that b asks for
///
/// A third route beside ConstrainedSolve and AugmentedSolve: no multiplier occurs. Redundant rows are left out and
/// compared. Nothing allocates after the first `choose` but one of another rank, and failures. One object a thread.
/// Source: [R] 5.1; theory.md §7.
class ReducedSolve {
 public:
  ReducedSolve(int nu, int nc);

  /// As ConstrainedSolve.
  void set_certainty(ConstVector certainty) { certainty_ = certainty; }
  /// As in ConstrainedSolve.
  void set_doubt(ConstVector doubt) { doubt_ = doubt; }
  /// Speeds that are independent in every choice: those that a user names.
  void keep_independent(std::vector<int> speeds) { kept_ = std::move(speeds); }
  [[nodiscard]] const std::vector<int>& kept() const { return kept_; }
  /// Whether the choice in force determines the dependent speeds at the state of the last `choose` or `growth`, and has
  /// done so since it was made: det A_DD is not 0 to half the digits and has kept its sign. Only speeds that are kept
  /// independent can be at fault.
  [[nodiscard]] bool is_regular() const { return is_regular_; }

  /// The best choice at a state: rows, then columns of A by pivoted QR, speeds measured by their inertia.
  /// \param defect  relative distance of the state from its constraints: no rank is decided finer.
  void choose(ConstMatrix M, ConstMatrix A, double defect);
  [[nodiscard]] const IndependentSpeeds& choice() const { return **choice_; }
  [[nodiscard]] bool has_choice() const { return choice_->has_value(); }
  /// From here on the choice, all that is remembered from one call to the next, is this one, which outlives that. To be
  /// called first.
  void remember_in(std::optional<IndependentSpeeds>& choice);
  /// Largest |∂u_D/∂u_I| that the choice in force has here, and that the best one would have.
  [[nodiscard]] double growth(ConstMatrix M, ConstMatrix A);
  [[nodiscard]] double best_growth(ConstMatrix M, ConstMatrix A, double defect);
  /// Rank of the rows here.
  [[nodiscard]] int rank_here(ConstMatrix M, ConstMatrix A, double defect);

  /// u_D += −A_DD⁻¹ ψ_D: one step of Newton on the dependent speeds. \returns false where A_DD is singular.
  [[nodiscard]] bool correct(ConstMatrix A, ConstVector psi, VectorRef u);

  /// \param f [nu] all forces that are known, efforts included.  \param u_dot [nu].  \param tolerance  of rows left
  /// out.
  /// \returns kUndetermined, or kInconsistent with the row that contradicts those chosen.
  [[nodiscard]] Outcome<void> solve(ConstMatrix M, ConstMatrix A, ConstVector f, ConstVector b, double tolerance,
                                    VectorRef u_dot);

 private:
  void weigh(ConstMatrix M, ConstMatrix A);
  void make_room();
  void find_best(ConstMatrix M, ConstMatrix A, double defect);
  [[nodiscard]] bool find_partials(ConstMatrix A, const IndependentSpeeds& choice);
  [[nodiscard]] double growth_of(const IndependentSpeeds& choice) const;
  /// u' from V and c.
  [[nodiscard]] Outcome<void> solve_free(ConstMatrix M, ConstMatrix A, ConstVector f, VectorRef u_dot);
  /// The row that u' misses by most, where by more than the tolerance.
  [[nodiscard]] std::optional<Failure> missed_row(ConstMatrix A, ConstVector f, ConstVector b, double tolerance,
                                                  ConstVector u_dot) const;

  int nu_, nc_;
  std::vector<int> kept_;
  bool is_regular_ = true;
  std::optional<IndependentSpeeds>* choice_ = nullptr;
  IndependentSpeeds candidate_;
  Vector weight_;     ///< [nu] 1/√(M_jj + …): size of a speed with unit energy
  Vector W_;          ///< [nc]
  Vector certainty_;  ///< [nc]
  Vector doubt_;      ///< [nc]
  Vector row_scale_;  ///< [nc] certainty over the length of the row in those sizes
  numeric::PivotedQr rows_, columns_;
  SmallLu lu_;
  Matrix V_;  ///< [nu×nu] its first nu − rank columns
  Matrix MV_, reduced_;
  Vector c_, column_, force_;
  std::optional<numeric::Cholesky> mass_;  ///< of VᵀMV
};

}  // namespace vinculum::solve

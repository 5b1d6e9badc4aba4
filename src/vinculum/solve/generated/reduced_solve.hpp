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

/// LU decomposition with partial pivoting of a square matrix of varying size up to `most`. Allocates only in the
/// constructor.
class SmallLu {
 public:
  explicit SmallLu(int most) : lu_(Matrix::Zero(most, most)), pivots_(static_cast<std::size_t>(most)) {}
  /// Entry (i, j), to be written before `factor`.
  [[nodiscard]] double& at(int i, int j) { return lu_(i, j); }
  /// \returns false if a pivot is zero or not finite.
  [[nodiscard]] bool factor(int n);
  void solve(double* x) const;  ///< x ← A⁻¹ x, [n]
  [[nodiscard]] int determinant_sign() const;

 private:
  Matrix lu_;
  std::vector<int> pivots_;
  int n_ = 0;
};

/// Minimal formulation (theory.md §7) at one state. Independent speeds u_I are chosen by pivoting, and the partial
/// accelerations V = ∂u'/∂u_I' are computed from the rows:
///
///   VᵀMV u_I' = Vᵀ (f − M c),   u' = V u_I' + c,   with c the accelerations for u_I' = 0
///
/// No multiplier occurs, so the solver is independent of ConstrainedSolve and AugmentedSolve. Redundant rows are left
/// out, and their residuals are checked.
/// After the first `choose` the object allocates only if the rank changes, and for failures. One object per thread.
/// Source: [R] 5.1; theory.md §7.
class ReducedSolve {
 public:
  ReducedSolve(int nu, int nc);

  /// Sets the row weights [nc], see ConstrainedSolve.
  void set_certainty(ConstVector certainty) { certainty_ = certainty; }
  /// Sets the uncertainty of the right-hand sides [nc], see ConstrainedSolve.
  void set_doubt(ConstVector doubt) { doubt_ = doubt; }
  /// Speeds that are independent in every choice, because the user names them.
  void keep_independent(std::vector<int> speeds) { kept_ = std::move(speeds); }
  [[nodiscard]] const std::vector<int>& kept() const { return kept_; }
  /// Whether the current choice determines the dependent speeds at the state of the last `choose` or `growth`: the
  /// growth is below 1e8, and det A_DD has kept its sign since the choice was made. False is possible only if the user
  /// has named independent speeds.
  [[nodiscard]] bool is_regular() const { return is_regular_; }

  /// Chooses independent speeds at a state: pivoted QR selects first rows and then columns of A, with speeds scaled by
  /// their inertia.
  /// \param defect  largest relative constraint violation of the state; rank decisions use a tolerance of at least
  /// this.
  void choose(ConstMatrix M, ConstMatrix A, double defect);
  [[nodiscard]] const IndependentSpeeds& choice() const { return **choice_; }
  [[nodiscard]] bool has_choice() const { return choice_->has_value(); }
  /// Sets where the choice is stored, which is the only memory between calls. `choice` must outlive the solver. To be
  /// called before the first use.
  void remember_in(std::optional<IndependentSpeeds>& choice);
  /// Largest |∂u_D/∂u_I| at this state for the current choice, and for the choice that `choose` would make here.
  [[nodiscard]] double growth(ConstMatrix M, ConstMatrix A);
  [[nodiscard]] double best_growth(ConstMatrix M, ConstMatrix A, double defect);
  /// Rank of A at this state.
  [[nodiscard]] int rank_here(ConstMatrix M, ConstMatrix A, double defect);

  /// One Newton step for the dependent speeds: u_D += −A_DD⁻¹ ψ_D. \returns false if A_DD is singular.
  [[nodiscard]] bool correct(ConstMatrix A, ConstVector psi, VectorRef u);

  /// \param f [nu] all known forces, including efforts.   \param u_dot [nu] receives the accelerations.
  /// \param tolerance  largest relative residual of the rows that are left out.
  /// \returns kUndetermined, or kInconsistent with the row that contradicts the chosen rows.
  [[nodiscard]] Outcome<void> solve(ConstMatrix M, ConstMatrix A, ConstVector f, ConstVector b, double tolerance,
                                    VectorRef u_dot);

 private:
  void weigh(ConstMatrix M, ConstMatrix A);
  void make_room();
  void find_best(ConstMatrix M, ConstMatrix A, double defect);
  [[nodiscard]] bool find_partials(ConstMatrix A, const IndependentSpeeds& choice);
  [[nodiscard]] double growth_of(const IndependentSpeeds& choice) const;
  /// Computes u' from V and c.
  [[nodiscard]] Outcome<void> solve_free(ConstMatrix M, ConstMatrix A, ConstVector f, VectorRef u_dot);
  /// The failure that names the row with the largest relative residual, if that exceeds the tolerance.
  [[nodiscard]] std::optional<Failure> missed_row(ConstMatrix A, ConstVector f, ConstVector b, double tolerance,
                                                  ConstVector u_dot) const;

  int nu_, nc_;
  std::vector<int> kept_;
  bool is_regular_ = true;
  std::optional<IndependentSpeeds>* choice_ = nullptr;
  IndependentSpeeds candidate_;
  Vector weight_;     ///< [nu] 1/√(M_jj + …): unit of each speed, in which its kinetic energy is of order 1
  Vector W_;          ///< [nc] weights of `semidefinite_weights`
  Vector certainty_;  ///< [nc] row weights
  Vector doubt_;      ///< [nc] uncertainties of the right-hand sides
  Vector row_scale_;  ///< [nc] row weight divided by the length of the row in these units
  numeric::PivotedQr rows_, columns_;
  SmallLu lu_;
  Matrix V_;  ///< [nu×nu]; V is its first nu − rank columns
  Matrix MV_, reduced_;
  Vector c_, column_, force_;
  std::optional<numeric::Cholesky> mass_;  ///< Cholesky factor of VᵀMV
};

}  // namespace vinculum::solve

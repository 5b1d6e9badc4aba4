#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/cholesky.hpp"
#include "vinculum/numeric/pivoted_qr.hpp"

namespace vinculum::solve {

/// Tolerances of rank and consistency, relative and dimensionless.
struct SolveTolerances {
  /// A row is dropped if |R_kk| ≤ max(rank, 20 max(nu, nc) ε) |R_11| in the QR of B with rows of unit length.
  double rank = tolerance::kRank;
  /// A dropped row contradicts the other rows if its residual exceeds this × (|b| + |A||a|), a = M⁻¹ r_f.
  double consistency = tolerance::kConsistency;
};

/// Solution of the linear problem  [M −Aᵀ; A 0] [u; λ] = [r_f; r_b].
struct Solution {
  Vector u;       ///< [nu] accelerations or changes of speeds; unique whenever they exist
  Vector lambda;  ///< [nc] the multipliers of least norm, for rows scaled to unit length; see `unique`
  /// [nu] generalized force Aᵀ λ = M u − r_f, with the original M and r_f also for semidefinite M; unique.
  Vector Q;
};

/// The pivoted solver: solves the linear problem of accelerations, of projections of q and u, of consistent starts and
/// of every reaction law. It is the reference for the faster solvers.
///
///   M u = r_f + Aᵀ λ,   A u = r_b,   M symmetric positive semidefinite, A with any number of rows and of any rank
///
///   M = L Lᵀ (Cholesky; if M is only semidefinite, H = M + AᵀWA and h = r_f + AᵀW r_b are used instead),
///   B = D A L⁻ᵀ with rows of unit length,   Bᵀ P = Q R (column-pivoted Householder),   u = a + L⁻ᵀ B⁺ (r_b − A a)
///
/// The residual of A u = r_b is then corrected once with the same factor. The residual is the rounding error of
/// a = M⁻¹ r_f, which may be far larger than u (if heavy bodies carry light coordinates along).
///
/// One factor serves several right-hand sides: accelerations (f, b), projections (0, −φ) and (0, −ψ). If `factor` is
/// called with the same matrices again, their factor is reused (for example at a projection and a report of one state).
/// The residuals φ and ψ of redundant rows differ by rounding errors. If all terms are as small as 1e-17, these
/// differences would count as a contradiction, so projections call `solve_least_squares`.
///
/// Sign: a mass m that hangs on a rod |p| − l = 0 under gravity g has λ = −m g (Q is opposite to the gradient of the
/// row). After construction neither `factor` nor `solve` allocates. One object per thread.
/// Source: [UK] eqs. 24, 32; [U]; [UP] for semidefinite M; theory.md §3; Golub & Van Loan §5.4 for the pivoted QR.
class ConstrainedSolve {
 public:
  ConstrainedSolve(int nu, int nc, SolveTolerances tolerances = {});

  /// Sets the row weights. If the gradient of a row has almost vanished, few digits of its direction are correct, and
  /// the row must count less than a row of unit length.
  /// \param certainty [nc] weights in (0, 1], used from the next factor on; 1 if not set.
  void set_certainty(ConstVector certainty) { certainty_ = certainty; }
  /// Sets the uncertainty of the right-hand sides. If dependent rows disagree by no more than this, it is no
  /// contradiction.
  /// \param doubt [nc] ≥ 0, in the units of the rows; 0 if not set.
  void set_doubt(ConstVector doubt) { doubt_ = doubt; }
  /// Sets compliances of the rows, from the next factor on. If rows depend on each other, their multipliers then have
  /// the least Σ compliance λ², as if each row yielded in proportion to its compliance, in the limit of small yielding.
  /// Rows with compliance 0 are rigid: their multipliers take all that they can. Accelerations do not change.
  /// \param compliance [nc] ≥ 0, or empty: all multipliers of dependent rows have the least norm and are not unique
  void set_compliance(ConstVector compliance);
  /// \param M [nu×nu], only the lower triangle is read.  \param A [nc×nu].
  /// \returns kUndetermined (with the `coordinates` that have neither mass nor constraint) or kNonFinite.
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix A) { return factor(M, A, 0.0, tolerances_); }
  /// Factors with coarser tolerances if the rows are dependent or almost dependent.
  /// \param doubt    the tolerances `coarser` apply if rows depend on each other, or if `conditioning` is less than
  /// this.
  /// \param coarser  valid until the next factor.   \pre coarser.rank ≥ the rank tolerance given at construction.
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix A, double doubt, const SolveTolerances& coarser);
  /// True if the current factor was computed from the same matrices and row weights.
  [[nodiscard]] bool has_factor_of(ConstMatrix M, ConstMatrix A, ConstVector certainty) const;

  /// \pre `factor` was called.  \param r_f [nu]  \param r_b [nc]  \param solution  resized once, then reused.
  /// \returns kInconsistent if rows contradict each other: `rows` are the rows of the contradictory combination, the
  /// one with the largest residual first; `size` is the residual of the first row if the other rows are satisfied, in
  /// the unit of that row. kNonFinite with `rows` or `coordinates`.
  /// \cost O(nu² + nu nc).
  [[nodiscard]] Outcome<void> solve(ConstVector r_f, ConstVector r_b, Solution& solution);

  /// Does the same as `solve`, but gives the least-squares solution if rows contradict each other. For Gauss–Newton
  /// steps only.
  void solve_least_squares(ConstVector r_f, ConstVector r_b, Solution& solution);

  [[nodiscard]] int rank() const { return rank_; }
  /// [nc] 1 if the multiplier of row s is unique in spite of redundant rows, or by its compliance: row s of an
  /// orthonormal basis N of ker Bᵀ, without the combinations that compliances determine, is shorter than 1e-10. The
  /// result does not depend on the units of rows and coordinates. Uncertain cases count as
  /// not unique.
  [[nodiscard]] const std::vector<char>& unique() const { return unique_; }
  /// [nc × k] Basis of the combinations of multipliers that are not determined: of ker Aᵀ, with k = nc − rank, without
  /// the combinations that compliances determine. Allocates.
  [[nodiscard]] Matrix left_null_space() const;
  /// [nu × (nu − rank)] Basis Z of ker A with ZᵀHZ = I: the admissible virtual displacements. Allocates.
  [[nodiscard]] Matrix null_space() const;
  /// [nc] Length of each row of A L⁻ᵀ: 0 if the row has no effect at this state.
  [[nodiscard]] const Vector& row_lengths() const { return row_lengths_; }
  /// Smallest |R_kk| of the kept rows divided by the largest, a measure of the distance from a further loss of rank. 1
  /// for nc = 0.
  [[nodiscard]] double conditioning() const { return conditioning_; }

 private:
  [[nodiscard]] int factor_mass(ConstMatrix M, ConstMatrix A);
  /// Stores M, A and the row weights; computes B and its QR with the smallest tolerance.
  [[nodiscard]] Outcome<void> factor_afresh(ConstMatrix M, ConstMatrix A);
  void find_left_null_space();
  void divide_by_compliance();
  void start(ConstVector r_f, ConstVector r_b, Solution& solution);
  [[nodiscard]] bool are_rows_consistent(ConstVector r_b);
  [[nodiscard]] Failure name_contradiction() const;
  [[nodiscard]] double find_missed(ConstVector r_b, const Solution& solution);
  void add_reaction(Solution& solution);

  int nu_, nc_;
  SolveTolerances tolerances_, in_force_;
  int rank_ = 0;
  int rank_of_null_space_ = -1;  // rank for which unique_, N_ and N_equal_ were computed
  double conditioning_ = 1.0;
  double longest_row_ = 0.0;
  bool is_factored_ = false;
  bool is_mass_singular_ = false;
  std::vector<char> unique_;
  Vector row_lengths_;
  numeric::Cholesky mass_;     // L of M, or of H if M is singular
  numeric::PivotedQr rows_;    // Bᵀ P = Q R
  Matrix M_, A_;               // [nu×nu] (lower triangle), [nc×nu] the matrices of the current factor
  Vector factored_certainty_;  // [nc] row weights of the current factor
  Matrix H_;                   // [nu×nu] scratch for M + AᵀWA
  Matrix N_;             // [nc×nc] its first nc − rank columns: orthonormal basis of ker Bᵀ, rows in the order of A
  Vector combinations_;  // [nc×(nc + a vector)] scratch: R11⁻¹ R12 by rows
  Matrix N_equal_;       // [nc×nc] the same basis for rows of unit length; used if a row weight is less than 1
  bool is_weighted_ = false;  // a row weight is less than 1
  Vector compliance_;         // [nc], or empty
  /// Null space of Bᵀ with compliances: combinations of multiplier_ that compliances determine, the factors of
  /// multiplier_ by which these are subtracted, and orthonormal combinations that remain free. [nc×k] each
  struct Division {
    Matrix determined, by, remaining;
  };
  Division division_;
  Vector certainty_;           // [nc] row weights for the next factor
  Vector doubt_;               // [nc] uncertainties of the right-hand sides
  Vector scales_;              // [nc] d_i = (row weight)/|B_i|
  Vector W_;                   // [nc] weights of H, 0 if M is regular
  Vector a_, x_;               // [nu] M⁻¹ r_f, Lᵀ (u − a)
  Vector force_;               // [nu] L x
  Vector c_, y_, multiplier_;  // [nc] D (r_b − A a), R11⁻ᵀ (Pᵀ c)_1, multipliers of the rows of unit length
  Vector missed_, size_;       // [nc] scratch: r_b − A u, and the sizes of its terms
};

}  // namespace vinculum::solve

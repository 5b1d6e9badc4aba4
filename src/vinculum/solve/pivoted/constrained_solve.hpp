#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/cholesky.hpp"
#include "vinculum/numeric/pivoted_qr.hpp"

namespace vinculum::solve {

/// Tolerances of rank and consistency, all relative and dimensionless.
struct SolveTolerances {
  double rank = tolerance::kRank;  ///< |R_kk| ≤ max(rank, 20 max(nu, nc) ε) |R_11| on row-equilibrated B drops a row
  double consistency =
      tolerance::kConsistency;  ///< a dropped row's residual above this × (|b| + |A||a|) contradicts the others
};

/// What the linear problem  [M −Aᵀ; A 0] [u; λ] = [r_f; r_b]  gives back.
struct Solution {
  Vector u;       ///< [nu] unique whenever it exists
  Vector lambda;  ///< [nc] of minimum norm in row-equilibrated units; see `unique`
  Vector Q;       ///< [nu] = Aᵀ λ = M u − r_f, in the original M, r_f (also for semidefinite M); unique
};

/// The one linear problem behind accelerations, projections of q and u, consistent starts and every law (the pivoted
/// solver: the truth that faster paths are accepted against):
///
///   M u = r_f + Aᵀ λ,   A u = r_b,   M symmetric positive semidefinite, rows of A in any number and of any rank
///
///   M = L Lᵀ (Cholesky; where M is only semidefinite H = M + AᵀWA, h = r_f + AᵀW r_b in its place),
///   B = D A L⁻ᵀ with rows of unit length,   Bᵀ P = Q R (column-pivoted Householder),   u = a + L⁻ᵀ B⁺ (r_b − A a)
///
/// What A u = r_b is missed by afterwards is solved for again with the same factor: it is rounding of a = M⁻¹ r_f,
/// which may be far larger than u (light coordinates carried along by heavy ones). Right-hand sides served with one
/// factor: accelerations (f, b), projections (0, −φ) and (0, −ψ). Residuals φ, ψ of redundant rows differ by rounding
/// of their own, so projections call `solve_least_squares`: against nothing but themselves rounding errors of 1e-17
/// contradict each other. A factor of the same numbers is used again (projection of speeds and accelerations at one
/// position, reports of a state). Sign: a mass m hanging on |p| − l = 0 under gravity g has λ = −m g (Q points against
/// the row's gradient). Owns its scratch: after construction neither `factor` nor `solve` allocates. One object a
/// thread. Source: [UK] eqs. 24, 32; [U]; [UP] for semidefinite M; theory.md §3; Golub & Van Loan §5.4 for the pivoted
/// QR.
class ConstrainedSolve {
 public:
  ConstrainedSolve(int nu, int nc, SolveTolerances tolerances = {});

  /// Whose direction rounding has taken digits from, as where a gradient is about to vanish, counts for less than a row
  /// of unit length: \param certainty [nc] in (0, 1], from the next factor on; 1 until it is set.
  void set_certainty(ConstVector certainty) { certainty_ = certainty; }
  /// By how much right sides may be off before anything is solved: rows that depend on each other may disagree by as
  /// much. \param doubt [nc] ≥ 0, in the rows' own units; 0 until it is set.
  void set_doubt(ConstVector doubt) { doubt_ = doubt; }
  /// \param M [nu×nu], only the lower triangle is read.  \param A [nc×nu].
  /// \returns kUndetermined (with `coordinates` that have neither mass nor constraint) or kNonFinite.
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix A) { return factor(M, A, 0.0, tolerances_); }
  /// \param doubt    if rows depend on each other, or `conditioning` is less than this,
  /// \param coarser  these tolerances decide, from this factor until the next.   \pre coarser.rank ≥ that of the
  ///                 tolerances at construction
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix A, double doubt, const SolveTolerances& coarser);
  /// Whether the factor at hand is that of these numbers.
  [[nodiscard]] bool has_factor_of(ConstMatrix M, ConstMatrix A, ConstVector certainty) const;

  /// Needs a factor. \param r_f [nu]  \param r_b [nc]  \param solution  resized once, then reused.
  /// \returns kInconsistent: `rows` are those that contradict each other (left null vector), most at fault first, and
  ///          `size` is by how much A u = b is missed in the first of them when the others hold, in its own unit;
  ///          kNonFinite with `rows` or `coordinates`. \cost O(nu² + nu nc).
  [[nodiscard]] Outcome<void> solve(ConstVector r_f, ConstVector r_b, Solution& solution);

  /// As `solve`, but the least-squares answer where rows contradict each other: for Gauss–Newton steps only.
  void solve_least_squares(ConstVector r_f, ConstVector r_b, Solution& solution);

  [[nodiscard]] int rank() const { return rank_; }
  /// 1 where the multiplier of that row is unique whatever the redundancy: row s of an orthonormal basis N of ker Bᵀ
  /// is shorter than 1e-10. Independent of the units of rows and coordinates; doubt counts as not unique. [nc]
  [[nodiscard]] const std::vector<char>& unique() const { return unique_; }
  /// Basis of ker Aᵀ, [nc × (nc − rank)]: combinations of multipliers that exert no generalized force. Allocates.
  [[nodiscard]] Matrix left_null_space() const;
  /// Basis Z of ker A with ZᵀHZ = I, [nu × (nu − rank)]: the admissible virtual displacements. Allocates.
  [[nodiscard]] Matrix null_space() const;
  /// Length of each row of A L⁻ᵀ: 0 where a row has no effect at this state. [nc]
  [[nodiscard]] const Vector& row_lengths() const { return row_lengths_; }
  /// Smallest and largest kept |R_kk| in ratio: distance from the next loss of rank. 1 for nc = 0.
  [[nodiscard]] double conditioning() const { return conditioning_; }

 private:
  [[nodiscard]] int factor_mass(ConstMatrix M, ConstMatrix A);
  /// M, A and certainty as they are, then B and its QR for the finest tolerance.
  [[nodiscard]] Outcome<void> factor_afresh(ConstMatrix M, ConstMatrix A);
  void find_left_null_space();
  void start(ConstVector r_f, ConstVector r_b, Solution& solution);
  [[nodiscard]] bool are_rows_consistent(ConstVector r_b);
  [[nodiscard]] Failure name_contradiction() const;
  [[nodiscard]] double find_missed(ConstVector r_b, const Solution& solution);
  void add_reaction(Solution& solution);

  int nu_, nc_;
  SolveTolerances tolerances_, in_force_;
  int rank_ = 0;
  int rank_of_null_space_ = -1;  // that unique_, N_ and N_equal_ belong to
  double conditioning_ = 1.0;
  double longest_row_ = 0.0;
  bool is_factored_ = false;
  bool is_mass_singular_ = false;
  std::vector<char> unique_;
  Vector row_lengths_;
  numeric::Cholesky mass_;     // L of M, or of H where M is singular
  numeric::PivotedQr rows_;    // Bᵀ P = Q R
  Matrix M_, A_;               // [nu×nu] (lower triangle), [nc×nu] of the factor at hand
  Vector factored_certainty_;  // [nc] the same
  Matrix H_;                   // [nu×nu] scratch for M + AᵀWA
  Matrix N_;             // [nc×nc] its first nc − rank columns: orthonormal basis of ker Bᵀ, rows in the order of A
  Vector combinations_;  // [nc×(nc + a vector)] scratch: R11⁻¹ R12, row by row
  Matrix N_equal_;       // [nc×nc] the same for rows of unit length, where a certainty is less than 1
  bool is_weighted_ = false;   // a certainty is less than 1
  Vector certainty_;           // [nc]
  Vector doubt_;               // [nc]
  Vector scales_;              // [nc] d_i = certainty_i/|B_i|
  Vector W_;                   // [nc] weights of H, 0 where M is regular
  Vector a_, x_;               // [nu] M⁻¹ r_f, Lᵀ (u − a)
  Vector force_;               // [nu] L x
  Vector c_, y_, multiplier_;  // [nc] D (r_b − A a), R11⁻ᵀ (Pᵀ c)_1, multipliers of the rows of unit length
  Vector missed_, size_;       // [nc] scratch: r_b − A u, and the sizes of its terms
};

}  // namespace vinculum::solve

#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"
#include "vinculum/numeric/pivoted_qr.hpp"
#include "vinculum/solve/generated/motion.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

/// Constraints kept by efforts along given directions (theory.md §6.9): Qc = Γᵀ e in place of Aᵀλ.
///
/// With the rows of ideal law solved first, a_c their motion without efforts and R = ∂u'/∂e with them in force, the
/// efforts follow from A_d (a_c + R e) = b_d; where there are more efforts than rows Σ (e/scale)² is least.
namespace vinculum::solve {

/// Rows kept by their own gradients, and rows kept by efforts.
[[nodiscard]] std::vector<int> ideal_rows(const equations::System& system);
[[nodiscard]] std::vector<int> directed_rows(const equations::System& system);
/// Γ of all directed reactions, one effort after the other. [efforts][nu]
[[nodiscard]] std::vector<std::vector<expr::Expr>> effort_directions(const equations::System& system);
/// [efforts]
[[nodiscard]] Vector effort_scales(const equations::System& system);

/// Generated code for the same.
/// \param structure  of the rows of ideal law alone.   \param tree  as of `acceleration`.
[[nodiscard]] Acceleration directed_acceleration(const equations::System& system,
                                                 const solve::StaticStructure& structure,
                                                 const equations::ArticulatedMotion* tree, int refinements);

/// Motion and efforts at one state.
struct DirectedSolution {
  Vector u;       ///< [nu]
  Vector lambda;  ///< [nc] of rows of ideal law; of a row kept by an effort of its own (`law directed`) that effort;
                  ///< else 0
  Vector effort;  ///< [efforts]
  Vector Q;       ///< [nu] A_iᵀλ_i + Γᵀe
};

/// With pivots: decides whether the efforts can keep their rows, by pivoted QR of the response. After construction
/// nothing allocates but failures. One object a thread.
class DirectedSolve {
 public:
  explicit DirectedSolve(const equations::System& system);

  /// \param ideal  holds the factor of M and the rows of ideal law.  \param M [nu×nu] its diagonal is read.
  /// \param A [nc×nu] all rows.  \param Gamma [efforts×nu].
  /// \returns kInconsistent with the rows that these efforts cannot keep here.
  [[nodiscard]] Outcome<void> factor(solve::ConstrainedSolve& ideal, ConstMatrix M, ConstMatrix A, ConstMatrix Gamma);
  /// Error of each entry of b that is known before anything is solved. \param doubt [nc] ≥ 0, in the rows' own units; 0
  /// until it is set.
  void set_doubt(ConstVector doubt) { doubt_ = doubt; }
  /// \param f [nu]  \param b [nc].  \returns kInconsistent with the rows that contradict each other.
  [[nodiscard]] Outcome<void> solve(solve::ConstrainedSolve& ideal, ConstVector f, ConstVector b,
                                    DirectedSolution& solution);

  /// Weakest response of a row to the efforts, as a part of what it could be if they acted along it, and the row. Needs
  /// a factor.
  [[nodiscard]] double weakest_response() const;
  [[nodiscard]] int weakest_row() const;

  [[nodiscard]] const std::vector<int>& ideal() const { return ideal_; }
  [[nodiscard]] const std::vector<int>& directed() const { return directed_; }

 private:
  [[nodiscard]] int missing_rank(solve::ConstrainedSolve& ideal) const;
  void add_efforts(DirectedSolution& solution);

  int nu_, nc_, count_;  ///< count_: efforts
  std::vector<int> ideal_, directed_;
  std::vector<int> own_effort_;  ///< [nc] effort that is the row's multiplier too, −1 where there is none
  Vector scale_;                 ///< [efforts]
  Matrix A_d_;
  Matrix reaction_;              ///< [nu×efforts] Γᵀ and the force that keeps the rows of ideal law beside it
  Matrix R_;                     ///< [nu×efforts] response of u'
  Matrix Lambda_;                ///< [ideal×efforts] response of λ
  Vector row_scale_;             ///< [directed]
  Vector doubt_;                 ///< [nc]
  numeric::PivotedQr response_;  ///< of (row_scale A_d R scale)ᵀ
  int rank_ = 0;
  Vector zero_u_, zero_b_, b_i_, c_, y_;
  solve::Solution part_;
};

}  // namespace vinculum::solve

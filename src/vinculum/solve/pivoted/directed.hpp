#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"
#include "vinculum/numeric/pivoted_qr.hpp"
#include "vinculum/solve/generated/motion.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

/// Servo constraints, enforced by efforts along given directions (theory.md §6.9): Qc = Γᵀ e instead of Aᵀλ.
///
/// The problem with the rows of ideal law alone is solved first. Let a_c be its acceleration without efforts, and R =
/// ∂u'/∂e its response to efforts. The efforts then follow from A_d (a_c + R e) = b_d, the rows of servo constraints.
/// If there are more efforts than rows, Σ (e/scale)² is minimized.
namespace vinculum::solve {

/// Indices of the rows of ideal law, and of the rows of servo constraints.
[[nodiscard]] std::vector<int> ideal_rows(const equations::System& system);
[[nodiscard]] std::vector<int> directed_rows(const equations::System& system);
/// [efforts][nu] The rows of Γ, that is, the generalized force of a unit of each actuator effort.
[[nodiscard]] std::vector<std::vector<expr::Expr>> effort_directions(const equations::System& system);
/// [efforts] Scale by which each effort is divided when efforts are minimized.
[[nodiscard]] Vector effort_scales(const equations::System& system);

/// Accelerations with servo constraints as generated code, by the method described above.
/// \param structure  structure of the rows of ideal law only.   \param tree  see `acceleration`.
[[nodiscard]] Acceleration directed_acceleration(const equations::System& system,
                                                 const solve::StaticStructure& structure,
                                                 const equations::ArticulatedMotion* tree, int refinements);

/// Motion and efforts at one state.
struct DirectedSolution {
  Vector u;  ///< [nu] accelerations
  /// [nc] λ of rows of ideal law; for a row of `law directed` its effort; else 0.
  Vector lambda;
  Vector effort;  ///< [efforts] e
  Vector Q;       ///< [nu] A_iᵀλ_i + Γᵀe
};

/// Pivoted solver for servo constraints. Decides by a pivoted QR of the response A_d R whether the efforts can enforce
/// the servo constraints. After construction the object allocates only for failures. One object per thread.
class DirectedSolve {
 public:
  explicit DirectedSolve(const equations::System& system);

  /// \param ideal  contains the factor of M and the rows of ideal law.  \param M [nu×nu] its diagonal is read.
  /// \param A [nc×nu] all rows.  \param Gamma [efforts×nu].
  /// \returns kInconsistent with the rows that the efforts cannot enforce at this state.
  [[nodiscard]] Outcome<void> factor(solve::ConstrainedSolve& ideal, ConstMatrix M, ConstMatrix A, ConstMatrix Gamma);
  /// Sets the uncertainty of the entries of b. \param doubt [nc] ≥ 0, in the units of b; 0 if not set.
  void set_doubt(ConstVector doubt) { doubt_ = doubt; }
  /// \param f [nu]  \param b [nc].  \returns kInconsistent with the rows that contradict each other.
  [[nodiscard]] Outcome<void> solve(solve::ConstrainedSolve& ideal, ConstVector f, ConstVector b,
                                    DirectedSolution& solution);

  /// Smallest response of a servo constraint to the efforts, as a fraction of its response to a force along its own
  /// gradient; and the row of that constraint.   \pre `factor` was called
  [[nodiscard]] double weakest_response() const;
  [[nodiscard]] int weakest_row() const;

  [[nodiscard]] const std::vector<int>& ideal() const { return ideal_; }
  [[nodiscard]] const std::vector<int>& directed() const { return directed_; }

 private:
  [[nodiscard]] int missing_rank(solve::ConstrainedSolve& ideal) const;
  void add_efforts(DirectedSolution& solution);

  int nu_, nc_, count_;  ///< count_: number of efforts
  std::vector<int> ideal_, directed_;
  std::vector<int> own_effort_;  ///< [nc] effort that is also the row's multiplier; −1 if there is none
  Vector scale_;                 ///< [efforts] scales of the efforts
  Matrix A_d_;
  Matrix reaction_;   ///< [nu×efforts] Γᵀ plus the reactions of the rows of ideal law to a unit of each effort
  Matrix R_;          ///< [nu×efforts] response of u' to a unit of each effort
  Matrix Lambda_;     ///< [ideal×efforts] response of λ to a unit of each effort
  Vector row_scale_;  ///< [directed] factors that scale the rows A_d to comparable lengths
  Vector doubt_;      ///< [nc] uncertainties of b
  numeric::PivotedQr response_;  ///< factors of (row_scale A_d R scale)ᵀ
  int rank_ = 0;
  Vector zero_u_, zero_b_, b_i_, c_, y_;
  solve::Solution part_;
};

}  // namespace vinculum::solve

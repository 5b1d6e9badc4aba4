#pragma once

#include <functional>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"
#include "vinculum/solve/memory.hpp"

namespace vinculum::solve {

/// How C, the force of the non-ideal clauses, depends on the multipliers λ.
struct ReactionDependence {
  std::vector<int> rows;      ///< rows whose actual λ occurs in C
  bool is_separable = false;  ///< C = Σ_k C_k(λ_k), that is, no term contains the λ of two rows
  /// [contacts] Indices into `rows` of the multipliers on which the bound of each friction contact depends.
  std::vector<std::vector<int>> of_slides;
};
[[nodiscard]] ReactionDependence reaction_dependence(const equations::System& system);

/// Solves for non-ideal forces C that depend on the reactions themselves (theory.md §4.2), such as friction with the
/// actual normal force.
///
///   M u' = f + C(λ) + Aᵀλ,   A u' = b
///
/// With Λ(r_f, r_b) the multipliers of the linear problem, λ = Λ(f, b) + Λ(C(λ), 0). This is a small nonlinear system,
/// not symmetric, for the λ that occur in C. The determinant of its Jacobian 1 − Λ ∂C/∂λ changes sign together with det
/// A M⁻¹(Aᵀ + ∂C/∂λ), which is the cause of Painlevé's paradox.
///
/// If C is linear in each λ_k except for a kink at 0 (|λ_k|, norm of the force of one row), every choice of signs of
/// the λ_k gives one linear system. Its solution is valid if it has these signs. For up to 6 rows all choices are
/// tried. For more rows the solver requires a certificate that there is exactly one solution: |Λ ∂C/∂λ| is bounded by a
/// matrix of spectral radius below 1. For other laws (norm of the force of several rows) Newton's iteration is run from
/// many starts, and the solutions are compared. If one norm occurs, this finds all solutions, because the equation is
/// convex. If several norms occur, solutions may be missed.
/// Source: theory.md §4.2; Genot & Brogliato 1999 for the rod. Test: solve/pivoted/friction_test.cpp.
class FrictionSolve {
 public:
  /// Computes the multipliers of M u' = r_f + Aᵀλ, A u' = r_b.
  using Respond = std::function<Outcome<void>(ConstVector r_f, ConstVector r_b, Vector& lambda)>;
  /// Computes C [nu] and ∂C/∂λ [nu×rows] for the rows of the dependence, at λ and λ_ideal [nc]; NaN if undefined.
  using Evaluate = std::function<void(const Vector& lambda, const Vector& lambda_ideal, Vector& C, Matrix& C_lambda)>;

  /// \param more  number of entries of r_b in addition to the nc rows; `respond` defines their meaning.
  FrictionSolve(int nu, int nc, ReactionDependence dependence, int more = 0);

  /// Finds C together with the λ on which it depends. \returns kFrictionNoSolution or kFrictionManySolutions with the
  /// rows, kNonFinite if the law gives no finite force, or a failure of `respond`.   Allocates nothing.
  [[nodiscard]] Outcome<void> solve(const Respond& respond, const Evaluate& evaluate, ConstVector f, ConstVector b);

  [[nodiscard]] const Vector& C() const { return C_; }
  /// [rows] The multipliers at which C was evaluated last, for the rows on which C depends.
  [[nodiscard]] const Vector& lambda() const { return lambda_; }
  [[nodiscard]] const Vector& lambda_ideal() const { return lambda_ideal_; }  ///< [nc] Λ(f, b)
  /// [nu×rows] ∂C/∂λ for the rows on which C depends, at `lambda()`.
  [[nodiscard]] const Matrix& C_lambda() const { return C_lambda_; }
  /// Number of distinct solutions that the last `solve` found.
  [[nodiscard]] int found() const { return found_; }
  /// True if all solutions are stored: there is no continuous family of solutions, and the storage suffices.
  [[nodiscard]] bool has_all() const { return kept_ == found_; }
  /// Evaluates C at solution i of the last `solve`.   \pre has_all(), i < found()
  void take(int i, const Evaluate& evaluate);
  using Memory = ReactionMemory;
  /// Sets the memory at which searches start and in which they store the solution. The memory must outlive the solver.
  /// To be called before the first use.
  void remember_in(Memory& memory) { memory_ = &memory; }

 private:
  [[nodiscard]] Outcome<bool> read_branches(const Respond& respond, const Evaluate& evaluate);
  void try_branch(unsigned signs);
  [[nodiscard]] bool is_contraction();
  [[nodiscard]] Outcome<void> iterate_signs();
  [[nodiscard]] Outcome<void> read_responses(const Respond& respond);
  void iterate_from(const Evaluate& evaluate, const Vector& start);
  void iterate_from_both_ends(const Evaluate& evaluate);
  [[nodiscard]] Outcome<void> response(const Respond& respond, ConstVector force, VectorRef of_rows);
  void place(const Vector& x, Vector& lambda) const;
  void add_answer(const Vector& x);
  [[nodiscard]] Failure failure(FailureKind kind) const;
  [[nodiscard]] int count() const { return static_cast<int>(dependence_.rows.size()); }

  ReactionDependence dependence_;
  numeric::FullPivotLu lu_;
  // Shapes: k is the number of rows on which C depends. "plus": λ > 0, "minus": λ < 0.
  Vector zero_;                                           // [nc + more] zeros
  Vector C_, C_plus_, C_minus_;                           // [nu] C
  Matrix C_lambda_, slope_plus_, slope_minus_;            // [nu×k] ∂C/∂λ
  Matrix response_plus_, response_minus_;                 // [k×k] Λ ∂C/∂λ for λ > 0 and for λ < 0
  Matrix per_force_;                                      // [k×nu] multipliers per unit of each generalized force
  Vector unit_;                                           // [nu] scratch
  Vector constant_;                                       // [k] Λ of f, b and of the terms of C without |λ|
  Vector lambda_, lambda_ideal_, lambda_at_, responded_;  // [nc] multipliers
  Vector x_, step_, start_, ideal_, weight_;              // [k] of the rows on which C depends
  Memory* memory_ = nullptr;
  Matrix answers_;     // [k×…] distinct solutions
  double size_ = 1.0;  // typical size of the multipliers
  int found_ = 0, kept_ = 0;
};

}  // namespace vinculum::solve

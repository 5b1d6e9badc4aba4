#pragma once

#include <functional>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"
#include "vinculum/solve/memory.hpp"

namespace vinculum::solve {

/// What C of the non-ideal clauses takes from the reactions.
struct ReactionDependence {
  std::vector<int> rows;      ///< whose actual λ stands in C
  bool is_separable = false;  ///< C = Σ_k C_k(λ_k): no term holds the λ of two rows
  /// [slides] which of `rows` the bound of each friction contact depends on, by their places there.
  std::vector<std::vector<int>> of_slides;
};
[[nodiscard]] ReactionDependence reaction_dependence(const equations::System& system);

/// Non-ideal reactions that depend on the reactions themselves (theory.md §4.2): friction with the actual normal force.
///
///   M u' = f + C(λ) + Aᵀλ,   A u' = b
///
/// With Λ(r_f, r_b) the multipliers of the linear problem this reads λ = Λ(f, b) + Λ(C(λ), 0): a small system for the λ
/// that C holds, non-symmetric, with Jacobian 1 − Λ ∂C/∂λ (a factor of det A M⁻¹(Aᵀ + ∂C/∂λ), whose change of sign is
/// Painlevé's).
///
/// Where C is linear in each λ_k apart from a kink at 0 (|λ_k|, norm of the force of one row) every choice of signs is
/// one linear system, and its answer counts if it has these signs: all 2^k are tried for k ≤ 6. More rows need a
/// certificate that there is exactly one answer: Λ ∂C/∂λ bounded by a matrix of spectral radius below 1. Other laws
/// (norm of the force of several rows) are solved by Newton's iteration from many starts, and what these lead to is
/// compared: for the norm of one force all answers are found, since its equation is convex; for several of them this is
/// a search. Source: theory.md §4.2; Genot & Brogliato 1999 for the rod. Law: solve/pivoted/friction_test.cpp.
class FrictionSolve {
 public:
  /// Multipliers of M u' = r_f + Aᵀλ, A u' = r_b.
  using Respond = std::function<Outcome<void>(ConstVector r_f, ConstVector r_b, Vector& lambda)>;
  /// C [nu] and ∂C/∂λ of the rows of the dependence [nu×rows] at λ and λ_ideal [nc]; NaN where there is none.
  using Evaluate = std::function<void(const Vector& lambda, const Vector& lambda_ideal, Vector& C, Matrix& C_lambda)>;

  /// \param more  entries that right sides r_b have beyond those of the nc rows; what they mean is `respond`'s.
  FrictionSolve(int nu, int nc, ReactionDependence dependence, int more = 0);

  /// Finds C at the λ that goes with it. \returns kFrictionNoSolution or kFrictionManySolutions with the rows,
  /// kNonFinite where the law gives no finite force, or a failure of `respond`.   Allocates nothing.
  [[nodiscard]] Outcome<void> solve(const Respond& respond, const Evaluate& evaluate, ConstVector f, ConstVector b);

  [[nodiscard]] const Vector& C() const { return C_; }
  [[nodiscard]] const Vector& lambda() const { return lambda_; }  ///< where C was evaluated, in the rows it depends on
  [[nodiscard]] const Vector& lambda_ideal() const { return lambda_ideal_; }  ///< [nc]
  /// ∂C/∂λ of the rows it depends on, there. [nu×rows]
  [[nodiscard]] const Matrix& C_lambda() const { return C_lambda_; }
  /// Distinct answers that the last `solve` found.
  [[nodiscard]] int found() const { return found_; }
  /// Whether these are all at hand: no family of them was found, nor more than are kept.
  [[nodiscard]] bool has_all() const { return kept_ == found_; }
  /// C at answer i of the last `solve`, one of several.   \pre has_all(), i < found()
  void take(int i, const Evaluate& evaluate);
  using Memory = ReactionMemory;
  /// From here on it remembers in this one, which outlives that, and starts from what it holds. To be called first.
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
  Vector zero_;                                           // [nc + more]
  Vector C_, C_plus_, C_minus_;                           // [nu]
  Matrix C_lambda_, slope_plus_, slope_minus_;            // [nu×k]
  Matrix response_plus_, response_minus_;                 // [k×k] Λ ∂C/∂λ
  Matrix per_force_;                                      // [k×nu] Λ of a unit of each force
  Vector unit_;                                           // [nu]
  Vector constant_;                                       // [k] Λ of f, b and of what C holds beside |λ|
  Vector lambda_, lambda_ideal_, lambda_at_, responded_;  // [nc]
  Vector x_, step_, start_, ideal_, weight_;              // [k]
  Memory* memory_ = nullptr;
  Matrix answers_;     // [k×…] distinct ones
  double size_ = 1.0;  // of the multipliers
  int found_ = 0, kept_ = 0;
};

}  // namespace vinculum::solve

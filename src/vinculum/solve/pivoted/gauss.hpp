#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"
#include "vinculum/solve/memory.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::solve {

/// Accelerations under constraints χ(q,u,u',t) = 0 that are not linear in u': Gauss's principle (theory.md §3.4).
///
///   min (u' − a)ᵀ M (u' − a)  where χ(u') = 0:    M u' = f + Aᵀλ,   χ = 0,   A = ∂χ/∂u'
///
/// by Newton's iteration on both, with the curvature Σ λ_k ∂²χ_k/∂u'² beside M. Of the answers the first is the one
/// nearest to the unconstrained acceleration, among those that a condition accepts where one is stated, sought from
/// many starts; later ones follow it, each from the one before. Rows linear in u' stand among the others, and rows may
/// depend on each other. Source: theory.md §3.4. Law: solve/pivoted/gauss_test.cpp.
class GaussSolve {
 public:
  /// Rows at u' [nu]: A [nc×nu], b = A u' − χ [nc], and where λ [nc] weighs them the curvature H = Σ λ_k ∂²χ_k/∂u'²
  /// [nu×nu].
  using Evaluate = std::function<void(const Vector& u_dot, const Vector& lambda, Matrix& A, Vector& b, Matrix& H)>;

  /// Whether the first answer may be the one at u' [nu]. \pre `Evaluate` there was the call before.
  using Accept = std::function<bool(const Vector& u_dot)>;

  GaussSolve(int nu, int nc);
  /// Of several answers one of these is meant; empty: all are accepted.
  void choose(Accept accept) { accept_ = std::move(accept); }

  /// \param t  its time: followed from the last answer at or before it.  \param M [nu×nu] symmetric, full.  \param f
  /// [nu].
  /// \returns kNotUnique where a gradient vanishes, Newton's iteration does not converge, the answer is no minimum any
  /// more, or
  ///          two answers are equally near.   Allocates only where the branch is sought afresh.
  [[nodiscard]] Outcome<void> solve(double t, ConstMatrix M, ConstVector f, const Evaluate& evaluate);

  /// Answers at this time and later start from the last one; what was followed beyond it is forgotten, as a step was
  /// taken again. The first answer is followed at once.
  void follow(double t);
  [[nodiscard]] const Vector& u_dot() const { return u_dot_; }
  [[nodiscard]] const Matrix& A() const { return A_; }  ///< there
  [[nodiscard]] const Vector& b() const { return b_; }
  [[nodiscard]] const Matrix& followed_A() const { return from_->A; }  ///< where the branch was followed from

  using Branch = AccelerationBranch;
  using Answer = AccelerationBranch::Answer;
  /// From here on it follows this one, which outlives that, from where it is. To be called first.
  void remember_in(Branch& branch);

 private:
  [[nodiscard]] bool iterate(ConstMatrix M, ConstVector f, const Evaluate& evaluate);
  /// Units in which all is of one kind: of u'_r 1/√M_rr, without mass what the rows make of it.   \pre A_
  void measure(ConstMatrix M);
  /// Largest of accelerations in those units.
  [[nodiscard]] double size_of(ConstVector u_dot) const { return u_dot.cwiseQuotient(unit_).lpNorm<Eigen::Infinity>(); }
  void fill_system(ConstMatrix M);
  [[nodiscard]] int sign_here(ConstMatrix M);
  [[nodiscard]] bool is_on_branch(ConstMatrix M);
  [[nodiscard]] double gauss_function(ConstMatrix M) const;
  [[nodiscard]] bool is_minimum(ConstMatrix M);
  [[nodiscard]] Outcome<void> search(ConstMatrix M, ConstVector f, const Evaluate& evaluate);

  static constexpr std::size_t kFollowed = 64;  // more than the stages of a step

  int nu_, nc_;
  Accept accept_;
  solve::ConstrainedSolve linear_;
  solve::Solution solution_;
  numeric::FullPivotLu lu_;
  Vector u_dot_, lambda_, free_, start_, step_, weight_;
  Vector unit_;   // [nu] of u'
  Vector scale_;  // [nu + nc] of Newton's system, its rows and columns: unit_, and 1 over the rows' lengths in it
  Vector best_u_dot_, best_lambda_, b_, residual_;
  Branch* branch_ = nullptr;
  const Answer* from_ = nullptr;
  Matrix A_, H_, Z_;
};

}  // namespace vinculum::solve

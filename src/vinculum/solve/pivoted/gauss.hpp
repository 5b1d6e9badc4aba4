#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"
#include "vinculum/solve/memory.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::solve {

/// Accelerations under constraints χ(q,u,u',t) = 0 that are not linear in u', by Gauss's principle (theory.md §3.4):
///
///   min (u' − a)ᵀ M (u' − a)  subject to χ(u') = 0:    M u' = f + Aᵀλ,   χ = 0,   A = ∂χ/∂u'
///
/// a is the unconstrained acceleration. The equations are solved by Newton's iteration for u' and λ, including the
/// curvature Σ λ_k ∂²χ_k/∂u'². The first solution is sought from many starts. Among the solutions that a `branch`
/// condition accepts, the one nearest to a is taken. Each later iteration starts from the previous solution, so it
/// stays on this branch. Rows linear in u' are included, and rows may depend on each other. Source: theory.md §3.4.
/// Test: solve/pivoted/gauss_test.cpp.
class GaussSolve {
 public:
  /// Evaluates the rows at u' [nu]: A [nc×nu], b = A u' − χ [nc], and the curvature H = Σ λ_k ∂²χ_k/∂u'² [nu×nu] for
  /// the weights λ [nc].
  using Evaluate = std::function<void(const Vector& u_dot, const Vector& lambda, Matrix& A, Vector& b, Matrix& H)>;

  /// True if u' [nu] is acceptable as the first solution. \pre the last call of `Evaluate` was at this u'.
  using Accept = std::function<bool(const Vector& u_dot)>;

  GaussSolve(int nu, int nc);
  /// Sets the condition that the first solution must satisfy; empty: all solutions are accepted.
  void choose(Accept accept) { accept_ = std::move(accept); }

  /// \param t  time; Newton's iteration starts from the last followed solution at or before t.  \param M [nu×nu]
  ///   symmetric, both triangles.
  /// \param f [nu].
  /// \returns kNotUnique if a gradient vanishes, Newton's iteration does not converge, the solution is no longer a
  /// minimum, or two solutions are equally near.   Allocates only when the first solution is sought.
  [[nodiscard]] Outcome<void> solve(double t, ConstMatrix M, ConstVector f, const Evaluate& evaluate);

  /// Accepts the last solution at time t: later calls of `solve` start from it. Stored solutions at later times are
  /// discarded, because they belong to a step that is repeated. The first solution is accepted at once.
  void follow(double t);
  [[nodiscard]] const Vector& u_dot() const { return u_dot_; }
  [[nodiscard]] const Matrix& A() const { return A_; }  ///< A at the last solution
  [[nodiscard]] const Vector& b() const { return b_; }
  [[nodiscard]] const Matrix& followed_A() const { return from_->A; }  ///< A at the last accepted solution

  using Branch = AccelerationBranch;
  using Answer = AccelerationBranch::Answer;
  /// Sets the memory of the branch; later calls start from its contents. It must outlive the solver. To be called
  /// before the first use.
  void remember_in(Branch& branch);

 private:
  [[nodiscard]] bool iterate(ConstMatrix M, ConstVector f, const Evaluate& evaluate);
  /// Computes units in which all accelerations are comparable: 1/√M_rr for u'_r, or for speeds without mass a value
  /// that follows from the rows.   \pre A_ has been evaluated
  void measure(ConstMatrix M);
  /// Largest |u'_r| in these units.
  [[nodiscard]] double size_of(ConstVector u_dot) const { return u_dot.cwiseQuotient(unit_).lpNorm<Eigen::Infinity>(); }
  void fill_system(ConstMatrix M);
  [[nodiscard]] int sign_here(ConstMatrix M);
  [[nodiscard]] bool is_on_branch(ConstMatrix M);
  [[nodiscard]] double gauss_function(ConstMatrix M) const;
  [[nodiscard]] bool is_minimum(ConstMatrix M);
  [[nodiscard]] Outcome<void> search(ConstMatrix M, ConstVector f, const Evaluate& evaluate);

  static constexpr std::size_t kFollowed = 64;  // more than the number of stages of a step

  int nu_, nc_;
  Accept accept_;
  solve::ConstrainedSolve linear_;
  solve::Solution solution_;
  numeric::FullPivotLu lu_;
  Vector u_dot_, lambda_, free_, start_, step_, weight_;
  Vector unit_;  // [nu] units of u'
  // [nu + nc] scales of the rows and columns of Newton's system: unit_, and 1/(length of each row in these units).
  Vector scale_;
  Vector best_u_dot_, best_lambda_, b_, residual_;
  Branch* branch_ = nullptr;
  const Answer* from_ = nullptr;
  Matrix A_, H_, Z_;
};

}  // namespace vinculum::solve

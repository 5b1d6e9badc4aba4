#pragma once

#include <vector>

#include "vinculum/motion/matrices.hpp"
#include "vinculum/motion/state_kernels.hpp"
#include "vinculum/solve/pivoted/gauss.hpp"

namespace vinculum::sim {

/// Rows that are not linear in u': A and b linearized at the u' that they maintain.
class NonlinearRows {
 public:
  explicit NonlinearRows(const StateKernels& at);
  NonlinearRows(const NonlinearRows&) = delete;
  NonlinearRows& operator=(const NonlinearRows&) = delete;

  /// A and b of all rows.   \pre `StateKernels::input` is the state of m.
  [[nodiscard]] Outcome<void> settle(Matrices& m);
  /// The branch of accelerations is followed in this memory, which outlives that.
  void remember_in(solve::AccelerationBranch& branch) { gauss_.remember_in(branch); }
  /// The next answer is sought from the last one, accepted at t.
  void follow(double t) { gauss_.follow(t); }
  /// A where the branch was followed from.
  [[nodiscard]] const Matrix& followed_A() const { return gauss_.followed_A(); }

 private:
  void evaluate(const Vector& u_dot, const Vector& weights, Matrix& A, Vector& b, Matrix& H);

  const StateKernels& at_;
  solve::GaussSolve gauss_;
  solve::GaussSolve::Evaluate evaluate_;
  const Matrices* matrices_ = nullptr;              ///< where rows are evaluated
  std::vector<double> input_, result_, workspace_;  ///< of the report kernel
  Vector force_;
};

}  // namespace vinculum::sim

#pragma once

#include <vector>

#include "vinculum/motion/matrices.hpp"
#include "vinculum/motion/state_kernels.hpp"
#include "vinculum/solve/pivoted/gauss.hpp"

namespace vinculum::sim {

/// Handles constraint rows that are nonlinear in u': computes A and b linearized at the u' that satisfies the rows
/// (theory.md §3.4).
class NonlinearRows {
 public:
  explicit NonlinearRows(const StateKernels& at);
  NonlinearRows(const NonlinearRows&) = delete;
  NonlinearRows& operator=(const NonlinearRows&) = delete;

  /// Solves for u' and replaces A and b of m by A and b linearized at this u', for all rows.
  /// \pre `StateKernels::input` is the state of m.
  [[nodiscard]] Outcome<void> settle(Matrices& m);
  /// Sets the memory in which the branch of accelerations is stored. It must outlive later calls.
  void remember_in(solve::AccelerationBranch& branch) { gauss_.remember_in(branch); }
  /// Accepts the last solution, found for time t: the next search begins at its accelerations.
  void follow(double t) { gauss_.follow(t); }
  /// Returns A of the last accepted solution.
  [[nodiscard]] const Matrix& followed_A() const { return gauss_.followed_A(); }

 private:
  void evaluate(const Vector& u_dot, const Vector& weights, Matrix& A, Vector& b, Matrix& H);

  const StateKernels& at_;
  solve::GaussSolve gauss_;
  solve::GaussSolve::Evaluate evaluate_;
  const Matrices* matrices_ = nullptr;              ///< matrices of the state at which rows are evaluated
  std::vector<double> input_, result_, workspace_;  ///< input, output and scratch of the kernel `nonlinear_rows`
  Vector force_;
};

}  // namespace vinculum::sim

#pragma once

#include <cstddef>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

/// Data that solvers which choose among several solutions keep from one call to the next: plain values.
namespace vinculum::solve {

/// Memory of FrictionSolve: the last answer, from which Newton's iteration starts.
struct ReactionMemory {
  Vector last;  ///< [rows of the dependence]
  bool has_last = false;
};

/// Memory of GaussSolve: the branch that accelerations follow.
struct AccelerationBranch {
  struct Answer {
    double t = 0.0;
    Vector u_dot, lambda;
    Matrix A;
  };
  /// The first `followed` entries are answers of the branch, ascending in t; the others are unused storage.
  std::vector<Answer> answers;
  std::size_t followed = 0;
  double size = 1.0;  ///< typical size of accelerations, each times √M_rr
  int sign = 0;       ///< sign of the determinant of Newton's system on this branch
};

/// Memory of ReducedSolve: which speeds follow from which rows. The matrix A_DD [rank×rank] of the rows `rows` and
/// speeds `dependent` is regular.
struct IndependentSpeeds {
  std::vector<int> rows;         ///< [rank]
  std::vector<int> dependent;    ///< [rank]
  std::vector<int> independent;  ///< [nu − rank]
  double growth = 0.0;           ///< largest |∂u_D/∂u_I| in the metric diag M at the time of the choice
  int orientation = 0;           ///< sign of det A_DD at that time
};

}  // namespace vinculum::solve

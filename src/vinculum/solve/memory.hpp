#pragma once

#include <cstddef>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

/// What solvers that choose among several solutions keep from one call to the next: plain values.
namespace vinculum::solve {

/// Of FrictionSolve: the last answer, from which Newton's iteration starts.
struct ReactionMemory {
  Vector last;  ///< [rows of the dependence]
  bool has_last = false;
};

/// Of GaussSolve: the branch that accelerations follow.
struct AccelerationBranch {
  struct Answer {
    double t = 0.0;
    Vector u_dot, lambda;
    Matrix A;
  };
  std::vector<Answer> answers;  ///< ascending in t, the first `followed` of them
  std::size_t followed = 0;
  double size = 1.0;  ///< of accelerations, each times √M_rr
  int sign = 0;       ///< of the determinant of Newton's system
};

/// Of ReducedSolve: which speeds follow from which rows. A_DD [rank×rank] of rows `rows` and speeds `dependent` is
/// regular.
struct IndependentSpeeds {
  std::vector<int> rows;         ///< [rank]
  std::vector<int> dependent;    ///< [rank]
  std::vector<int> independent;  ///< [nu − rank]
  double growth = 0.0;           ///< largest |∂u_D/∂u_I| in the metric of diag M when it was chosen
  int orientation = 0;           ///< sign of det A_DD then
};

}  // namespace vinculum::solve

#pragma once

#include <cstddef>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

/// Memory between calls for solvers that choose one of several solutions. The structs are plain data.
namespace vinculum::solve {

/// Memory of FrictionSolve: the multipliers of the last solution, at which Newton's iteration starts.
struct ReactionMemory {
  Vector last;  ///< [rows] multipliers of the rows on which forces depend (ReactionDependence::rows)
  bool has_last = false;
};

/// Memory of GaussSolve: the branch (one of several solutions) that accelerations follow.
struct AccelerationBranch {
  struct Answer {
    double t = 0.0;
    Vector u_dot, lambda;
    Matrix A;
  };
  /// The first `followed` entries are solutions on the branch, ascending in t; the others are unused storage.
  std::vector<Answer> answers;
  std::size_t followed = 0;
  double size = 1.0;  ///< typical size of accelerations, where u'_r is multiplied by √M_rr
  int sign = 0;       ///< sign of the determinant of Newton's system on this branch
};

/// Memory of ReducedSolve: the choice of dependent speeds and of the rows that determine them. The matrix A_DD
/// [rank×rank] of the rows `rows` and speeds `dependent` is regular.
struct IndependentSpeeds {
  std::vector<int> rows;         ///< [rank] indices of the independent rows
  std::vector<int> dependent;    ///< [rank] indices of the speeds that these rows determine
  std::vector<int> independent;  ///< [nu − rank] indices of the other speeds
  double growth = 0.0;           ///< largest |∂u_D/∂u_I| in the metric diag M at the time of the choice
  int orientation = 0;           ///< sign of det A_DD at that time
};

}  // namespace vinculum::solve

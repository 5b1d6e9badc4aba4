#pragma once

#include <functional>
#include <string>
#include <vector>

/// CVODE of SUNDIALS on any right-hand side.
namespace vinculum::bench {

struct CvodeProblem {
  std::vector<double> y;
  std::function<bool(double t, const double* y, double* y_dot)> derivative;
  std::function<bool(double t, double* y)> project;  ///< onto invariants, after every step; may be empty
};

struct CvodeAnswer {
  std::vector<double> y;
  long steps = 0;
  std::string failure;  ///< empty: it reached the end
};

/// BDF with Newton's iteration, relative and absolute tolerance alike. Without SUNDIALS a failure that says so.
[[nodiscard]] CvodeAnswer run_cvode(const CvodeProblem& problem, double duration, double tolerance);

}  // namespace vinculum::bench

#pragma once

#include <functional>
#include <string>
#include <vector>

/// CVODE of SUNDIALS for any right-hand side.
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

/// BDF method with Newton's iteration; `tolerance` is the relative and the absolute tolerance. If the program was built
/// without SUNDIALS, the answer is a failure that says so.
[[nodiscard]] CvodeAnswer run_cvode(const CvodeProblem& problem, double duration, double tolerance);

}  // namespace vinculum::bench

#include "cvode.hpp"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

namespace vinculum::bench {
namespace {

constexpr int kRecoverable = 1;
constexpr long kMostSteps = 10'000'000;

int derivative(double t, N_Vector y, N_Vector y_dot, void* data) {
  const auto& problem = *static_cast<const CvodeProblem*>(data);
  return problem.derivative(t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot)) ? 0 : kRecoverable;
}

int project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* data) {
  const auto& problem = *static_cast<const CvodeProblem*>(data);
  N_VScale(1.0, y, correction);
  if (!problem.project(t, N_VGetArrayPointer(correction))) return kRecoverable;
  N_VLinearSum(1.0, correction, -1.0, y, correction);
  return 0;
}

/// Owns the objects of SUNDIALS that one integration needs.
struct Solver {
  explicit Solver(const CvodeProblem& problem) {
    if (SUNContext_Create(nullptr, &context) != 0) throw std::runtime_error("no context of SUNDIALS");
    const auto size = static_cast<sunindextype>(problem.y.size());
    y = N_VNew_Serial(size, context);
    std::copy(problem.y.begin(), problem.y.end(), N_VGetArrayPointer(y));
    matrix = SUNDenseMatrix(size, size, context);
    linear = SUNLinSol_Dense(y, matrix, context);
    cvode = CVodeCreate(CV_BDF, context);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() {
    CVodeFree(&cvode);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    SUNContext_Free(&context);
  }

  SUNContext context = nullptr;
  N_Vector y = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  void* cvode = nullptr;
};

}  // namespace

CvodeAnswer run_cvode(const CvodeProblem& problem, double duration, double tolerance) {
  Solver solver(problem);
  CVodeInit(solver.cvode, derivative, 0.0, solver.y);
  CVodeSStolerances(solver.cvode, tolerance, tolerance);
  CVodeSetUserData(solver.cvode, const_cast<CvodeProblem*>(&problem));
  CVodeSetMaxNumSteps(solver.cvode, kMostSteps);
  CVodeSetErrFile(solver.cvode, nullptr);
  CVodeSetStopTime(solver.cvode, duration);
  CVodeSetLinearSolver(solver.cvode, solver.linear, solver.matrix);
  if (problem.project) CVodeSetProjFn(solver.cvode, project);
  double t = 0.0;
  const int status = CVode(solver.cvode, duration, solver.y, &t, CV_NORMAL);
  CvodeAnswer answer;
  CVodeGetNumSteps(solver.cvode, &answer.steps);
  const double* y = N_VGetArrayPointer(solver.y);
  answer.y.assign(y, y + problem.y.size());
  if (status < 0) {
    const std::unique_ptr<char, decltype(&std::free)> name(CVodeGetReturnFlagName(status), &std::free);
    answer.failure = name.get();
  }
  return answer;
}

}  // namespace vinculum::bench

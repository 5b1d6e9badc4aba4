#include "vinculum/motion/accelerations/nonlinear_rows.hpp"

#include <algorithm>
#include <utility>

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

NonlinearRows::NonlinearRows(const StateKernels& at)
    : at_(at),
      gauss_(at.nu, at.nc),
      input_(at.bound->nonlinear_rows.kernel->input_count(), 0.0),
      result_(at.bound->nonlinear_rows.kernel->output_count()),
      workspace_(at.bound->nonlinear_rows.kernel->workspace_size()),
      force_(Vector::Zero(at.nu)) {
  evaluate_ = [this](const Vector& u_dot, const Vector& weights, Matrix& A, Vector& b, Matrix& H) {
    evaluate(u_dot, weights, A, b, H);
  };
  const auto branches =
      std::ranges::count_if(at.compiled->model->constraints, [](const auto& one) { return one.branch.is_valid(); });
  if (branches == 0) return;
  // `result_` has been evaluated at u'. Its last entries are the conditions `branch`; one that is not satisfied is 0.
  gauss_.choose([this, branches](const Vector&) {
    return std::find(result_.end() - branches, result_.end(), 0.0) == result_.end();
  });
}

void NonlinearRows::evaluate(const Vector& u_dot, const Vector& weights, Matrix& A, Vector& b, Matrix& H) {
  const int nu = at_.nu;
  double* const place = input_.data() + 1 + at_.ny;
  std::copy_n(u_dot.data(), nu, place);
  std::copy_n(weights.data(), at_.nc, place + nu);
  at_.bound->nonlinear_rows.evaluate(input_.data(), result_.data(), workspace_.data());
  const double* of_A = result_.data();
  const double* of_b = of_A + at_.compiled->nonlinear.size() * static_cast<std::size_t>(nu);
  A = matrices_->A;
  b = matrices_->b;
  for (const int row : at_.compiled->nonlinear) {
    A.row(row) = Eigen::Map<const Eigen::RowVectorXd>(of_A, nu);
    b[row] = *of_b++;
    of_A += nu;
  }
  H = Eigen::Map<const RowMajor>(of_b, nu, nu);
}

Outcome<void> NonlinearRows::settle(Matrices& m) {
  std::copy_n(at_.input.begin(), 1 + at_.ny, input_.begin());
  matrices_ = &m;
  force_ = m.f + m.C;
  if (auto done = gauss_.solve(at_.input.front(), m.M, force_, evaluate_); !done) {
    Failure failure = done.error();
    failure.t = at_.input.front();
    if (failure.rows.empty()) failure.rows = at_.compiled->nonlinear;
    return fail(std::move(failure));
  }
  m.A = gauss_.A();
  m.b = gauss_.b();
  return {};
}

}  // namespace vinculum::sim

#include "vinculum/motion/accelerations/directed.hpp"

#include <algorithm>

#include "vinculum/motion/matrices.hpp"
#include "vinculum/numeric/semidefinite_mass.hpp"

namespace vinculum::sim {

Directed::Directed(const equations::System& system)
    : solve_(system),
      ideal_(system.nu(), static_cast<int>(solve_.ideal().size())),
      A_(Matrix::Zero(static_cast<Eigen::Index>(solve_.ideal().size()), system.nu())),
      certainty_(Vector::Ones(A_.rows())),
      doubt_(Vector::Zero(A_.rows())),
      completed_(Matrix::Zero(system.nu(), system.nu())),
      force_(Vector::Zero(system.nu())) {
  for (int row = 0; row < system.nc(); ++row) {
    if (std::ranges::find(solve_.ideal(), row) == solve_.ideal().end()) kept_.push_back(row);
  }
  kept_A_ = Matrix::Zero(static_cast<Eigen::Index>(kept_.size()), system.nu());
  weights_ = Vector::Zero(kept_A_.rows());
}

Outcome<void> Directed::factor(const Matrices& at, double defect) {
  const std::vector<int>& rows = solve_.ideal();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    A_.row(static_cast<Eigen::Index>(i)) = at.A.row(rows[i]);
    certainty_[static_cast<Eigen::Index>(i)] = at.certainty[rows[i]];
    doubt_[static_cast<Eigen::Index>(i)] = at.doubt[rows[i]];
  }
  auto done = ideal_.factor(at.M, A_, certainty_, defect);
  is_completed_ = !done && done.error().kind == FailureKind::kUndetermined;
  if (is_completed_) {
    for (std::size_t i = 0; i < kept_.size(); ++i) kept_A_.row(static_cast<Eigen::Index>(i)) = at.A.row(kept_[i]);
    numeric::semidefinite_weights(at.M, kept_A_, weights_);
    completed_ = at.M;
    numeric::add_weighted_rows(kept_A_, weights_, completed_);
    done = ideal_.factor(completed_, A_, certainty_, defect);
  }
  if (!done) return done;
  ideal_.set_doubt(doubt_);
  solve_.set_doubt(at.doubt);
  return solve_.factor(ideal_.solver(), is_completed_ ? completed_ : at.M, at.A, at.Gamma);
}

Outcome<void> Directed::solve(const Matrices&, double, ConstVector force, ConstVector b, SolvedMotion& found) {
  force_ = force;
  if (is_completed_) {
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      force_ += kept_A_.row(row).transpose() * (weights_[row] * b[kept_[i]]);
    }
  }
  if (auto done = solve_.solve(ideal_.solver(), force_, b, solution_); !done) return done;
  found.u = solution_.u;
  found.lambda = solution_.lambda;
  found.Q = solution_.Q;
  found.effort = solution_.effort;
  return {};
}

Matrix Directed::indeterminate_multipliers(int nc) {
  const Matrix of_ideal = ideal_.solver().left_null_space();
  Matrix N = Matrix::Zero(nc, of_ideal.cols());
  const std::vector<int>& rows = solve_.ideal();
  for (std::size_t i = 0; i < rows.size(); ++i) N.row(rows[i]) = of_ideal.row(static_cast<Eigen::Index>(i));
  return N;
}

std::vector<char> Directed::unique(int nc) {
  std::vector<char> all(static_cast<std::size_t>(nc), 1);
  const std::vector<int>& rows = solve_.ideal();
  for (std::size_t i = 0; i < rows.size(); ++i) all[static_cast<std::size_t>(rows[i])] = ideal_.solver().unique()[i];
  return all;
}

}  // namespace vinculum::sim

#include "vinculum/sim/plant/accelerations/directed.hpp"

#include "vinculum/sim/plant/dynamics.hpp"

namespace vinculum::sim {

Directed::Directed(const dynamics::System& system)
    : solve_(system),
      ideal_(system.nu(), static_cast<int>(solve_.ideal().size())),
      A_(Matrix::Zero(static_cast<Eigen::Index>(solve_.ideal().size()), system.nu())),
      certainty_(Vector::Ones(A_.rows())),
      doubt_(Vector::Zero(A_.rows())) {}

Outcome<void> Directed::factor(const Matrices& at, double defect) {
  const std::vector<int>& rows = solve_.ideal();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    A_.row(static_cast<Eigen::Index>(i)) = at.A.row(rows[i]);
    certainty_[static_cast<Eigen::Index>(i)] = at.certainty[rows[i]];
    doubt_[static_cast<Eigen::Index>(i)] = at.doubt[rows[i]];
  }
  if (auto done = ideal_.factor(at.M, A_, certainty_, defect); !done) return done;
  ideal_.set_doubt(doubt_);
  return solve_.factor(ideal_.solver(), at.M, at.A, at.Gamma);
}

Outcome<void> Directed::solve(const Matrices&, double, ConstVector force, ConstVector b, SolvedMotion& found) {
  if (auto done = solve_.solve(ideal_.solver(), force, b, solution_); !done) return done;
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

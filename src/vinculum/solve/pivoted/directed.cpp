#include "vinculum/solve/pivoted/directed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;

std::vector<char> directed_flags(const equations::System& system) {
  std::vector<char> flags(system.rows.size(), 0);
  for (const equations::DirectedReaction& reaction : system.directed) {
    for (int k = 0; k < reaction.row_count; ++k) flags[static_cast<std::size_t>(reaction.first_row + k)] = 1;
  }
  return flags;
}

std::vector<int> rows_of_flag(const equations::System& system, char wanted) {
  const std::vector<char> flags = directed_flags(system);
  std::vector<int> rows;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == wanted) rows.push_back(static_cast<int>(i));
  }
  return rows;
}

/// Σ x_j²/M_jj over the coordinates with mass: the acceleration along x by a unit force along x, if only the diagonal
/// of M counts.
Expr squared_length(const equations::System& system, const std::vector<Expr>& x) {
  Expr sum = system.graph->constant(0.0);
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Expr mass = system.M[j * x.size() + j];
    if (!mass.is_zero()) sum += x[j] * x[j] / mass;
  }
  return sum;
}
double squared_length(ConstMatrix M, const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& x) {
  double sum = 0.0;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    if (M(j, j) > 0.0) sum += x[j] * x[j] / M(j, j);
  }
  return sum;
}

/// The z of least norm with S z = r, as expressions. The rows of S are orthogonalized twice (Gram–Schmidt).
class SymbolicLeastNorm {
 public:
  SymbolicLeastNorm(expr::Graph& graph, std::vector<std::vector<Expr>> S) : graph_(graph), S_(std::move(S)) {
    const std::size_t rows = S_.size();
    R_.assign(rows, std::vector<Expr>(rows, graph_.constant(0.0)));
    for (std::size_t i = 0; i < rows; ++i) {
      std::vector<Expr> v = S_[i];
      for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t j = 0; j < i; ++j) {
          const Expr share = dot(Q_[j], v);
          R_[j][i] += share;
          for (std::size_t k = 0; k < v.size(); ++k) v[k] -= share * Q_[j][k];
        }
      }
      pivots2_.push_back(dot(v, v));
      R_[i][i] = expr::square_root(pivots2_.back());
      for (Expr& entry : v) entry = entry / R_[i][i];
      Q_.push_back(std::move(v));
    }
  }
  [[nodiscard]] Expr pivot2(std::size_t i) const { return pivots2_[i]; }
  [[nodiscard]] std::vector<Expr> solve(const std::vector<Expr>& r) const {
    std::vector<Expr> y(r.size()), z(Q_.empty() ? 0 : Q_[0].size(), graph_.constant(0.0));
    for (std::size_t i = 0; i < r.size(); ++i) {
      Expr sum = r[i];
      for (std::size_t j = 0; j < i; ++j) sum -= R_[j][i] * y[j];
      y[i] = sum / R_[i][i];
      for (std::size_t k = 0; k < z.size(); ++k) z[k] += Q_[i][k] * y[i];
    }
    return z;
  }

 private:
  [[nodiscard]] Expr dot(const std::vector<Expr>& a, const std::vector<Expr>& b) const {
    Expr sum = graph_.constant(0.0);
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  }
  expr::Graph& graph_;
  std::vector<std::vector<Expr>> S_, Q_, R_;
  std::vector<Expr> pivots2_;
};

}  // namespace

std::vector<int> ideal_rows(const equations::System& system) { return rows_of_flag(system, 0); }
std::vector<int> directed_rows(const equations::System& system) { return rows_of_flag(system, 1); }

std::vector<std::vector<Expr>> effort_directions(const equations::System& system) {
  std::vector<std::vector<Expr>> all;
  for (const equations::DirectedReaction& reaction : system.directed) {
    VINCULUM_EXPECTS(reaction.first_effort == static_cast<int>(all.size()));
    all.insert(all.end(), reaction.Gamma.begin(), reaction.Gamma.end());
  }
  VINCULUM_EXPECTS(all.size() == system.effort.size());
  return all;
}

Vector effort_scales(const equations::System& system) {
  std::vector<double> all;
  for (const equations::DirectedReaction& reaction : system.directed) {
    all.insert(all.end(), reaction.scale.begin(), reaction.scale.end());
  }
  return Eigen::Map<const Vector>(all.data(), static_cast<Eigen::Index>(all.size()));
}

Acceleration directed_acceleration(const equations::System& system, const solve::StaticStructure& structure,
                                   const equations::ArticulatedMotion* tree, int refinements) {
  expr::Graph& graph = *system.graph;
  const Expr zero = graph.constant(0.0);
  Acceleration motion = acceleration_of_rows(system, ideal_rows(system), structure, tree, refinements);
  motion.lambda.clear();  // the multipliers found so far exclude the effect of the efforts
  const solve::StaticLdlt ldlt = kept_ldlt(system, ideal_rows(system), structure);
  const std::vector<std::vector<Expr>> Gamma = effort_directions(system);
  const std::vector<Expr> no_b(kept_count(structure), zero);
  const std::vector<int> rows = directed_rows(system);
  const Vector scale = effort_scales(system);

  std::vector<std::vector<Expr>> R;  // [efforts][nu] accelerations by a unit of each effort
  for (const std::vector<Expr>& direction : Gamma) {
    solve::StaticSolution response = ldlt.solve(direction, no_b, refinements);
    motion.guards.residual = expr::maximum(motion.guards.residual, response.residual);
    motion.guards.contraction = expr::maximum(motion.guards.contraction, response.contraction);
    R.push_back(std::move(response.u));
  }
  std::vector<std::vector<Expr>> S(rows.size(), std::vector<Expr>(R.size(), zero));
  std::vector<Expr> size2(rows.size(), zero);
  Expr reach2 = zero;
  for (std::size_t k = 0; k < R.size(); ++k) {
    const double unit = scale[static_cast<Eigen::Index>(k)];
    reach2 += unit * unit * squared_length(system, Gamma[k]);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const expr::SparseRow& A = system.rows[static_cast<std::size_t>(rows[i])].A;
    size2[i] = squared_length(system, A.dense()) * reach2;
    for (std::size_t k = 0; k < R.size(); ++k) {
      for (const auto& [j, entry] : A) S[i][k] += entry * R[k][j];
      S[i][k] = S[i][k] * scale[static_cast<Eigen::Index>(k)];
    }
  }
  const SymbolicLeastNorm response(graph, S);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    motion.guards.contraction =
        expr::maximum(motion.guards.contraction, tolerance::kWeakRow * size2[i] - response.pivot2(i));
  }

  // The second pass corrects the solution. Efforts are divided by their scales, as in S.
  std::vector<Expr> effort(R.size(), zero);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<Expr> missed;
    for (const int row : rows) {
      const equations::Row& r = system.rows[static_cast<std::size_t>(row)];
      Expr sum = r.b;
      for (const auto& [j, entry] : r.A) sum -= entry * motion.u_dot[j];
      missed.push_back(sum);
    }
    const std::vector<Expr> z = response.solve(missed);
    for (std::size_t k = 0; k < z.size(); ++k) {
      effort[k] += z[k];
      const Expr share = z[k] * scale[static_cast<Eigen::Index>(k)];
      for (std::size_t j = 0; j < R[k].size(); ++j) motion.u_dot[j] += R[k][j] * share;
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const equations::Row& r = system.rows[static_cast<std::size_t>(rows[i])];
    Expr missed = r.b, size = expr::absolute(r.b) + tolerance::kLeast;
    for (const auto& [j, entry] : r.A) {
      const Expr part = entry * motion.u_dot[j];
      missed -= part;
      size += expr::absolute(part);
    }
    for (std::size_t k = 0; k < effort.size(); ++k) size += expr::absolute(S[i][k] * effort[k]);
    motion.guards.residual = expr::maximum(motion.guards.residual, expr::absolute(missed) - tolerance::kZero * size);
  }
  return motion;
}

DirectedSolve::DirectedSolve(const equations::System& system)
    : nu_(system.nu()),
      nc_(system.nc()),
      count_(static_cast<int>(system.effort.size())),
      ideal_(ideal_rows(system)),
      directed_(directed_rows(system)),
      own_effort_(system.rows.size(), -1),
      scale_(effort_scales(system)),
      A_d_(Matrix::Zero(static_cast<Eigen::Index>(directed_.size()), nu_)),
      reaction_(Matrix::Zero(nu_, count_)),
      R_(Matrix::Zero(nu_, count_)),
      Lambda_(Matrix::Zero(static_cast<Eigen::Index>(ideal_.size()), count_)),
      row_scale_(Vector::Ones(A_d_.rows())),
      doubt_(Vector::Zero(nc_)),
      response_(count_, static_cast<int>(directed_.size())),
      zero_u_(Vector::Zero(nu_)),
      zero_b_(Vector::Zero(static_cast<Eigen::Index>(ideal_.size()))),
      b_i_(zero_b_),
      c_(Vector::Zero(A_d_.rows())),
      y_(Vector::Zero(std::max<Eigen::Index>(count_, A_d_.rows()))),
      part_{zero_u_, zero_b_, zero_u_} {
  for (const equations::DirectedReaction& reaction : system.directed) {
    const model::Law& law = *system.model->constraint(reaction.constraint).law;
    if (law.has_named_actuators()) continue;
    for (int k = 0; k < reaction.row_count; ++k) {
      own_effort_[static_cast<std::size_t>(reaction.first_row + k)] = reaction.first_effort + k;
    }
  }
}

Outcome<void> DirectedSolve::factor(solve::ConstrainedSolve& ideal, ConstMatrix M, ConstMatrix A, ConstMatrix Gamma) {
  for (std::size_t i = 0; i < directed_.size(); ++i) A_d_.row(static_cast<Eigen::Index>(i)) = A.row(directed_[i]);
  for (int k = 0; k < count_; ++k) {
    zero_u_ = Gamma.row(k).transpose();  // temporary storage of the column
    if (auto done = ideal.solve(zero_u_, zero_b_, part_); !done) return done;
    R_.col(k) = part_.u;
    Lambda_.col(k) = part_.lambda;
    reaction_.col(k) = zero_u_ + part_.Q;
  }
  zero_u_.setZero();
  double reach2 = 0.0;
  for (int k = 0; k < count_; ++k) reach2 += scale_[k] * scale_[k] * squared_length(M, Gamma.row(k));
  const auto rows = static_cast<int>(directed_.size());
  for (int i = 0; i < rows; ++i) {
    const double size2 = squared_length(M, A_d_.row(i)) * reach2;
    row_scale_[i] = size2 > 0.0 ? 1.0 / std::sqrt(size2) : 1.0;
    auto column = response_.column(i);
    for (int k = 0; k < count_; ++k) {
      double sum = 0.0;
      for (int j = 0; j < nu_; ++j) sum += A_d_(i, j) * R_(j, k);
      column[k] = row_scale_[i] * scale_[k] * sum;
    }
  }
  response_.factor(tolerance::kRounding);
  rank_ = 0;
  while (rank_ < response_.rank() && std::abs(response_.R(rank_, rank_)) > tolerance::kDerivedRank) ++rank_;
  if (rank_ == rows || missing_rank(ideal) == 0) return {};
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  const std::vector<int>& order = response_.permutation();
  for (int k = rank_; k < rows; ++k)
    failure.rows.push_back(directed_[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])]);
  failure.message = "the efforts cannot keep their constraint here";
  return fail(std::move(failure));
}

/// Number of servo constraints that forces along their own gradients could influence, but the efforts cannot. It is the
/// rank of the response to such forces minus the rank of the response to the efforts.
int DirectedSolve::missing_rank(solve::ConstrainedSolve& ideal) const {
  const auto rows = static_cast<int>(directed_.size());
  numeric::PivotedQr own(rows, rows);
  solve::Solution response;
  Matrix S(rows, rows);
  Vector length(rows);
  for (int k = 0; k < rows; ++k) {
    const Vector gradient = A_d_.row(k).transpose();
    if (!ideal.solve(gradient, Vector::Zero(static_cast<Eigen::Index>(ideal_.size())), response)) return 1;
    S.col(k) = A_d_ * response.u;
    length[k] =
        std::sqrt(std::max(A_d_.row(k).cwiseAbs().dot(response.u.cwiseAbs()), std::numeric_limits<double>::min()));
  }
  for (int k = 0; k < rows; ++k) {
    for (int i = 0; i < rows; ++i) own.column(k)[i] = S(i, k) / (length[i] * length[k]);
  }
  own.factor(tolerance::kDerivedRank);
  int rank = 0;
  while (rank < own.rank() && std::abs(own.R(rank, rank)) > tolerance::kDerivedRank) ++rank;
  return rank - rank_;
}

double DirectedSolve::weakest_response() const {
  return rank_ == 0 ? 0.0 : std::abs(response_.R(rank_ - 1, rank_ - 1));
}

int DirectedSolve::weakest_row() const {
  return directed_[static_cast<std::size_t>(response_.permutation()[static_cast<std::size_t>(std::max(rank_ - 1, 0))])];
}

/// Adds the efforts of least Σ (e/scale)² that remove the residual c = row_scale (b_d − A_d u), and the motion that
/// they cause.
void DirectedSolve::add_efforts(DirectedSolution& solution) {
  const std::vector<int>& order = response_.permutation();
  y_.setZero();
  for (int k = 0; k < rank_; ++k) {
    double value = c_[order[static_cast<std::size_t>(k)]];
    for (int i = 0; i < k; ++i) value -= response_.R(i, k) * y_[i];
    y_[k] = value / response_.R(k, k);
  }
  response_.multiply_Q(y_.data());
  for (int k = 0; k < count_; ++k) {
    const double effort = scale_[k] * y_[k];
    solution.effort[k] += effort;
    solution.u += effort * R_.col(k);
    solution.Q += effort * reaction_.col(k);
    for (std::size_t i = 0; i < ideal_.size(); ++i) {
      solution.lambda[ideal_[i]] += effort * Lambda_(static_cast<Eigen::Index>(i), k);
    }
  }
}

Outcome<void> DirectedSolve::solve(solve::ConstrainedSolve& ideal, ConstVector f, ConstVector b,
                                   DirectedSolution& solution) {
  for (std::size_t i = 0; i < ideal_.size(); ++i) b_i_[static_cast<Eigen::Index>(i)] = b[ideal_[i]];
  if (auto done = ideal.solve(f, b_i_, part_); !done) {
    for (int& row : done.error().rows) row = ideal_[static_cast<std::size_t>(row)];
    return done;
  }
  solution.u = part_.u;
  solution.Q = part_.Q;
  solution.lambda.setZero(nc_);
  solution.effort.setZero(count_);
  for (std::size_t i = 0; i < ideal_.size(); ++i)
    solution.lambda[ideal_[i]] = part_.lambda[static_cast<Eigen::Index>(i)];
  const auto rows = static_cast<int>(directed_.size());
  double doubt = 0.0;  // uncertainty of all rows in the units of c, because each may contribute to the residual
  for (int i = 0; i < rows; ++i) doubt += row_scale_[i] * doubt_[directed_[static_cast<std::size_t>(i)]];
  double worst = 0.0, missed_by = 0.0, largest = 0.0;
  int worst_row = -1;
  for (int pass = 0; pass < 3; ++pass) {
    worst = 0.0;
    worst_row = -1;
    for (int i = 0; i < rows; ++i) {
      const double asked = b[directed_[static_cast<std::size_t>(i)]];
      double missed = asked, size = std::abs(asked) + tolerance::kLeast;
      for (int j = 0; j < nu_; ++j) {
        const double part = A_d_(i, j) * solution.u[j];
        missed -= part;
        size += std::abs(part) + std::abs(A_d_(i, j) * part_.u[j]);
      }
      // The effects of efforts may cancel in a row; their rounding errors are not a contradiction.
      for (int k = 0; k < count_; ++k) size += std::abs(solution.effort[k] * A_d_.row(i).dot(R_.col(k)));
      c_[i] = row_scale_[i] * missed;
      // The efforts for one row contain rounding errors of the larger efforts for another row.
      largest = std::max(largest, row_scale_[i] * size);
      if (!(std::abs(c_[i]) <= doubt + tolerance::kPerStep * largest) && !(std::abs(missed) <= worst * size)) {
        worst = std::abs(missed) / size;
        worst_row = i;
        missed_by = std::abs(missed);
      }
    }
    if (pass < 2) add_efforts(solution);
  }
  if (worst_row >= 0 && !(worst <= tolerance::kConsistency)) {
    Failure failure;
    failure.kind = FailureKind::kInconsistent;
    failure.rows = {directed_[static_cast<std::size_t>(worst_row)]};
    failure.size = missed_by;
    failure.message = "a constraint kept by efforts contradicts others";
    return fail(std::move(failure));
  }
  for (std::size_t i = 0; i < own_effort_.size(); ++i) {
    if (own_effort_[i] >= 0) solution.lambda[static_cast<Eigen::Index>(i)] = solution.effort[own_effort_[i]];
  }
  return {};
}

}  // namespace vinculum::solve

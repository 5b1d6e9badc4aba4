#include "support/numeric/ideal_reaction.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/cholesky.hpp"
#include "vinculum/numeric/finite.hpp"
#include "vinculum/numeric/rank.hpp"
#include "vinculum/numeric/semidefinite_mass.hpp"

namespace vinculum::numeric {
namespace {

Failure non_finite(std::vector<int> rows, std::vector<int> coordinates) {
  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.message = "the equations of motion contain a value that is not finite";
  failure.rows = std::move(rows);
  failure.coordinates = std::move(coordinates);
  return failure;
}

/// Shared by both reactions: the metric (M, or H if M is singular) and the decomposition of B = D A L⁻ᵀ.
class Decomposition {
 public:
  static Outcome<Decomposition> make(ConstMatrix M, ConstMatrix A) {
    Decomposition result;
    result.A_ = A;
    result.W_ = Vector::Zero(A.rows());
    Matrix H = M;
    Cholesky probe(static_cast<int>(M.rows()));
    if (probe.factor(H, tolerance::kWeakMass) >= 0) {
      semidefinite_weights(M, A, result.W_);
      add_weighted_rows(A, result.W_, H);
      const int pivot = probe.factor(H, Cholesky::rounding(static_cast<int>(M.rows())));
      if (pivot >= 0) return fail(undetermined_motion(M, A, pivot));
    }
    result.L_ = H.llt().matrixL();
    if (A.size() == 0) {
      result.D_ = result.has_effect_ = Vector::Zero(A.rows());
      return result;
    }
    Matrix B = result.L_.triangularView<Eigen::Lower>().solve(Matrix(A.transpose())).transpose();
    Vector lengths = B.rowwise().norm();
    result.D_.resize(A.rows());
    equilibrate_rows(lengths, result.D_);
    result.has_effect_ = (lengths.array() > 0.0).cast<double>();
    B = result.D_.cwiseProduct(result.has_effect_).asDiagonal() * B;
    result.B_.setThreshold(rank_threshold(tolerance::kRank, static_cast<int>(M.rows()), static_cast<int>(A.rows())));
    result.B_.compute(B);
    return result;
  }

  Outcome<IdealReaction> solve(ConstVector f, ConstVector b, double tol) const {
    IdealReaction result;
    const auto L = L_.triangularView<Eigen::Lower>();
    const Vector h = f + A_.transpose() * W_.cwiseProduct(b);
    const Vector a = L.transpose().solve(L.solve(h));
    const Vector e = b - A_ * a;
    Vector x = Vector::Zero(f.size());
    result.lambda = Vector::Zero(b.size());
    if (A_.size() > 0) {
      x = B_.solve(D_.cwiseProduct(has_effect_).cwiseProduct(e));
      result.lambda = D_.cwiseProduct(Vector(B_.transpose().solve(x)));
      result.rank = static_cast<int>(B_.rank());
    }
    result.u_dot = a + L.transpose().solve(x);
    const Vector residual = b - A_ * result.u_dot;
    const Vector scale = b.cwiseAbs() + A_.cwiseAbs() * (a.cwiseAbs() + result.u_dot.cwiseAbs());
    std::vector<int> rows;
    for (Eigen::Index i = 0; i < b.size(); ++i) {
      if (std::abs(residual[i]) > tol * scale[i]) rows.push_back(static_cast<int>(i));
    }
    if (!rows.empty()) {
      std::sort(rows.begin(), rows.end(),
                [&](int i, int j) { return std::abs(D_[i] * residual[i]) > std::abs(D_[j] * residual[j]); });
      Failure failure;
      failure.kind = FailureKind::kInconsistent;
      failure.size = std::abs(residual[rows.front()]);
      failure.message = fmt::format("the constraints contradict each other by {:.3g}", failure.size);
      failure.rows = std::move(rows);
      return fail(std::move(failure));
    }
    result.Q_ideal = L_ * x;
    return result;
  }

 private:
  Matrix A_, L_;
  Vector W_, D_, has_effect_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> B_;
};

std::optional<Failure> find_non_finite(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b) {
  if (!is_lower_triangle_finite(M)) return non_finite({}, non_finite_rows(M));
  if (!is_finite(f)) return non_finite({}, non_finite_rows(f));
  if (!is_finite(A)) return non_finite(non_finite_rows(A), {});
  if (!is_finite(b)) return non_finite(non_finite_rows(b), {});
  return std::nullopt;
}

void check_shapes(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b, double tol) {
  VINCULUM_EXPECTS(M.rows() == M.cols() && f.size() == M.rows());
  VINCULUM_EXPECTS(A.cols() == M.rows() && b.size() == A.rows());
  VINCULUM_EXPECTS(tol > 0.0);
}

}  // namespace

IdealReactionResult ideal_reaction(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b, double tol) {
  check_shapes(M, f, A, b, tol);
  if (auto failure = find_non_finite(M, f, A, b)) return fail(std::move(*failure));
  const auto decomposition = Decomposition::make(M, A);
  if (!decomposition) return fail(decomposition.error());
  return decomposition->solve(f, b, tol);
}

NonidealReactionResult nonideal_reaction(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b, ConstVector C,
                                         double tol) {
  check_shapes(M, f, A, b, tol);
  VINCULUM_EXPECTS(C.size() == f.size());
  if (auto failure = find_non_finite(M, f, A, b)) return fail(std::move(*failure));
  if (!is_finite(C)) return fail(non_finite({}, non_finite_rows(C)));
  const auto decomposition = Decomposition::make(M, A);
  if (!decomposition) return fail(decomposition.error());
  const auto ideal = decomposition->solve(f, b, tol);
  if (!ideal) return fail(ideal.error());
  const auto answer_to_C = decomposition->solve(C, Vector::Zero(b.size()), tol);
  if (!answer_to_C) return fail(answer_to_C.error());
  NonidealReaction result;
  result.u_dot = ideal->u_dot + answer_to_C->u_dot;
  result.Q_ideal = ideal->Q_ideal;
  result.Q_nonideal = C + answer_to_C->Q_ideal;
  result.lambda_ideal = ideal->lambda;
  result.lambda = ideal->lambda + answer_to_C->lambda;
  result.rank = ideal->rank;
  return result;
}

}  // namespace vinculum::numeric

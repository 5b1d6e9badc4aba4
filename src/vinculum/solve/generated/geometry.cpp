#include "vinculum/solve/generated/geometry.hpp"

#include "vinculum/numeric/cholesky.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/numeric/pivoted_qr.hpp"
#include "vinculum/numeric/rank.hpp"
#include "vinculum/numeric/semidefinite_mass.hpp"

namespace vinculum::solve {
namespace {

using numeric::Cholesky;

constexpr double kHeavier = 4.0;
constexpr int kMostHeavier = 40;

/// True if ZᵀMZ is positive definite, where Z is a basis of ker A. Then H = M + AᵀWA is positive definite for all
/// sufficiently large W, also for an M that is not semidefinite (Finsler's lemma).
bool is_definite_on_kernel(ConstMatrix M, ConstMatrix A) {
  Vector unit = M.diagonal().cwiseAbs().cwiseSqrt();
  for (double& one : unit) one = one > 0.0 ? 1.0 / one : 1.0;
  const Matrix Z = numeric::null_space(A * unit.asDiagonal(), tolerance::kRank);
  const Matrix scaled = unit.asDiagonal() * Matrix(Matrix(M).selfadjointView<Eigen::Lower>()) * unit.asDiagonal();
  Cholesky mass(static_cast<int>(Z.cols()));
  return mass.factor(Z.transpose() * scaled * Z, Cholesky::rounding(static_cast<int>(Z.cols()))) < 0;
}

/// Solves for the free motion, and leaves in `mass` the factor L of M or, if M is not positive definite, of H.
Outcome<FreeMotion> factor_free(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b, Cholesky& mass) {
  const int nu = static_cast<int>(M.rows());
  FreeMotion free{f, false};
  if (mass.factor(M, Cholesky::rounding(nu)) >= 0) {
    free.is_mass_singular = true;
    Vector W = Vector::Zero(A.rows());
    numeric::semidefinite_weights(M, A, W);
    for (int heavier = 0;; ++heavier, W *= kHeavier) {
      Matrix H = M;
      numeric::add_weighted_rows(A, W, H);
      const int pivot = mass.factor(H, Cholesky::rounding(nu));
      if (pivot < 0) break;
      if (heavier == kMostHeavier || (heavier == 0 && !is_definite_on_kernel(M, A)))
        return fail(numeric::undetermined_motion(M, A, pivot));
    }
    free.a += A.transpose() * W.cwiseProduct(b);
  }
  mass.solve_lower(free.a.data());
  mass.solve_lower_transposed(free.a.data());
  return free;
}

/// B⁺ by a pivoted QR of Bᵀ with columns scaled to unit length.
class PseudoInverse {
 public:
  PseudoInverse(const Matrix& B, double tol_rank)
      : nu_(B.cols()), scale_(B.rows()), qr_(static_cast<int>(B.cols()), static_cast<int>(B.rows())) {
    const Vector lengths = B.rowwise().norm();
    numeric::equilibrate_rows(lengths, scale_);
    for (Eigen::Index i = 0; i < B.rows(); ++i) {
      if (lengths[i] == 0.0) scale_[i] = 0.0;
      qr_.column(static_cast<int>(i)) = scale_[i] * B.row(i).transpose();
    }
    qr_.factor(numeric::rank_threshold(tol_rank, static_cast<int>(B.cols()), static_cast<int>(B.rows())));
  }
  [[nodiscard]] int rank() const { return qr_.rank(); }
  /// [nu × rank] Orthonormal basis of range Bᵀ.
  [[nodiscard]] Matrix range() const {
    Matrix Q = Matrix::Identity(nu_, qr_.rank());
    for (Eigen::Index j = 0; j < Q.cols(); ++j) qr_.multiply_Q(Q.col(j).data());
    return Q;
  }
  /// The x of least length with B x = r.   \pre a solution exists.
  [[nodiscard]] Vector operator()(const Vector& r) const {
    Vector x = Vector::Zero(nu_);
    for (int k = 0; k < qr_.rank(); ++k) {
      const int row = qr_.permutation()[static_cast<std::size_t>(k)];
      x[k] = scale_[row] * r[row];
    }
    qr_.solve_R_transposed(x.data());
    qr_.multiply_Q(x.data());
    return x;
  }

 private:
  Eigen::Index nu_;
  Vector scale_;
  numeric::PivotedQr qr_;
};

}  // namespace

Outcome<FreeMotion> free_motion(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b) {
  Cholesky mass(static_cast<int>(M.rows()));
  return factor_free(M, f, A, b, mass);
}

Outcome<Geometry> geometry(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b, double tol_rank) {
  Cholesky mass(static_cast<int>(M.rows()));
  auto free = factor_free(M, f, A, b, mass);
  if (!free) return fail(std::move(free.error()));
  Geometry g;
  g.free = *std::move(free);
  g.L = mass.L().triangularView<Eigen::Lower>();
  Matrix scaled_rows = A.transpose();  // becomes L⁻¹ Aᵀ
  for (Eigen::Index i = 0; i < scaled_rows.cols(); ++i) mass.solve_lower(scaled_rows.col(i).data());
  g.B = scaled_rows.transpose();
  const PseudoInverse inverse(g.B, tol_rank);
  g.rank = inverse.rank();
  const Matrix range = inverse.range();
  g.T = range * range.transpose();
  g.N = Matrix::Identity(M.rows(), M.rows()) - g.T;
  g.e = b - A * g.free.a;
  g.a_s = g.scaled_acceleration(g.free.a);
  g.B_e = inverse(g.e);
  g.B_b = inverse(b);
  g.Q_ideal = g.L * g.B_e;
  return g;
}

Vector Geometry::scaled_acceleration(ConstVector u_dot) const { return L.transpose() * u_dot; }

Vector Geometry::scaled_force(ConstVector C) const { return L.triangularView<Eigen::Lower>().solve(C); }

}  // namespace vinculum::solve

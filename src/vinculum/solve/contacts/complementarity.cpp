#include "vinculum/solve/contacts/complementarity.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::solve {
namespace {

constexpr int kMostChanges = 20;  // most changes of the active set per unknown; more mean that rounding errors decide
constexpr int kMostPivots = 50;   // most pivots of Lemke's method per unknown
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Follows the minimum of ½ xᵀG x + b·x over x ≥ 0. The columns of G that belong to the free set, the x_i that may be
/// positive, are always linearly independent.
class ActiveSet {
 public:
  ActiveSet(const Matrix& G, const Vector& b, double noise) : G_(G), b_(b), x_(Vector::Zero(b.size())), noise_(noise) {}

  /// \returns false if no solution exists.
  bool solve() {
    int changes = kMostChanges * static_cast<int>(b_.size() + 1);
    while (changes-- > 0) {
      const Eigen::Index next = most_violated();
      if (next < 0) return true;
      if (!release(next)) return false;
    }
    return false;
  }
  [[nodiscard]] const Vector& x() const { return x_; }
  [[nodiscard]] Vector w() const { return G_ * x_ + b_; }
  /// Largest absolute value of w_i that counts as 0.
  [[nodiscard]] double tolerance_of_w() const {
    const double size = std::max(b_.lpNorm<Eigen::Infinity>(), x_.lpNorm<Eigen::Infinity>());
    return std::max(tolerance::kIdentity * size, noise_);
  }

 private:
  [[nodiscard]] bool is_free(Eigen::Index i) const { return std::ranges::find(free_, i) != free_.end(); }

  /// Index of the smallest w_i < 0, or −1.
  [[nodiscard]] Eigen::Index most_violated() const {
    const Vector w_now = w();
    Eigen::Index worst = -1;
    double least = -tolerance_of_w();
    for (Eigen::Index i = 0; i < b_.size(); ++i) {
      if (is_free(i) || !(w_now[i] < least) || std::ranges::find(accepted_, i) != accepted_.end()) continue;
      least = w_now[i];
      worst = i;
    }
    return worst;
  }

  /// Increases x_i until w_i = 0, while w = 0 on the free set. An x_j that becomes 0 leaves the free set.
  bool release(Eigen::Index i) {
    while (true) {
      const auto count = static_cast<Eigen::Index>(free_.size());
      Vector rate(count);  // change of the free x per unit of x_i
      double w_rate = G_(i, i), w = b_[i] + G_.row(i).dot(x_);
      if (count > 0) {
        const Eigen::LDLT<Matrix> factor(Matrix(G_(free_, free_)));
        rate = -factor.solve(Vector(G_(free_, i)));
        w_rate += G_(i, free_).dot(rate);
      }
      const bool is_dependent = w_rate <= tolerance::kDerivedRank;
      // w_i of a dependent row is a sum of the w of the free set, so their rounding errors add up.
      if (is_dependent && -w <= tolerance_of_w() * (1.0 + rate.lpNorm<1>())) {
        accepted_.push_back(i);
        return true;
      }
      double step = is_dependent ? kInfinite : std::max(-w, 0.0) / w_rate;
      Eigen::Index leaves = -1;
      for (Eigen::Index k = 0; k < count; ++k) {
        if (!(rate[k] < (is_dependent ? -tolerance::kDerivedRank : 0.0)) || !(x_[free_at(k)] < -rate[k] * step))
          continue;
        step = x_[free_at(k)] / -rate[k];
        leaves = k;
      }
      if (step == kInfinite) return false;
      for (Eigen::Index k = 0; k < count; ++k) x_[free_at(k)] = std::max(0.0, x_[free_at(k)] + step * rate[k]);
      x_[i] += step;
      accepted_.clear();
      if (leaves < 0) {
        free_.push_back(i);
        polish();
        return true;
      }
      x_[free_at(leaves)] = 0.0;
      free_.erase(free_.begin() + leaves);
    }
  }

  /// Computes x from its free set, to remove the rounding errors of the steps.
  void polish() {
    const Eigen::LDLT<Matrix> factor(Matrix(G_(free_, free_)));
    const Vector exact = factor.solve(Vector(-b_(free_)));
    if ((exact.array() > 0.0).all()) x_(free_) = exact;
  }
  [[nodiscard]] Eigen::Index free_at(Eigen::Index k) const { return free_[static_cast<std::size_t>(k)]; }

  const Matrix& G_;
  const Vector& b_;
  Vector x_;
  double noise_;
  std::vector<Eigen::Index> free_;
  std::vector<Eigen::Index> accepted_;  // rows whose w_i < 0 is a rounding error, since the last change of the free set
};

/// The solutions x + N η, N an orthonormal basis of the kernel of G, restricted to the x_i that may be positive.
struct Face {
  std::vector<Eigen::Index> at;  ///< indices i with w_i = 0
  Matrix kernel;                 ///< [at × k]
};

Face face_of(const Matrix& G, const ComplementarySolution& one, double w_tolerance) {
  Face face;
  for (Eigen::Index i = 0; i < one.w.size(); ++i)
    if (one.x[i] > 0.0 || one.w[i] <= w_tolerance) face.at.push_back(i);
  if (face.at.empty()) return face;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(G(face.at, face.at)));
  Eigen::Index rank_defect = 0;
  while (rank_defect < eigen.eigenvalues().size() && eigen.eigenvalues()[rank_defect] <= tolerance::kDerivedRank)
    ++rank_defect;
  face.kernel = eigen.eigenvectors().leftCols(rank_defect);
  return face;
}

/// The point y ≥ 0 of the form y = at + N η that is nearest to `target`. Its multipliers solve a complementarity
/// problem: y = y₀ + N Nᵀλ, y ≥ 0, λ ≥ 0, λ·y = 0, where y₀ is the nearest point without the condition y ≥ 0.
Vector nearest_point(const Matrix& N, const Vector& at, const Vector& target) {
  const Matrix projection = N * N.transpose();
  const Vector unbounded = at + projection * (target - at);
  const double size = std::max(unbounded.lpNorm<Eigen::Infinity>(), tolerance::kLeast);
  const Vector scaled = unbounded / size;
  ActiveSet multipliers(projection, scaled, 0.0);
  if (!multipliers.solve()) return at;
  return size * multipliers.w().cwiseMax(0.0);
}

/// True if all points y = at + N η with y ≥ 0 are one point. A move in some direction ±e_i would show another one.
bool is_only_point(const Matrix& N, const Vector& at) {
  const double size = at.lpNorm<Eigen::Infinity>();
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    for (const double sign : {1.0, -1.0}) {
      const Vector moved = nearest_point(N, at, at + sign * size * Vector::Unit(at.size(), i));
      if ((moved - at).lpNorm<Eigen::Infinity>() > tolerance::kHalfDigits * size) return false;
    }
  }
  return true;
}

/// Tableau of Lemke's method. Columns: w (n), z (n), the covering variable z₀, the right side.
class Lemke {
 public:
  Lemke(const Matrix& M, const Vector& q) : n_(q.size()), table_(n_, 2 * n_ + 2), basis_(static_cast<std::size_t>(n_)) {
    table_ << Matrix::Identity(n_, n_), -M, -Vector::Ones(n_), q;
    for (Eigen::Index i = 0; i < n_; ++i) at(i) = i;
  }

  std::optional<Vector> solve() {
    if (table_.col(right()).minCoeff() >= 0.0) return Vector::Zero(n_);
    Eigen::Index leaves = 0;
    for (Eigen::Index i = 1; i < n_; ++i)
      if (table_(i, right()) <= table_(leaves, right())) leaves = i;
    Eigen::Index enters = cover();
    for (int pivots = 0; pivots < kMostPivots * static_cast<int>(n_ + 1); ++pivots) {
      const Eigen::Index left = at(leaves);
      pivot(leaves, enters);
      if (left == cover()) return solution();
      enters = left < n_ ? left + n_ : left - n_;
      leaves = leaving_row(enters);
      if (leaves < 0) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Eigen::Index cover() const { return 2 * n_; }
  [[nodiscard]] Eigen::Index right() const { return 2 * n_ + 1; }
  [[nodiscard]] Eigen::Index& at(Eigen::Index row) { return basis_[static_cast<std::size_t>(row)]; }

  void pivot(Eigen::Index row, Eigen::Index column) {
    table_.row(row) /= table_(row, column);
    for (Eigen::Index i = 0; i < n_; ++i)
      if (i != row && table_(i, column) != 0.0) table_.row(i) -= table_(i, column) * table_.row(row).eval();
    at(row) = column;
  }

  /// The row with the lexicographically least (right side, columns of w) / pivot, or −1. The covering variable leaves
  /// if it can.
  [[nodiscard]] Eigen::Index leaving_row(Eigen::Index column) {
    Eigen::Index best = -1;
    for (Eigen::Index i = 0; i < n_; ++i) {
      if (!(table_(i, column) > tolerance::kGeneric)) continue;
      if (best < 0 || is_before(i, best, column)) best = i;
    }
    return best;
  }
  [[nodiscard]] bool is_before(Eigen::Index i, Eigen::Index j, Eigen::Index column) {
    const double ratio = table_(i, right()) / table_(i, column), other = table_(j, right()) / table_(j, column);
    if (std::abs(ratio - other) > tolerance::kZero) return ratio < other;
    if (at(i) == cover() || at(j) == cover()) return at(i) == cover();
    for (Eigen::Index k = 0; k < n_; ++k) {
      const double one = table_(i, k) / table_(i, column), two = table_(j, k) / table_(j, column);
      if (std::abs(one - two) > tolerance::kZero) return one < two;
    }
    return false;
  }
  [[nodiscard]] Vector solution() {
    Vector z = Vector::Zero(n_);
    for (Eigen::Index i = 0; i < n_; ++i)
      if (at(i) >= n_ && at(i) < cover()) z[at(i) - n_] = table_(i, right());
    return z;
  }

  Eigen::Index n_;
  Matrix table_;
  std::vector<Eigen::Index> basis_;
};

}  // namespace

std::optional<Vector> solve_by_lemke(const Matrix& M, const Vector& q) {
  if (q.size() == 0) return q;
  return Lemke(M, q).solve();
}

std::optional<ComplementarySolution> solve_complementarity(const Matrix& G, const Vector& b, const Vector& share,
                                                           double noise) {
  ActiveSet set(G, b, noise);
  if (!set.solve()) return std::nullopt;
  ComplementarySolution one{set.x(), set.w(), true};
  const Face face = face_of(G, one, set.tolerance_of_w());
  if (face.kernel.cols() == 0) return one;
  // y_i = x_i/√share_i, so that the nearest point to 0 has the least Σ x_i²/share_i.
  const Vector root = share(face.at).cwiseSqrt();
  const Eigen::HouseholderQR<Matrix> qr(Matrix(root.cwiseInverse().asDiagonal() * face.kernel));
  const Matrix N = qr.householderQ() * Matrix::Identity(root.size(), face.kernel.cols());
  const Vector at = one.x(face.at).cwiseQuotient(root);
  const Vector y = nearest_point(N, at, Vector::Zero(at.size()));
  one.is_unique = is_only_point(N, y);
  if (!one.is_unique) one.x(face.at) = y.cwiseProduct(root);
  one.w = G * one.x + b;
  return one;
}

}  // namespace vinculum::solve

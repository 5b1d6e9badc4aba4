#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/sources/single_event.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/kinematics_check.hpp"

namespace vinculum::sim {
namespace {

// Relative to the inertia without multipliers: below it the inertia counts as lost.
constexpr double kCollapsed = tolerance::kFloor;

/// Eigenvalues of ZᵀMZ relative to ZᵀM₀Z, ascending: M₀ is the metric, Z a basis of ker A. They are the fractions of
/// the inertia along the constraints that remain with the multipliers μ: all 1 without μ; an eigenvalue 0 means
/// undetermined accelerations. [degrees of freedom]
Vector relative_inertia(const Matrices& m) {
  Matrix Z = Matrix::Identity(m.M.rows(), m.M.cols());
  if (m.A.rows() > 0) {
    Eigen::JacobiSVD<Matrix> svd(m.A, Eigen::ComputeFullV);
    svd.setThreshold(tolerance::kUnique);
    Z = svd.matrixV().rightCols(m.A.cols() - svd.rank()).eval();
  }
  if (Z.cols() == 0 || !m.M.allFinite()) return Vector();
  const Matrix M = Z.transpose() * Matrix(m.M.selfadjointView<Eigen::Lower>()) * Z;
  const Matrix metric = Z.transpose() * Matrix(m.metric.selfadjointView<Eigen::Lower>()) * Z;
  return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(M, metric, Eigen::EigenvaluesOnly).eigenvalues();
}

/// Detects that the inertia along the constraints passes through zero, if M may be indefinite (theory.md §6.4): the
/// eigenvalue next to zero changes sign.
class InertiaSource final : public SingleEvent {
 public:
  explicit InertiaSource(const Watched& run) : SingleEvent({"inertia"}), run_(run) {
    event_.direction = integrate::Direction::kFalling;
    event_.accuracy = tolerance::kSameEvent;
    event_.begin = [this](double t, const Vector& y) {
      const Vector inertia = inertia_at(t, y);
      negative_ = (inertia.array() < 0.0).count();
      return margin(inertia);
    };
    event_.guard = [this](double t, const Vector& y) { return margin(inertia_at(t, y)); };
    event_.reason.kind = FailureKind::kSingularByMultipliers;
    event_.reason.rows = rows_with_inertia(*run.dynamics.binding()->system);
    event_.reason.message =
        "the inertia along the constraints passes through zero: with these multipliers the accelerations are not "
        "determined";
  }
  std::optional<Failure> explain(double t, const Vector& y) override {
    const Vector inertia = inertia_at(t, y);
    if (inertia.size() == 0 || inertia.cwiseAbs().minCoeff() > kCollapsed) return std::nullopt;
    return reason(t);
  }

 private:
  /// > 0 while the number of negative eigenvalues is that at the begin of the step.
  [[nodiscard]] double margin(const Vector& inertia) const {
    double least = 1.0;
    if (negative_ < inertia.size()) least = std::min(least, inertia[negative_]);
    if (0 < negative_ && negative_ <= inertia.size()) least = std::min(least, -inertia[negative_ - 1]);
    return least;
  }
  Vector inertia_at(double t, const Vector& y) {
    EquationsOf(run_.dynamics).matrices_as_they_are(run_.mode, t, y.data(), m_);
    return relative_inertia(m_);
  }

  Watched run_;
  Matrices m_;
  Eigen::Index negative_ = 0;  ///< number of negative eigenvalues at the begin of the step
};

/// Detects that the determinant of the system of the highest derivatives passes through zero or approaches it
/// (theory.md §6.5), by a pivot or by a row whose entries all vanish, as in (1 − 1.4 μ x) y'' = … alone in its row.
class RegularitySource final : public SingleEvent {
 public:
  explicit RegularitySource(const Watched& run) : SingleEvent({"regularity"}), run_(run) {
    event_.accuracy = tolerance::kSameEvent;
    event_.guard = [this](double t, const Vector& y) {
      const Regularity at = EquationsOf(run_.dynamics).regularity(run_.mode, t, y.data());
      (void)left_of(at);
      return at.sign * at.pivot;
    };
  }
  std::optional<Failure> explain(double t, const Vector& y) override {
    if (left_of(EquationsOf(run_.dynamics).regularity(run_.mode, t, y.data())) > kCollapsed * kCollapsed)
      return std::nullopt;
    return reason(t);
  }

 private:
  [[nodiscard]] Failure reason(double t) const override { return EquationsOf(run_.dynamics).singular(t); }
  /// The last pivot times the smallest ratio between a row and the longest that it has been.
  [[nodiscard]] double left_of(const Regularity& at) {
    const Vector rows = EquationsOf(run_.dynamics).row_sizes_of_highest();
    longest_ = longest_.size() == rows.size() ? Vector(longest_.cwiseMax(rows)) : rows;
    return at.pivot * rows.cwiseQuotient(longest_).minCoeff();
  }
  Watched run_;
  Vector longest_;  ///< [n] largest rows so far
};

}  // namespace

std::unique_ptr<EventSource> make_inertia_source(const Watched& run) {
  const equations::System& system = *run.dynamics.binding()->system;
  if (system.higher) return std::make_unique<RegularitySource>(run);
  if (system.has_indefinite_mass) return std::make_unique<InertiaSource>(run);
  return nullptr;
}

}  // namespace vinculum::sim

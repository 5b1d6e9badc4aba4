#pragma once

#include <cmath>
#include <complex>
#include <optional>
#include <utility>

#include "vinculum/integrate/error_norm.hpp"
#include "vinculum/integrate/implicit_problem.hpp"
#include "vinculum/integrate/radau_scheme.hpp"
#include "vinculum/integrate/step_matrix.hpp"

namespace vinculum::integrate {

/// Tolerances of the components of x = (y, s).
struct ImplicitScale {
  Vector inverse;  ///< [size of x] 1/tolerance; 0: no tolerance
  /// Root mean square of v in units of the tolerances.
  [[nodiscard]] double norm(ConstVector v) const {
    return v.size() > 0 ? v.cwiseProduct(inverse).norm() / std::sqrt(static_cast<double>(v.size())) : 0.0;
  }
};

/// Computes the stages of a step of Radau IIA. The increments Z_i satisfy Z_i = h Σ_j a_ij F(t + c_j h, x + Z_j) in the
/// components y, and 0 = F_s(t + c_i h, x + Z_i) in the algebraic unknowns s. Newton's method solves for them, with one
/// linearization J for all stages.
///
///   (γ/h E − J) ΔW₁ = …,   ((α + iβ)/h E − J) (ΔW₂ + iΔW₃) = …,   Z = T W,   E = 1 for y, 0 for s
///
/// The numbers γ, α, β and the matrix T are those of RadauScheme; W are the transformed increments.
/// Source: Hairer & Wanner II, IV.8; docs/numerics.md.
class RadauStages {
 public:
  /// \param differential  n: number of components of y, which precede the components of s.
  /// \param least_change  rounding error of x, in tolerances.
  RadauStages(ImplicitProblem& problem, int differential, double least_change);

  /// \returns false if a matrix is singular.
  [[nodiscard]] bool factor(double h, const Matrix& J);
  /// Computes x = (γ/h E − J)⁻¹ r with the current factors.
  void solve(const Vector& r, Vector& x) { real_.solve(condensed(), r, x); }
  /// Sets the accuracy at which the iteration ends, as in RADAU5: when the predicted remaining change of Z is below
  /// `demand` tolerances.
  void set_demand(double demand) { demand_ = demand; }
  /// Discards the rate of convergence of earlier steps, which would otherwise predict the remaining error.
  void forget() { eta_ = 1.0; }
  /// Result of `find`, which computes Z by Newton's iteration from the present value of Z.
  enum class End { kFound, kDiverged, kNotFinite, kNotEvaluated };
  [[nodiscard]] End find(double t, double t_end, const Vector& x, const ImplicitScale& scale, ImplicitProblem::Use use);

  Matrix Z;                                                    ///< [size of x × 3] increments at the stages
  [[nodiscard]] double h() const { return h_; }                ///< step size of the current factors
  [[nodiscard]] double contraction() const { return theta_; }  ///< ratio of the last two changes of the iteration
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] double shrink() const { return shrink_; }  ///< factor for the step size if Z was not found
  /// Number of evaluations since the last call.
  [[nodiscard]] long take_evaluations() { return std::exchange(evaluations_, 0); }
  [[nodiscard]] const Failure& failure() const { return failure_; }  ///< failure of the evaluation, after kNotEvaluated
  [[nodiscard]] int culprit() const { return culprit_; }             ///< component that is not finite, after kNotFinite
  static constexpr int kMost = 7;                                    ///< largest number of iterations

 private:
  [[nodiscard]] End evaluate(double t, double t_end, const Vector& x, ImplicitProblem::Use use);
  void correct();
  [[nodiscard]] const Condensation* condensed() const { return is_condensed_ ? &*condensation_ : nullptr; }

  ImplicitProblem& problem_;
  int differential_;
  double least_change_, demand_;
  double h_ = 0.0, eta_ = 1.0, theta_ = 0.0, shrink_ = 0.5;
  int iterations_ = 0, culprit_ = -1;
  long evaluations_ = 0;
  Failure failure_;
  std::optional<Condensation> condensation_;  ///< empty until the list `ImplicitProblem::places` is known
  bool is_condensed_ = false;                 ///< whether the current matrices are the condensed ones
  StepMatrix<double> real_;
  StepMatrix<std::complex<double>> complex_;
  Matrix W_, F_;
  Vector x_, real_change_;
  Eigen::VectorXcd pair_, pair_change_;
};

}  // namespace vinculum::integrate

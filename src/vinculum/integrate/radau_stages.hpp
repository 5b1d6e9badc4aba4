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

/// Sizes of the components of x, in which errors count.
struct ImplicitScale {
  Vector inverse;  ///< [N] of the tolerance; 0: has no size
  /// Root of the mean of the squares of v over the tolerances.
  [[nodiscard]] double norm(ConstVector v) const {
    return v.size() > 0 ? v.cwiseProduct(inverse).norm() / std::sqrt(static_cast<double>(v.size())) : 0.0;
  }
};

/// The stages of a step of Radau IIA: Z_i = h Σ_j a_ij F(t + c_j h, x + Z_j) for y, 0 = F_s(t + c_i h, x + Z_i) for s,
/// by Newton's method with one linearisation for all.
///
///   (γ/h E − J) ΔW₁ = …,   ((α + iβ)/h E − J) (ΔW₂ + iΔW₃) = …,   Z = T W,   E = 1 for y, 0 for s
///
/// Source: Hairer & Wanner II, IV.8; docs/numerics.md.
class RadauStages {
 public:
  /// \param differential  n: components of y, before those of s.   \param least_change  in tolerances, rounding.
  RadauStages(ImplicitProblem& problem, int differential, double least_change);

  /// \returns whether the matrices are regular.
  [[nodiscard]] bool factor(double h, const Matrix& J);
  /// (γ/h E − J)⁻¹ r.
  void solve(const Vector& r, Vector& x) { real_.solve(condensed(), r, x); }
  /// As RADAU5 ends an iteration: the changes to come are below this part of the tolerance.
  void set_demand(double demand) { demand_ = demand; }
  /// What is known of convergence is forgotten.
  void forget() { eta_ = 1.0; }
  /// Z, from what it is now.
  enum class End { kFound, kDiverged, kNotFinite, kNotEvaluated };
  [[nodiscard]] End find(double t, double t_end, const Vector& x, const ImplicitScale& scale, ImplicitProblem::Use use);

  Matrix Z;                                                    ///< [N × 3]
  [[nodiscard]] double h() const { return h_; }                ///< of the factors
  [[nodiscard]] double contraction() const { return theta_; }  ///< of the last iteration
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] double shrink() const { return shrink_; }  ///< of the step where it was not found
  /// Since it was asked last.
  [[nodiscard]] long take_evaluations() { return std::exchange(evaluations_, 0); }
  [[nodiscard]] const Failure& failure() const { return failure_; }  ///< kNotEvaluated: why
  [[nodiscard]] int culprit() const { return culprit_; }             ///< kNotFinite: component of F
  static constexpr int kMost = 7;                                    ///< iterations

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
  std::optional<Condensation> condensation_;  ///< none until places are known
  bool is_condensed_ = false;                 ///< the matrices are
  StepMatrix<double> real_;
  StepMatrix<std::complex<double>> complex_;
  Matrix W_, F_;
  Vector x_, real_change_;
  Eigen::VectorXcd pair_, pair_change_;
};

}  // namespace vinculum::integrate

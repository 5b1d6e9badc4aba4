#pragma once

#include <span>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Motion along surfaces s_k = 0 at which the equations switch and both sides push towards them: of the motions on
/// their sides the convex combination that stays,
///
///   y' = F₀ + Σ_k α_k D_k,   D_k = F_k − F₀,   ṡ_j = ∂s_j/∂t + ∇s_j·y' = 0,   0 ≤ α_k ≤ 1
///
/// F₀ below all of them, F_k above the k-th alone. With several surfaces this is the motion only where what their sides
/// do together is made of the D_k; otherwise it is not unique.   \cost one evaluation of the equations more than there
/// are surfaces. Source: Filippov, Differential Equations with Discontinuous Righthand Sides (1988), §4; theory.md
/// §10.1. Law: sliding_test.cpp.
class SurfaceMotion {
 public:
  /// \param sides  of all surfaces (Switches); the motion goes along those that they are between; may be along none.
  SurfaceMotion(const Binding& bound, std::vector<double> sides);

  /// Reads everything below at a state. \param mode  of these sides; its faces change  \returns kNotUnique where the
  /// sides move alike across the surfaces; and as `Dynamics::derivative`. Allocates nothing where that does not.
  [[nodiscard]] Outcome<void> read(Dynamics& dynamics, Mode& mode, double t, const double* y);

  [[nodiscard]] const Vector& y_dot() const { return y_dot_; }
  /// [held] α: the part that the upper side has.
  [[nodiscard]] const Vector& shares() const { return shares_; }
  /// α_k (1 − α_k), smooth and > 0 while both sides have a part; −1 where they do not push towards the surface.
  [[nodiscard]] double margin(std::size_t held) const;
  /// [steered] ṡ of all surfaces that forces move.
  [[nodiscard]] const Vector& rates() const { return rates_; }
  /// [ny] what brings a state off the surfaces back to them, along the jumps D_k.
  [[nodiscard]] const Vector& correction();
  /// Whether the motion above all surfaces is made of F₀ and the jumps, and so no other than `y_dot` stays on them.
  /// \pre `read` there
  [[nodiscard]] Outcome<bool> is_unique(Dynamics& dynamics, const Mode& mode, double t, const double* y);

  [[nodiscard]] const std::vector<double>& sides() const { return sides_; }
  [[nodiscard]] const std::vector<std::size_t>& held() const { return held_; }
  /// [faces] what each counts for in the motion; sums to 1.
  [[nodiscard]] double weight(std::size_t face) const {
    return face == 0 ? 1.0 - shares_.sum() : shares_[static_cast<Eigen::Index>(face) - 1];
  }

 private:
  void complete_faces(Dynamics& dynamics, Mode& mode, double t, const double* y) const;
  void complete(Dynamics& dynamics, Mode& face, std::size_t number, double t, const double* y) const;
  void read_surfaces(double t, const double* y);

  const Watches& watches_;
  std::vector<double> sides_;
  std::vector<std::size_t> held_;   ///< surfaces
  std::vector<Eigen::Index> rows_;  ///< [held] their places among `steered`, −1 outside
  /// Arguments and results of `Watches::steering`.
  struct Steering {
    std::vector<double> constants, input, result, workspace;
  };
  Steering steering_;
  Vector below_, above_, y_dot_, shares_, rates_, by_time_, right_, correction_;
  Vector distance_;  ///< [steered] s
  Matrix gradient_;  ///< [steered × ny]
  Matrix jumps_;     ///< [ny × held] D
  Matrix effect_;    ///< [held × held] ∇s_j·D_k
  numeric::FullPivotLu lu_;
};

}  // namespace vinculum::sim

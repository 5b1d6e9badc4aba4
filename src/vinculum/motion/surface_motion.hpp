#pragma once

#include <span>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Computes the sliding mode on switching surfaces s_k = 0, where the vector fields of both adjacent regions point
/// towards the surface. The motion follows the convex combination of these vector fields that stays on the surfaces
/// (Filippov),
///
///   y' = F₀ + Σ_k α_k D_k,   D_k = F_k − F₀,   ṡ_j = ∂s_j/∂t + ∇s_j·y' = 0,   0 ≤ α_k ≤ 1
///
/// F₀ is the vector field below all surfaces. F_k is the vector field above the k-th surface and below the others. With
/// several surfaces the motion is unique only if the vector field above all of them is F₀ plus a combination of the
/// D_k. Shapes: "held" is the number of surfaces of the sliding mode, "steered" the number of surfaces of the model
/// whose rate ṡ depends on the forces (Watches::steered).
/// \cost number of surfaces + 1 evaluations of the equations.
/// Source: Filippov, Differential Equations with Discontinuous Righthand Sides (1988), §4; theory.md §10.1.
/// Test: sliding_test.cpp.
class SurfaceMotion {
 public:
  /// \param sides  side of every surface (Switches). The surfaces of the sliding mode are those whose side is between
  /// two regular sides; there may be none.
  SurfaceMotion(const Binding& bound, std::vector<double> sides);

  /// Evaluates the sliding mode at a state; the other functions return its results. Allocates nothing unless
  /// evaluations of the equations do.
  /// \param mode  has the sides given to the constructor; its `faces` change
  /// \returns the failures of `Dynamics::derivative`; kNotUnique if the vector fields of both regions cross a surface
  /// with the same velocity ṡ.
  [[nodiscard]] Outcome<void> read(Dynamics& dynamics, Mode& mode, double t, const double* y);

  [[nodiscard]] const Vector& y_dot() const { return y_dot_; }
  /// [held] α, the convex weight of the vector field above each surface.
  [[nodiscard]] const Vector& shares() const { return shares_; }
  /// Returns α_k (1 − α_k), which is smooth and positive while both regions have a positive weight. Returns −1 if ṡ_k
  /// in the upper region is not smaller than in the lower region, because the vector fields then do not both point
  /// towards the surface.
  [[nodiscard]] double margin(std::size_t held) const;
  /// [steered] ṡ in the sliding mode of all surfaces whose rate depends on the forces.
  [[nodiscard]] const Vector& rates() const { return rates_; }
  /// [ny] change of y, a combination of the jumps D_k, that brings the state back onto the surfaces.
  [[nodiscard]] const Vector& correction();
  /// Whether the vector field above all surfaces is F₀ plus a combination of the jumps D_k, so that `y_dot` is the only
  /// motion that stays on them.
  /// \pre `read` at the state
  [[nodiscard]] Outcome<bool> is_unique(Dynamics& dynamics, const Mode& mode, double t, const double* y);

  [[nodiscard]] const std::vector<double>& sides() const { return sides_; }
  [[nodiscard]] const std::vector<std::size_t>& held() const { return held_; }
  /// Returns the weight in y' of the vector field of region `face` (index into Mode::faces). The weights sum to 1.
  [[nodiscard]] double weight(std::size_t face) const {
    return face == 0 ? 1.0 - shares_.sum() : shares_[static_cast<Eigen::Index>(face) - 1];
  }

 private:
  void complete_faces(Dynamics& dynamics, Mode& mode, double t, const double* y) const;
  void complete(Dynamics& dynamics, Mode& face, std::size_t number, double t, const double* y) const;
  void read_surfaces(double t, const double* y);

  const Watches& watches_;
  std::vector<double> sides_;
  std::vector<std::size_t> held_;   ///< indices of the surfaces of the sliding mode
  std::vector<Eigen::Index> rows_;  ///< [held] index of the surface in `Watches::steered`, or −1
  /// Constants, inputs and outputs of the kernel `Watches::steering`.
  struct Steering {
    std::vector<double> constants, input, result, workspace;
  };
  Steering steering_;
  Vector below_, above_, y_dot_, shares_, rates_, by_time_, right_, correction_;
  Vector distance_;  ///< [steered] values of s
  Matrix gradient_;  ///< [steered × ny] ∇s
  Matrix jumps_;     ///< [ny × held] jumps D_k
  Matrix effect_;    ///< [held × held] ∇s_j·D_k
  numeric::FullPivotLu lu_;
};

}  // namespace vinculum::sim

#pragma once

#include <optional>

#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/mass_tree.hpp"

namespace vinculum::equations {

[[nodiscard]] expr::Expr dot(const SpatialVector& a, const SpatialVector& b);

/// Articulated inertia of a mass: the wrench with which the mass and all masses outboard of it, with free joints,
/// respond to an acceleration (α, a) of the mass. About the mass's reference point and in its frame:
///
///   n = J α + H a,   f = Hᵀ α + M a
struct ArticulatedInertia {
  Tensor J;
  ExprRotation H;  ///< 3×3 coupling of rotation and translation: row i belongs to n_i, column k to a_k
  Tensor M;

  [[nodiscard]] SpatialVector times(const SpatialVector& a) const;
  ArticulatedInertia& operator+=(const ArticulatedInertia& other);
};

/// Articulated inertia of a single rigid body.
[[nodiscard]] ArticulatedInertia articulated(const Inertia& inertia);
/// The inertia converted from `frame` to the frame of an ancestor, rotated joint by joint.
[[nodiscard]] ArticulatedInertia turned_to(Lowering& lowering, model::FrameId frame, model::FrameId ancestor,
                                           ArticulatedInertia inertia);
/// The inertia about a new reference point. \param r  vector from the new point to the old one.
[[nodiscard]] ArticulatedInertia shifted(const ArticulatedInertia& old, const ExprVector& r);
/// ω × I ω. Differences of the moments of inertia are formed first. This avoids cancellation if moments are nearly
/// equal.
[[nodiscard]] ExprVector torque_of_turning(const Tensor& I, const ExprVector& w);

/// A speed after its elimination: u' = e − response·a, where a is the acceleration of the mass without this speed.
struct EliminatedSpeed {
  expr::Expr pivot;         ///< D = s·U, the inertia that the speed moves
  expr::Expr e;             ///< e = (τ − s·p)/D with the force τ on the speed
  SpatialVector response;   ///< U/D in u' = e − (U/D)·a
  expr::Expr inverse = {};  ///< 1/D, or 0 while the speed is locked
  SpatialVector U = {};     ///< U = I s, the wrench for a unit acceleration of the speed
  std::optional<std::size_t> axis =
      {};  ///< direction if s has exactly one nonzero component and that is constant: 0–2 rotation, 3–5 translation
  expr::Expr w = {};  ///< w = τ − s·p
};

/// Eliminates a speed with twist s from I and p: I −= U Uᵀ/D, p += U e. If s has only one component, the corresponding
/// row of I is then structurally 0, and that component of p is τ divided by the component of s.
/// \param free  for a speed that can be locked: 1 while it is free; 0 replaces 1/D by 0, so that e and the response are
///   0 and I and p do not change. Invalid: the speed is never locked.
/// \returns an invalid pivot, with I and p unchanged, if U = 0
[[nodiscard]] EliminatedSpeed eliminate(const SpatialVector& s, expr::Expr tau, ArticulatedInertia& I, SpatialVector& p,
                                        expr::Expr free = {});
/// p += U e for an eliminated speed, where e belongs to the force `tau` on that speed.
void add_response(const SpatialVector& s, expr::Expr tau, const EliminatedSpeed& speed, expr::Expr e, SpatialVector& p);

}  // namespace vinculum::equations

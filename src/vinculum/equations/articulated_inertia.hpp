#pragma once

#include <optional>

#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/mass_tree.hpp"

namespace vinculum::equations {

[[nodiscard]] expr::Expr dot(const SpatialVector& a, const SpatialVector& b);

/// What a mass and all beyond, its joints free, answer to an acceleration of the mass: about its reference, in its
/// frame
///
///   n = J α + H a,   f = Hᵀ α + M a
struct ArticulatedInertia {
  Tensor J;
  ExprRotation H;  ///< rows of n, columns of a
  Tensor M;

  [[nodiscard]] SpatialVector times(const SpatialVector& a) const;
  ArticulatedInertia& operator+=(const ArticulatedInertia& other);
};

/// Of a rigid body.
[[nodiscard]] ArticulatedInertia articulated(const Inertia& inertia);
/// In an ancestor of the frame, turned joint by joint.
[[nodiscard]] ArticulatedInertia turned_to(Lowering& lowering, model::FrameId frame, model::FrameId ancestor,
                                           ArticulatedInertia inertia);
/// About a point from which the old one lies at r.
[[nodiscard]] ArticulatedInertia shifted(const ArticulatedInertia& old, const ExprVector& r);
/// ω × I ω, differences of moments taken first.
[[nodiscard]] ExprVector torque_of_turning(const Tensor& I, const ExprVector& w);

/// A speed that has been made free: u' = e − response·a where the mass accelerates by a without it.
struct EliminatedSpeed {
  expr::Expr pivot;                      ///< D
  expr::Expr e;                          ///< (τ − s·p)/D
  SpatialVector response;                ///< U/D
  expr::Expr inverse = {};               ///< 1/D
  SpatialVector U = {};                  ///< I s
  std::optional<std::size_t> axis = {};  ///< that s is a constant along: 0–2 of turning, 3–5 of shifting
  expr::Expr w = {};                     ///< τ − s·p
};

/// Takes the speed out of I and p: I −= U Uᵀ/D, p += U e. Where s is along an axis its row of I is 0 then, and p is τ
/// there, by structure.   \returns an invalid pivot, with I and p as they were, where U is 0.
/// \param free  of a speed that may be locked: 1 as above; 0 takes 1/D as 0, so that e and the response are 0 and I and
/// p stay as they were. Not valid: never locked.
[[nodiscard]] EliminatedSpeed eliminate(const SpatialVector& s, expr::Expr tau, ArticulatedInertia& I, SpatialVector& p,
                                        expr::Expr free = {});
/// p += U e, e of the force τ on the speed.
void add_response(const SpatialVector& s, expr::Expr tau, const EliminatedSpeed& speed, expr::Expr e, SpatialVector& p);

}  // namespace vinculum::equations

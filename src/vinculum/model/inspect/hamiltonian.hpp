#pragma once

#include <memory>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// The Hamiltonian q'·∂L/∂q' − L = K2 − K0 + V, where K2 and K0 are the terms of the kinetic energy of second and
/// zeroth degree in q'.
///
/// With v_t the velocity of a particle at q' = 0, K2 − K0 = Σ m (½ v·v − v_t·v). The rotation of a body adds ½ ω·I·ω −
/// ω_t·I·ω, with ω_t its angular velocity at q' = 0. So no derivative by q' is needed. The Hamiltonian equals the
/// energy if no point or frame moves at q' = 0.
/// Source: [R] 284; theory.md §1.
[[nodiscard]] Term hamiltonian(const Model& model);

/// Computes velocities of material points and frames in the newtonian frame while all coordinates are held fixed. These
/// are the velocities due to explicit time alone.
class HeldVelocities {
 public:
  explicit HeldVelocities(const Model& model);
  ~HeldVelocities();
  [[nodiscard]] Term velocity(PointId point);
  [[nodiscard]] Term angular_velocity(FrameId frame);
  /// A scalar or vector in which all velocities are replaced by those at fixed coordinates.
  [[nodiscard]] Term held(Term term);

 private:
  class Motion;
  std::unique_ptr<Motion> motion_;
};

/// The velocity of a point in the newtonian frame while all coordinates are held fixed: ∂(position)/∂t, a vector of
/// position level.
[[nodiscard]] Term velocity_of_time_alone(const Model& model, PointId point);

/// A scalar or vector of velocity level, evaluated with all coordinates held fixed: every q' is zero, and points and
/// frames move only with explicit time. The rate of a term of position level becomes its ∂/∂t.
/// \pre the term contains no accelerations.
[[nodiscard]] Term at_held_coordinates(const Model& model, Term term);

}  // namespace vinculum::model

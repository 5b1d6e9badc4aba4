#pragma once

#include <memory>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// The Hamiltonian q'·∂L/∂q' − L = K2 − K0 + V, where K2 and K0 are the parts of the kinetic energy of second and
/// zeroth degree in q'.
///
/// With v_t the velocity of a particle while all q' are zero, K2 − K0 = Σ m (½ v·v − v_t·v), and for a body
/// additionally ½ ω·I·ω − ω_t·I·ω. So no derivative with respect to q' is needed. It equals the energy if nothing moves
/// with time alone. Source: [R] 284; theory.md §1.
[[nodiscard]] Term hamiltonian(const Model& model);

/// Velocities in the newtonian frame of material points and frames while all coordinates are held fixed: the motion due
/// to time alone.
class HeldVelocities {
 public:
  explicit HeldVelocities(const Model& model);
  ~HeldVelocities();
  [[nodiscard]] Term velocity(PointId point);
  [[nodiscard]] Term angular_velocity(FrameId frame);
  /// A scalar or vector, with all velocities in it taken at fixed coordinates.
  [[nodiscard]] Term held(Term term);

 private:
  class Motion;
  std::unique_ptr<Motion> motion_;
};

/// The velocity of a point in the newtonian frame while all coordinates are held fixed: ∂(position)/∂t, a vector of
/// position level.
[[nodiscard]] Term velocity_of_time_alone(const Model& model, PointId point);

/// A scalar or vector of velocity level while all coordinates are held fixed: every q' is zero, and points and frames
/// move with time alone. The rate of a term of position level becomes its ∂/∂t.   \pre it contains no accelerations.
[[nodiscard]] Term at_held_coordinates(const Model& model, Term term);

}  // namespace vinculum::model

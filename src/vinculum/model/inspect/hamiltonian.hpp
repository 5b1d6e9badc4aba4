#pragma once

#include <memory>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// q'·∂L/∂q' − L = K2 − K0 + V, with K2 and K0 the parts of the kinetic energy that are of second and zeroth degree in
/// q'.
///
/// With v_t the velocity that a particle has while all q' are zero, K2 − K0 = Σ m (½ v·v − v_t·v), and for a body
/// ½ ω·I·ω − ω_t·I·ω beside: no derivative with
/// respect to q' is formed. It equals the energy where nothing moves by time alone.
/// Source: [R] 284; theory.md §1.
[[nodiscard]] Term hamiltonian(const Model& model);

/// Velocities in the newtonian frame with all coordinates held, of the matter at points and of frames: what moves by
/// the time alone.
class HeldVelocities {
 public:
  explicit HeldVelocities(const Model& model);
  ~HeldVelocities();
  [[nodiscard]] Term velocity(PointId point);
  [[nodiscard]] Term angular_velocity(FrameId frame);
  /// A scalar or vector with every velocity that it holds taken with the coordinates held.
  [[nodiscard]] Term held(Term term);

 private:
  class Motion;
  std::unique_ptr<Motion> motion_;
};

/// The velocity of a point in the newtonian frame with all coordinates held: ∂(position)/∂t, a vector of position
/// level.
[[nodiscard]] Term velocity_of_time_alone(const Model& model, PointId point);

/// A scalar or vector of velocity level with all coordinates held: every q' zero, points and frames as the time alone
/// moves them. Of the rate of a term of position level what is left is its ∂/∂t.   \pre no accelerations in it.
[[nodiscard]] Term at_held_coordinates(const Model& model, Term term);

}  // namespace vinculum::model

#pragma once

#include "vinculum/base/outcome.hpp"
#include "vinculum/mechanics/model.hpp"

namespace vinculum::mechanics {

/// Total time derivative of a scalar, or of a vector as seen in `frame`: d/dt(pos(P,O)) = vel(P) − vel(O),
/// d/dt(B.x) = cross(omega(B), B.x), … Not valid (a Term without pool) where a derivative above the second of a
/// coordinate would be needed.   Source: theory.md §2; Kane's transport theorem.
[[nodiscard]] Term time_derivative(const Model& model, Term term, FrameId frame = Model::newtonian());

/// The highest derivative that the term holds once every point and frame in it is expanded.
[[nodiscard]] Level level_of(const Model& model, Term term);

/// The term with positions, velocities and accelerations of points that carry no mass expanded through their bases down
/// to particles, points fixed in the newtonian frame and bare coordinates: what remains are the places a force can act
/// at.
[[nodiscard]] Term expand_massless(const Model& model, Term term);

/// The term in the language's own notation with the model's names: `cross(vel(P2), N.z)`, `2*q1*N.x`.
[[nodiscard]] std::string to_text(const Model& model, Term term);

}  // namespace vinculum::mechanics

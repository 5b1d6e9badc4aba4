#pragma once

#include <string>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// What a load exerts at points, on bodies and along coordinates.
struct LoadForces {
  std::vector<ForceOn> forces;
  std::vector<TorqueOn> torques;
  std::vector<GeneralizedForceOn> generalized;
};

/// What a spring exerts on its first end, and the opposite on its second: along the line between them, which has no
/// direction where they meet; of natural length 0 and without damping it is −k r there too.
[[nodiscard]] ForceOn force_of(const Model& model, const SpringBetween& spring);

/// T > 0 where it draws its ends together with a force T along the line between them; of natural length 0 what damping
/// does, as the rest is −k r. Not valid where there is none.
[[nodiscard]] Term tension(const Model& model, const SpringBetween& spring);

/// Forces of a load that are not in the potential energy: stated ones, the damping of springs, gravity and springs
/// whose parameters hold coordinates.
[[nodiscard]] LoadForces forces_without_potential(const Model& model, const Load& load);

/// Rate of work of all that the load exerts, Σ F·v + Σ T·ω + Σ D q'. Of a load with a potential V it is −dV/dt + ∂V/∂t
/// beside the work of what has none, of a Lagrangian function −d/dt(q'·∂L/∂q' − L) − ∂L/∂t.   [W]
[[nodiscard]] Term power_of_load(const Model& model, const Load& load);
/// The part of it that is not in the potential energy nor in that of Lagrangian functions.
[[nodiscard]] Term power_without_potential(const Model& model, const Load& load);
/// What the time alone does to the energy of the load while everything keeps still: ∂V/∂t, −∂L/∂t.
[[nodiscard]] Term power_of_time(const Model& model, const Load& load);
/// Σ (m a − F)·v_t + Σ (dH/dt − T)·ω_t over particles, bodies, loads and constraints, v_t the velocity by the time
/// alone: the work of what moves points and frames along with the time, by Kane's identity. Zero where nothing does.
/// Source: theory.md §1.
[[nodiscard]] Term power_of_moved_points(const Model& model);

/// How messages and tables name a load: "force on P", "spring P Q", "gravity"; a second one of a name is "force on P
/// (2)".
[[nodiscard]] std::vector<std::string> names_of_loads(const Model& model);

}  // namespace vinculum::model

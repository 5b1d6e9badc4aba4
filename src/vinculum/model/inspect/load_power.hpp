#pragma once

#include <string>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Forces at points, torques on bodies and generalized forces of a load.
struct LoadForces {
  std::vector<ForceOn> forces;
  std::vector<TorqueOn> torques;
  std::vector<GeneralizedForceOn> generalized;
};

/// Force of a spring on its first end; the opposite acts on the second. It acts along the line between the ends, which
/// is undefined if they coincide; with natural length 0 and no damping it is −k r, also there.
[[nodiscard]] ForceOn force_of(const Model& model, const SpringBetween& spring);

/// Tension T, > 0 if the spring pulls its ends together. For natural length 0 only the part of the damping, because the
/// remaining force is −k r. Invalid if there is none.
[[nodiscard]] Term tension(const Model& model, const SpringBetween& spring);

/// Forces of a load that have no potential: stated forces, damping of springs, and gravity and springs whose parameters
/// contain coordinates.
[[nodiscard]] LoadForces forces_without_potential(const Model& model, const Load& load);

/// Power of all forces of the load, Σ F·v + Σ T·ω + Σ D q' [W]. For a load with a potential V it is −dV/dt + ∂V/∂t plus
/// the power of forces without potential; for a Lagrangian function −d/dt(q'·∂L/∂q' − L) − ∂L/∂t.
[[nodiscard]] Term power_of_load(const Model& model, const Load& load);
/// The part of the power that belongs neither to the potential energy nor to the energy of Lagrangian functions.
[[nodiscard]] Term power_without_potential(const Model& model, const Load& load);
/// Rate of the load's energy due to time alone, while all coordinates are held fixed: ∂V/∂t, −∂L/∂t.
[[nodiscard]] Term power_of_time(const Model& model, const Load& load);
/// Σ (m a − F)·v_t + Σ (dH/dt − T)·ω_t over particles, bodies, loads and constraints, where v_t is the velocity due to
/// time alone. By Kane's identity this is the power of the drives that move points and frames as prescribed functions
/// of time. Zero if there are none.
/// Source: theory.md §1.
[[nodiscard]] Term power_of_moved_points(const Model& model);

/// Names of the loads in messages and tables: "force on P", "spring P Q", "gravity"; a repeated name becomes "force on
/// P (2)".
[[nodiscard]] std::vector<std::string> names_of_loads(const Model& model);

}  // namespace vinculum::model

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

/// Force of a spring on its first end; the opposite force acts on the second end. It acts along the line between the
/// ends, which is undefined if they coincide. With natural length 0 and no damping the force is −k r, with r the vector
/// from the second end to the first. This force is 0 if the ends coincide.
[[nodiscard]] ForceOn force_of(const Model& model, const SpringBetween& spring);

/// Tension T of a spring, > 0 if the spring pulls its ends together. For natural length 0 it is only the tension of the
/// damping, because the elastic force is −k r. Invalid if there is no such tension.
[[nodiscard]] Term tension(const Model& model, const SpringBetween& spring);

/// Forces of a load that have no potential: stated forces, damping of springs, and the forces of gravity and springs
/// whose parameters contain coordinates.
[[nodiscard]] LoadForces forces_without_potential(const Model& model, const Load& load);

/// Power of all forces of the load, Σ F·v + Σ T·ω + Σ D q' [W]. A load with a potential V has the power −dV/dt + ∂V/∂t
/// plus the power of its forces without potential. A Lagrangian function has the power −d/dt(q'·∂L/∂q' − L) − ∂L/∂t.
[[nodiscard]] Term power_of_load(const Model& model, const Load& load);
/// The power of the load's forces that belong neither to the potential energy nor to the energy of Lagrangian
/// functions.
[[nodiscard]] Term power_without_potential(const Model& model, const Load& load);
/// Rate at which the load's energy changes with explicit time, while all coordinates are held fixed: ∂V/∂t, −∂L/∂t.
[[nodiscard]] Term power_of_time(const Model& model, const Load& load);
/// Σ (m a − F)·v_t + Σ (dH/dt − T)·ω_t over particles, bodies, loads and constraints, where v_t and ω_t are the
/// velocities due to explicit time alone. By Kane's identity this is the power of the drives that move points and
/// frames as prescribed functions of time. Zero if the model has no such points and frames.
/// Source: theory.md §1.
[[nodiscard]] Term power_of_moved_points(const Model& model);

/// Names of the loads in messages and tables: "force on P", "spring P Q", "gravity". The second use of a name becomes
/// "force on P (2)".
[[nodiscard]] std::vector<std::string> names_of_loads(const Model& model);

}  // namespace vinculum::model

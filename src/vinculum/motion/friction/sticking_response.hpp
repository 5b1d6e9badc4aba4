#pragma once

#include <vector>

#include "vinculum/motion/accelerations/free_response.hpp"
#include "vinculum/motion/state_kernels.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Orthonormal directions in the space of the sliding velocity of a contact, one per column.
using ContactBasis = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
/// Returns the directions in which the sliding velocity of a contact can change, from its response K = J U to unit
/// forces along its components (U: accelerations under these forces).
/// \param J [components × nu]  ∂v/∂u, v the sliding velocity
/// \param mass  largest diagonal entry of the metric (`Matrices::metric`)
[[nodiscard]] ContactBasis directions_of_change(ConstMatrix K, ConstMatrix J, double mass);

/// Response of the sliding velocities of sticking contacts to forces at these contacts, and the forces that keep these
/// velocities at 0. Allocates nothing.
class StickingResponse {
 public:
  StickingResponse(const StateKernels& at, Routes& routes, FreeResponse& free);

  /// Computes the responses of the contacts that stick in the mode.
  /// \param mass  largest diagonal entry of the metric
  /// \pre `StateKernels::read_slides` was called, and `Routes::explicit_route` has factored the present matrices
  [[nodiscard]] Outcome<void> factor(double mass);
  /// Computes `force`, which changes the velocities by `wanted` [ns]. Components of `wanted` that no force can cause
  /// are ignored.
  void find_force(const Vector& wanted);
  /// Adds the accelerations and multipliers that `force` causes to u and `multipliers`.
  void add_motion_to(Vector& u, Vector& multipliers) const;

  Vector force;            ///< [ns] forces at contacts that stick, 0 at the others
  Matrix U;                ///< [nu × ns] u' under a unit force along each component
  int size = 0;            ///< number of directions in which the velocities of sticking contacts can change
  bool is_shared = false;  ///< the forces are not unique; also true if no force can move a sticking contact

 private:
  [[nodiscard]] bool has_free_normal(std::size_t slide);

  const StateKernels& at_;
  Routes& routes_;
  FreeResponse& free_;
  Matrix L_;                 ///< [nc × ns] λ under a unit force along each component
  Matrix K_;                 ///< [ns × ns] J U, the change of the sliding velocities by unit forces
  Matrix T_;                 ///< [ns × ns] the first `size` columns are the directions of change
  std::vector<int> owner_;   ///< contact to which each of these columns belongs
  numeric::FullPivotLu lu_;  ///< factors of Tᵀ K T, which may be singular
  Vector along_, total_, zero_, lambda_;
};

}  // namespace vinculum::sim

#pragma once

#include <vector>

#include "vinculum/motion/accelerations/free_response.hpp"
#include "vinculum/motion/state_kernels.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Orthonormal directions in the velocity of a contact, one per column.
using ContactBasis = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
/// Directions in which the velocity of a contact can change, from its response K = J U to forces along its components.
/// \param mass  largest diagonal entry of the metric
[[nodiscard]] ContactBasis directions_of_change(ConstMatrix K, ConstMatrix J, double mass);

/// Response of the velocities of sticking contacts to forces at these contacts, and from it the forces that keep v = 0.
/// Allocates nothing.
class StickingResponse {
 public:
  StickingResponse(const StateKernels& at, Routes& routes, FreeResponse& free);

  /// Computes the responses of the contacts that stick in the mode.
  /// \param mass  largest diagonal entry of the metric
  /// \pre `StateKernels::read_slides`, and a factor of the explicit route
  [[nodiscard]] Outcome<void> factor(double mass);
  /// Computes `force`, which changes the velocities by `wanted` [ns] as far as any force can.
  void find_force(const Vector& wanted);
  /// Adds the accelerations and multipliers that `force` causes.
  void add_motion_to(Vector& u, Vector& multipliers) const;

  Vector force;            ///< [ns] at contacts that stick
  Matrix U;                ///< [nu × ns] u' under a unit force along each component
  int size = 0;            ///< number of directions in which sticking contacts could move
  bool is_shared = false;  ///< forces are not unique, or a sticking contact cannot be moved by any motion

 private:
  [[nodiscard]] bool has_free_normal(std::size_t slide);

  const StateKernels& at_;
  Routes& routes_;
  FreeResponse& free_;
  Matrix L_;                 ///< [nc × ns] λ under a unit force along each component
  Matrix K_;                 ///< [ns × ns] J U
  Matrix T_;                 ///< [ns × ns] the first `size` columns are the directions
  std::vector<int> owner_;   ///< contact of each of these columns
  numeric::FullPivotLu lu_;  ///< of Tᵀ K T, which may be singular
  Vector along_, total_, zero_, lambda_;
};

}  // namespace vinculum::sim

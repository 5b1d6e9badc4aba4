#pragma once

#include <vector>

#include "vinculum/motion/accelerations/free_response.hpp"
#include "vinculum/motion/state_kernels.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Orthonormal directions in the velocity of a contact, one a column.
using ContactBasis = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
/// Directions in which a velocity can change, from its response K = J U to forces along its components.
/// \param mass  the largest of the metric
[[nodiscard]] ContactBasis directions_of_change(ConstMatrix K, ConstMatrix J, double mass);

/// Response of the velocities of contacts that stick to forces at these contacts: the forces that keep them.
/// Allocates nothing.
class StickingResponse {
 public:
  StickingResponse(const StateKernels& at, Routes& routes, FreeResponse& free);

  /// Responses of what sticks in the mode.   \param mass  the largest of the metric
  /// \pre `StateKernels::read_slides`, and the factor at hand
  [[nodiscard]] Outcome<void> factor(double mass);
  /// `force` that changes the velocities by `wanted` [ns], as far as anything can.
  void find_force(const Vector& wanted);
  /// Adds what `force` makes of motion and multipliers.
  void add_motion_to(Vector& u, Vector& multipliers) const;

  Vector force;            ///< [ns] of contacts that stick
  Matrix U;                ///< [nu × ns] u' of a unit force against each component
  int size = 0;            ///< directions in which those that stick could move
  bool is_shared = false;  ///< forces are not unique, or a contact sticks that no motion could set off

 private:
  [[nodiscard]] bool has_free_normal(std::size_t slide);

  const StateKernels& at_;
  Routes& routes_;
  FreeResponse& free_;
  Matrix L_;                 ///< [nc × ns] λ of a unit force against each component
  Matrix K_;                 ///< [ns × ns] J U
  Matrix T_;                 ///< [ns × ns] its first `size` columns: the directions
  std::vector<int> owner_;   ///< of these columns: the slide
  numeric::FullPivotLu lu_;  ///< of Tᵀ K T, which may be singular
  Vector along_, total_, zero_, lambda_;
};

}  // namespace vinculum::sim

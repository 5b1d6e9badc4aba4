#pragma once

#include <optional>
#include <vector>

#include "vinculum/motion/friction_reading.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Contacts that stick as a Schur complement over the generated motion, where their bounds do not depend on reactions:
/// K τ = −(J u' + β) with u' of the motion without them, then the motion with the directions s = −τ/g of friction.
/// Allocates nothing.
class HeldFriction {
 public:
  explicit HeldFriction(StateKernels& at);

  /// Whether there is code for contacts that stick.
  [[nodiscard]] bool is_generated() const { return at_.bound->stick.kernel || at_.bound->locked.kernel; }
  /// Outputs of `kernel`, accelerations first, into `StateKernels::result`, with the forces that keep v = 0 of what
  /// sticks; their directions are in `StateKernels::input`.   \pre `StateKernels::load`  \returns false where the
  /// pivoted solver is to decide.
  [[nodiscard]] bool is_found_by(const BoundKernel& kernel);
  /// As `Sticking::project`; nothing where that is to do it.   \pre a contact sticks
  [[nodiscard]] std::optional<double> push(double t, double* y);
  /// Speeds that contacts lock are 0 to the last bit, as u' = 0 keeps them.
  void stop_locked_speeds(double* y) const;
  /// As `FrictionOf::read`. \returns false where the pivoted solver is to decide.   \pre a contact sticks
  [[nodiscard]] bool read(double t, const double* y, FrictionReading& reading);

 private:
  [[nodiscard]] bool is_found_locked();  ///< where what sticks locks single speeds
  [[nodiscard]] bool factor();
  void solve(VectorRef x) const;

  StateKernels& at_;
  std::vector<int> held_;  ///< components that stick and can move, of `factor_`
  Matrix factor_;          ///< L D Lᵀ of their K: D, and L below it
  Vector along_, force_;   ///< [ns]
  std::vector<double> stick_, stick_workspace_, push_input_, locked_input_;
  std::vector<int> locked_speed_;  ///< [slides] where they are single speeds (`CompiledModel::locked`)
};

}  // namespace vinculum::sim

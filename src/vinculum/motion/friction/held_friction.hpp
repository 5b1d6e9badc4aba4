#pragma once

#include <optional>
#include <vector>

#include "vinculum/motion/friction_reading.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Computes forces of sticking contacts by generated code, if their friction bounds g do not depend on reactions. The
/// forces τ that keep the sliding velocities at 0 solve K τ = −(J u' + β). Here u' is the motion without these forces,
/// J u' + β the rate of the sliding velocities, and K the Schur complement. Then the motion is evaluated with the
/// friction directions s = −τ/g. Allocates nothing.
class HeldFriction {
 public:
  explicit HeldFriction(StateKernels& at);

  /// Whether there is generated code for sticking contacts.
  [[nodiscard]] bool is_generated() const { return at_.bound->stick.kernel || at_.bound->locked.kernel; }
  /// Evaluates `kernel`, whose first outputs are accelerations, into `StateKernels::result`, with the forces of
  /// sticking contacts that keep v = 0. The friction directions of these forces are then in `StateKernels::input`.
  /// \pre `StateKernels::load`
  /// \returns false if the pivoted solver is to be used.
  [[nodiscard]] bool is_found_by(const BoundKernel& kernel);
  /// Does the same as `Sticking::project`, by generated code. Returns nothing if generated code cannot, so that the
  /// caller has to call `Sticking::project`.
  /// \pre a contact sticks
  [[nodiscard]] std::optional<double> push(double t, double* y);
  /// Sets speeds that sticking contacts lock to exactly 0. They stay 0, since their u' is 0.
  void stop_locked_speeds(double* y) const;
  /// Does the same as `FrictionOf::read`.
  /// \returns false if the pivoted solver is to be used.
  /// \pre a contact sticks
  [[nodiscard]] bool read(double t, const double* y, FrictionReading& reading);

 private:
  [[nodiscard]] bool is_found_locked();  ///< `is_found_by` if each sticking contact locks a single speed
  [[nodiscard]] bool factor();
  void solve(VectorRef x) const;

  StateKernels& at_;
  std::vector<int> held_;  ///< components of sliding velocities that sticking contacts keep at 0, in the order of
                           ///< `factor_`; without components that depend on no speed
  Matrix factor_;          ///< K = L D Lᵀ of these components: D on the diagonal, L below it
  Vector along_, force_;   ///< [ns] scratch; forces τ
  std::vector<double> stick_, stick_workspace_, push_input_, locked_input_;
  std::vector<int> locked_speed_;  ///< [slides] the locked speed of each contact (`CompiledModel::locked`)
};

}  // namespace vinculum::sim

#pragma once

#include <optional>
#include <vector>

#include "vinculum/motion/friction_reading.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Sticking contacts by generated code, if their bounds do not depend on reactions: a Schur complement on top of the
/// generated motion. Solves K τ = −(J u' + β), with u' of the motion without them, and then evaluates the motion with
/// the friction directions s = −τ/g. Allocates nothing.
class HeldFriction {
 public:
  explicit HeldFriction(StateKernels& at);

  /// Whether there is generated code for sticking contacts.
  [[nodiscard]] bool is_generated() const { return at_.bound->stick.kernel || at_.bound->locked.kernel; }
  /// Evaluates `kernel`, whose first outputs are accelerations, into `StateKernels::result`, with the forces that keep
  /// v = 0 of sticking contacts. Their directions are then in `StateKernels::input`.
  /// \pre `StateKernels::load`
  /// \returns false if the pivoted solver is to decide.
  [[nodiscard]] bool is_found_by(const BoundKernel& kernel);
  /// As `Sticking::project`; nothing if `Sticking::project` has to do it.
  /// \pre a contact sticks
  [[nodiscard]] std::optional<double> push(double t, double* y);
  /// Sets speeds that contacts lock to exactly 0. They stay 0, since u' = 0.
  void stop_locked_speeds(double* y) const;
  /// As `FrictionOf::read`.
  /// \returns false if the pivoted solver is to decide.
  /// \pre a contact sticks
  [[nodiscard]] bool read(double t, const double* y, FrictionReading& reading);

 private:
  [[nodiscard]] bool is_found_locked();  ///< for contacts that lock single speeds
  [[nodiscard]] bool factor();
  void solve(VectorRef x) const;

  StateKernels& at_;
  std::vector<int> held_;  ///< velocity components that stick and can move, in the order of `factor_`
  Matrix factor_;          ///< L D Lᵀ of their K: D on the diagonal, L below it
  Vector along_, force_;   ///< [ns] scratch and τ
  std::vector<double> stick_, stick_workspace_, push_input_, locked_input_;
  std::vector<int> locked_speed_;  ///< [slides] the locked speed of each contact (`CompiledModel::locked`)
};

}  // namespace vinculum::sim

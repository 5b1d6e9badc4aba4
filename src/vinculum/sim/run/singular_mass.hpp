#pragma once

#include <optional>

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/sim/plant/dynamics.hpp"

namespace vinculum::sim {

/// Eigenvalues of ZᵀMZ against ZᵀM₀Z, ascending, M₀ the metric and Z a basis of ker A: what multipliers of the
/// vakonomic law leave of the inertia along the constraints. 1 without them; 0 where the accelerations are not
/// determined. [degrees of freedom]
[[nodiscard]] Vector relative_inertia(const Matrices& matrices);

/// Watches for the inertia along the constraints to pass through zero, where M may be indefinite (theory.md §6.4), and
/// for the determinant of the system of the highest derivatives to do so (§6.5).
class InertiaMonitor {
 public:
  explicit InertiaMonitor(Dynamics& dynamics) : dynamics_(dynamics) {}
  void begin(double t, const Vector& y);
  /// \returns kVakonomicSingular with its time, to 1e-9 of the step, where an eigenvalue changed sign inside the step.
  [[nodiscard]] std::optional<Failure> check(const integrate::Step& step);
  /// Whether a step size that collapsed here has this cause.
  [[nodiscard]] std::optional<Failure> explain(double t, const Vector& y);

 private:
  [[nodiscard]] bool is_watched() const {
    return dynamics_.compiled().system->has_indefinite_mass || is_of_higher_order();
  }
  [[nodiscard]] bool is_of_higher_order() const { return dynamics_.compiled().system->higher != nullptr; }
  /// Number of negative eigenvalues; of constraints of higher order 1 where the determinant of their system is.
  [[nodiscard]] Eigen::Index negative_at(double t, const Vector& y);
  [[nodiscard]] Vector inertia_at(double t, const Vector& y);
  [[nodiscard]] Failure failure(double t) const;
  Dynamics& dynamics_;
  Matrices m_;
  Vector y_;
  Eigen::Index negative_ = 0;
};

/// Rows whose laws make M indefinite, for messages.
[[nodiscard]] std::vector<int> rows_with_inertia(const dynamics::System& system);

}  // namespace vinculum::sim

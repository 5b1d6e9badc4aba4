#pragma once

#include <optional>
#include <vector>

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/sim/plant/compiled_model.hpp"

namespace vinculum::sim {

/// Velocities whose direction the non-ideal forces of the model take, in `unit(v)`, `sign(v)` or a division by
/// `norm(v)` or |v|, where such forces depend on reactions. Fills `compiled.sliding`.
/// \returns measure numbers of them all, in t, q, u.
[[nodiscard]] std::vector<expr::Expr> sliding_velocities(dynamics::System& system, CompiledModel& compiled);

/// Ends a run where such a velocity passes through zero. Friction stated along the direction of sliding says nothing
/// about rest: neither that the contact sticks nor that it slides on the other way; an integrator would jump to and fro
/// across zero.
class SlidingMonitor {
 public:
  explicit SlidingMonitor(const CompiledModel& compiled);
  /// \returns kFrictionNoSolution with the rows of the constraint and the time where sliding ends within an accepted
  /// step.
  [[nodiscard]] std::optional<Failure> check(const integrate::Step& step);

 private:
  void read(double t, const Vector& y, Vector& velocities);

  const CompiledModel& compiled_;
  Vector before_, after_, inside_, y_;
  std::vector<double> input_, workspace_;
};

}  // namespace vinculum::sim

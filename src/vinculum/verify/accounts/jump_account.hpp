#pragma once

#include <vector>

#include "vinculum/run/sink.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::sim {

/// Records the states before and after each event that changes the speeds, in models with unilateral constraints. The
/// audit compares the change of the speeds with the recorded impulses (theory.md §10.3).
class JumpAccount final : public Sink {
 public:
  explicit JumpAccount(std::vector<StateJump>& jumps) : jumps_(jumps) {}
  void set(const Vector& after) override;
  void passed(const Stretch& stretch) override;

 private:
  std::vector<StateJump>& jumps_;
  double t_ = 0.0;
  Vector last_;                      ///< [q, u, z] last known state; empty in a model without unilateral constraints
  Eigen::Index first_ = 0, nu_ = 0;  ///< position and number of the speeds in the state
};

}  // namespace vinculum::sim

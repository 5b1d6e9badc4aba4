#pragma once

#include <map>
#include <vector>

#include "vinculum/equations/chain_motion.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// Forces at points and torques on frames, as they add up. Measure numbers of a force in its point's home frame, of a
/// torque in the axes of the frame it acts on (ChainMotion).
class Wrenches {
 public:
  explicit Wrenches(ChainMotion& motion) : motion_(motion) {}
  void add(const model::ForceOn& stated);
  void add(const model::TorqueOn& stated);
  void add_force(model::PointId point, const ExprVector& at_home);
  void add_torque(model::FrameId frame, const ExprVector& in_axes);

  /// Σ v_r·F + Σ ω_r·T for every speed: the gradient of the power by the speeds with the wrenches held, taken in
  /// reverse, which passes them on from link to link towards the root. [nu]
  [[nodiscard]] std::vector<expr::Expr> generalized(const System& system);
  [[nodiscard]] const std::map<model::PointId, ExprVector>& forces() const { return forces_; }
  [[nodiscard]] const std::map<model::FrameId, ExprVector>& torques() const { return torques_; }

 private:
  ChainMotion& motion_;
  std::map<model::PointId, ExprVector> forces_;
  std::map<model::FrameId, ExprVector> torques_;
};

/// The acceleration of gravity that is the same everywhere, in the newtonian frame.
[[nodiscard]] ExprVector uniform_gravity(const System& system, Lowering& lowering);
/// Impressed forces and torques but uniform gravity, which the motion takes as free fall.
void add_loads(const System& system, ChainMotion& motion, Wrenches& wrenches);
/// f += Gᵀ D − Gᵀ ∂V/∂q of loads on coordinates and of potentials. [nu]
void add_coordinate_loads(const System& system, std::vector<expr::Expr>& f);

/// Fills M and f: M_rs = Σ m v_r·v_s + ω_r·I·ω_s, f_r = Σ v_r·(R − m a_t) + ω_r·(T − I·α_t − ω×I·ω) + (Gᵀ D)_r − (Gᵀ
/// ∂V/∂q)_r. Springs pull along their line when longer than `length`, damped by `damping` times the rate of the
/// distance. Source: [R] 2.3, 5.2; theory.md §1.
void write_mass_and_force(System& system, ChainMotion& motion);

/// Fills C: C_r = Σ v_r·F + Σ ω_r·T over the `nonideal` clauses, and Gᵀ F for those on coordinates.   Source: theory.md
/// §4.5.
void write_nonideal(System& system, ChainMotion& motion);

/// Fills the directed reactions: Γ_kr = Σ v_r·F + Σ ω_r·T (+ Gᵀ D) of one unit of effort k.   Source: theory.md §6.9.
/// \pre rows are written.
void write_directed(System& system, ChainMotion& motion);

/// What each constraint alone adds to M u' = f: Aᵀλ + C, or Γᵀe + C where its law is directed; λ and e the symbols.
/// \returns [constraint][nu]  \pre rows and directed reactions are written.
[[nodiscard]] std::vector<std::vector<expr::Expr>> generalized_forces(System& system, ChainMotion& motion);
/// Aᵀλ_ideal over the rows of each constraint.   \returns [constraint][nu]  \pre rows are written.
[[nodiscard]] std::vector<std::vector<expr::Expr>> ideal_forces(const System& system);
/// b − A a of the rows of each constraint, a the free acceleration of `System::vectors`; empty where these are.
/// \returns [constraint][rows that it has]  \pre rows are written.
[[nodiscard]] std::vector<std::vector<expr::Expr>> departures(const System& system);

}  // namespace vinculum::equations

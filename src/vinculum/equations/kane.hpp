#pragma once

#include <map>
#include <vector>

#include "vinculum/equations/chain_motion.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// Sums forces at points and torques on frames. Measure numbers of a force are in the home frame of its point, and
/// those of a torque in the frame `ChainMotion::axes`.
class Wrenches {
 public:
  explicit Wrenches(ChainMotion& motion) : motion_(motion) {}
  void add(const model::ForceOn& stated);
  void add(const model::TorqueOn& stated);
  void add_force(model::PointId point, const ExprVector& at_home);
  void add_torque(model::FrameId frame, const ExprVector& in_axes);

  /// [nu] Generalized forces Σ v_r·F + Σ ω_r·T: the gradient of the power by the speeds at constant forces and torques.
  /// It is computed in reverse mode, which passes wrenches from link to link toward the root.
  [[nodiscard]] std::vector<expr::Expr> generalized(const System& system);
  [[nodiscard]] const std::map<model::PointId, ExprVector>& forces() const { return forces_; }
  [[nodiscard]] const std::map<model::FrameId, ExprVector>& torques() const { return torques_; }

 private:
  ChainMotion& motion_;
  std::map<model::PointId, ExprVector> forces_;
  std::map<model::FrameId, ExprVector> torques_;
};

/// Uniform gravitational acceleration, measure numbers in the newtonian frame.
[[nodiscard]] ExprVector uniform_gravity(const System& system, Lowering& lowering);
/// Adds the forces and torques of all loads except uniform gravity, which ChainMotion treats as free fall.
void add_loads(const System& system, ChainMotion& motion, Wrenches& wrenches);
/// [nu] Adds loads on coordinates and potentials to f: f += Gᵀ D − Gᵀ ∂V/∂q.
void add_coordinate_loads(const System& system, std::vector<expr::Expr>& f);

/// Writes M and f:
///
///   M_rs = Σ m v_r·v_s + ω_r·I·ω_s
///   f_r  = Σ v_r·(R − m a_t) + ω_r·(T − I·α_t − ω×I·ω) + (Gᵀ D)_r − (Gᵀ ∂V/∂q)_r
///
/// The force of a spring acts along the line between its ends and pulls them together if it is longer than `length`;
/// `damping` multiplies the rate of the distance.
/// Source: [R] 2.3, 5.2; theory.md §1.
void write_mass_and_force(System& system, ChainMotion& motion);

/// Writes C: C_r = Σ v_r·F + Σ ω_r·T over the `nonideal` clauses, plus Gᵀ F for clauses on coordinates.
/// Source: theory.md §4.5.
void write_nonideal(System& system, ChainMotion& motion);

/// Writes the matrix Γ of the servo constraints: Γ_kr = Σ v_r·F + Σ ω_r·T + (Gᵀ D)_r, with the forces F, torques T and
/// generalized forces D of one unit of effort k.
/// Source: theory.md §6.9.   \pre rows are written.
void write_directed(System& system, ChainMotion& motion);

/// Contribution of each constraint to M u' = f: Aᵀλ + C, or Γᵀe + C for a servo constraint, with λ and e as symbols.
/// \returns [constraint][nu]   \pre rows and servo constraints are written.
[[nodiscard]] std::vector<std::vector<expr::Expr>> generalized_forces(System& system, ChainMotion& motion);
/// Aᵀλ_ideal over the rows of each constraint.   \returns [constraint][nu]  \pre rows are written.
[[nodiscard]] std::vector<std::vector<expr::Expr>> ideal_forces(const System& system);
/// Residuals b − A a of the rows of each constraint, where a is the unconstrained acceleration in `System::vectors`.
/// \returns [constraint][rows of the constraint]; empty if `System::vectors` is empty   \pre rows are written.
[[nodiscard]] std::vector<std::vector<expr::Expr>> departures(const System& system);

}  // namespace vinculum::equations

#pragma once

#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/expr/series.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/run/trajectory.hpp"

/// The System that is judged, node by node.
namespace vinculum::audit {

using sim::Binding;

using sim::Sample;
using sim::Trajectory;

/// The pieces of a System at one sample by `expr::interpret_series`, letters as there, each with the rounding of its
/// evaluation. Γ is [efforts × nu].
struct Equations {
  Equations(const Binding& bound, const Sample& sample);
  RoundedVector q_dot, g, f, C, b;
  RoundedMatrix G, M, A, phi_q, Gamma;
  /// Those of the sample with what the solve for them may miss: conditioning of M, A M⁻¹Aᵀ or of what takes its place.
  RoundedVector u_dot, lambda, lambda_ideal, effort, top;
  double condition = 1.0;
  /// By how much φ, ψ, A u' − b [nc] of the rows that depend on others, and A [nc × nu] of those that the coordinates
  /// hold, may be off 0, the numbers of the text and of the state being known as well as they can be written; 0 of
  /// other rows.
  Vector doubt_of_phi, doubt_of_psi, doubt_of_rate;
  Matrix doubt_of_A;
  Vector missed_force;  ///< [nu] what M u' = f + Q may be missed by: of reactions as they are reported
  Vector doubt;         ///< [nu] the share of u' errors that rounding of M, f, A and b brings
  std::vector<RoundedVector> law_forces;  ///< f − M u' that the law of each of System::changes adds
  std::vector<char> is_directed;          ///< [nc] rows kept by efforts
  RoundedVector law_reaction;             ///< [nu] R of all constraints of higher order
  /// Of these (theory.md §6.5): q, q', …, q^(2p) and μ, …, μ^(p) of each, as far as the structure asks for them, else
  /// 0; equations of the state; d/dt of the shares of the effective energy [constraints].
  std::vector<RoundedVector> path, mu_path;
  RoundedVector hidden, energy_rate;
  Matrix hidden_gradient;  ///< [hidden × (nu + nu + nz)] along displacements, by speeds and by states

  /// Whether a row of A is zero, compared with the terms that make its entries.
  [[nodiscard]] bool is_zero_row(Eigen::Index row) const;
  /// Aᵀ of the rows of ideal law times their multipliers.
  [[nodiscard]] RoundedVector pull(const RoundedVector& of_rows) const;
  /// Forces of a solve, with what they may miss. [nu]
  [[nodiscard]] RoundedVector reported(const Vector& Q) const;
  /// The whole reaction of a constraint as the System has it: Aᵀλ of its rows and what its law adds to f − M u'. [nu]
  [[nodiscard]] RoundedVector reaction(const Binding& bound, model::ConstraintId constraint) const;
  /// Σ_s |M_rs u'_s| + |f_r| + Σ |A_sr λ_s| + |C_r| + Σ |Γ_kr e_k|: what row r of M u' = f + Qc is made of. [nu]
  [[nodiscard]] Vector sizes() const;
  /// Units of speeds that make kinetic energies alike: 1/√M_rr, and of massless ones the least of these. [nu]
  [[nodiscard]] Vector units() const;

 private:
  void doubt_dependent_rows(const Binding& bound, const Sample& sample);
  void solve_errors(const Binding& bound, const Sample& sample);
  void read_higher_order(const Binding& bound, const Sample& sample);
};

/// How the forces of friction and of other laws with reactions change: of f + C.
struct ForceSlopes {
  ForceSlopes(const Binding& bound, const Sample& sample);
  Matrix by_lambda;     ///< [nu × nc]
  Matrix by_direction;  ///< [nu × ns] by the directions of friction
};

}  // namespace vinculum::audit

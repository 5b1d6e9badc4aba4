#pragma once

#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/expr/series.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/run/trajectory.hpp"

/// The audited System, evaluated node by node.
namespace vinculum::audit {

using sim::Binding;

using sim::Sample;
using sim::Trajectory;

/// The terms of a System at one sample, evaluated by `expr::interpret_series`, with bounds of their rounding errors.
/// Letters as in theory.md §0; Γ is [efforts × nu].
struct Equations {
  Equations(const Binding& bound, const Sample& sample);
  RoundedVector q_dot, g, f, C, b;
  RoundedMatrix G, M, A, phi_q, Gamma;
  /// Solutions as reported by the sample, with error bounds from the conditioning of M and A M⁻¹Aᵀ (or of the system
  /// solved instead).
  RoundedVector u_dot, lambda, lambda_ideal, effort, top;
  double condition = 1.0;
  /// Deviations from 0 that the precision of the numbers in the text and the state allows: φ, ψ and A u' − b [nc] of
  /// redundant rows, and A [nc × nu] of rows that hold identically in the coordinates. 0 for other rows.
  Vector doubt_of_phi, doubt_of_psi, doubt_of_rate;
  Matrix doubt_of_A;
  Vector missed_force;                    ///< [nu] residual that M u' = f + Q may have, due to reported reactions
  Vector doubt;                           ///< [nu] the part of the error of u' that is due to rounding of M, f, A and b
  std::vector<RoundedVector> law_forces;  ///< the term that the law of each of System::changes adds to f − M u'
  std::vector<char> is_directed;          ///< [nc] rows of servo constraints (enforced by actuator efforts)
  RoundedVector law_reaction;             ///< [nu] R of all constraints of higher order
  /// For constraints of higher order (theory.md §6.5): q, q', …, q^(2p), and μ, …, μ^(p) of each, up to the orders that
  /// the structure needs, else 0; equations of the state; d/dt of each constraint's part of the effective energy.
  std::vector<RoundedVector> path, mu_path;
  RoundedVector hidden, energy_rate;
  Matrix hidden_gradient;  ///< [hidden × (nu + nu + nz)] derivative of `hidden` along displacements, speeds and states

  /// Whether a row of A is zero relative to the terms of its entries.
  [[nodiscard]] bool is_zero_row(Eigen::Index row) const;
  /// Aᵀλ of the rows of ideal law, for the given λ.
  [[nodiscard]] RoundedVector pull(const RoundedVector& of_rows) const;
  /// Reported generalized forces, with their error bounds. [nu]
  [[nodiscard]] RoundedVector reported(const Vector& Q) const;
  /// Complete reaction of a constraint according to the System: Aᵀλ of its rows and the terms that its law adds to f −
  /// M u'. [nu]
  [[nodiscard]] RoundedVector reaction(const Binding& bound, model::ConstraintId constraint) const;
  /// Σ_s |M_rs u'_s| + |f_r| + Σ |A_sr λ_s| + |C_r| + Σ |Γ_kr e_k|: the size of the terms of row r of M u' = f + Qc.
  /// [nu]
  [[nodiscard]] Vector sizes() const;
  /// Units of speeds in which kinetic energies are equal: 1/√M_rr; for a massless speed the smallest of these. [nu]
  [[nodiscard]] Vector units() const;

 private:
  void doubt_dependent_rows(const Binding& bound, const Sample& sample);
  void solve_errors(const Binding& bound, const Sample& sample);
  void read_higher_order(const Binding& bound, const Sample& sample);
};

/// Derivatives of f + C, for friction and other laws that depend on reactions.
struct ForceSlopes {
  ForceSlopes(const Binding& bound, const Sample& sample);
  Matrix by_lambda;     ///< ∂(f + C)/∂λ [nu × nc]
  Matrix by_direction;  ///< ∂(f + C)/∂s by the directions of friction [nu × ns]
};

}  // namespace vinculum::audit

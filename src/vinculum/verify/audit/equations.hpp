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
/// Letters as in theory.md §0; Gamma is the matrix of the actuator efforts [efforts × nu].
struct Equations {
  Equations(const Binding& bound, const Sample& sample);
  RoundedVector q_dot, g, f, C, b;
  RoundedMatrix G, M, A, phi_q, Gamma;
  /// Unknowns as reported by the sample. Their error bounds follow from the conditioning of M and A M⁻¹Aᵀ, or of the
  /// system that is solved instead.
  RoundedVector u_dot, lambda, lambda_ideal, effort, top;
  double condition = 1.0;
  /// Bounds on deviations from 0 that the precision of the numbers in the model text and in the state allows. For
  /// redundant rows: bounds of φ, ψ and A u' − b [nc]. For rows that the coordinates satisfy identically: bounds of A
  /// [nc × nu]. 0 for other rows.
  Vector doubt_of_phi, doubt_of_psi, doubt_of_rate;
  Matrix doubt_of_A;
  Vector missed_force;                    ///< [nu] residual of M u' = f + Q due to errors of the reported reactions
  Vector doubt;                           ///< [nu] error of u' that is caused by rounding errors of M, f, A and b
  std::vector<RoundedVector> law_forces;  ///< [laws] terms that each law in System::changes adds to f − M u'
  std::vector<char> is_directed;          ///< [nc] whether the row is a servo constraint (enforced by efforts)
  RoundedVector law_reaction;             ///< [nu] reaction R of all constraints of higher order
  /// Quantities of constraints of higher order (theory.md §6.5), up to the orders that the structure of the equations
  /// needs, and 0 above. `path`: q, q', …, q^(2p), with p the order of the constraint. `mu_path`: the multiplier μ and
  /// its derivatives up to μ^(p), for each constraint. `hidden`: equations that restrict the state. `energy_rate`: d/dt
  /// of each constraint's contribution to the effective energy.
  std::vector<RoundedVector> path, mu_path;
  RoundedVector hidden, energy_rate;
  Matrix hidden_gradient;  ///< [hidden × (nu + nu + nz)] derivatives by displacements, speeds and states

  /// Whether all entries of a row of A are zero relative to the terms that they are sums of.
  [[nodiscard]] bool is_zero_row(Eigen::Index row) const;
  /// Computes Aᵀλ for the multipliers `of_rows`, summed over the rows with the ideal law.
  [[nodiscard]] RoundedVector pull(const RoundedVector& of_rows) const;
  /// Returns the generalized forces Q as reported, with their error bounds. [nu]
  [[nodiscard]] RoundedVector reported(const Vector& Q) const;
  /// Returns the complete reaction of a constraint according to the System: Aᵀλ of its rows plus the terms that its law
  /// adds to f − M u'. [nu]
  [[nodiscard]] RoundedVector reaction(const Binding& bound, model::ConstraintId constraint) const;
  /// Returns the magnitude of the terms of each row r of M u' = f + Qc: Σ_s |M_rs u'_s| + |f_r| + Σ |A_sr λ_s| + |C_r|
  /// + Σ |Γ_kr e_k|. [nu]
  [[nodiscard]] Vector sizes() const;
  /// Returns the units of speeds in which kinetic energies are equal: 1/√M_rr for speed r. For a massless speed, the
  /// smallest of these units. [nu]
  [[nodiscard]] Vector units() const;

 private:
  void doubt_dependent_rows(const Binding& bound, const Sample& sample);
  void solve_errors(const Binding& bound, const Sample& sample);
  void read_higher_order(const Binding& bound, const Sample& sample);
};

/// Derivatives of f + C, needed for friction and other laws that depend on reactions.
struct ForceSlopes {
  ForceSlopes(const Binding& bound, const Sample& sample);
  Matrix by_lambda;     ///< ∂(f + C)/∂λ [nu × nc]
  Matrix by_direction;  ///< ∂(f + C)/∂s, with s the friction directions [nu × ns]
};

}  // namespace vinculum::audit

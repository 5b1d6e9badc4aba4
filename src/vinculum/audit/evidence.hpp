#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "vinculum/mechanics/evaluate.hpp"
#include "vinculum/sim/plant/compiled_model.hpp"
#include "vinculum/sim/run/trajectory.hpp"

/// What the lines of the audit are judged by: the System node by node, and the same instant from definitions.
namespace vinculum::audit {

using sim::CompiledModel;
using sim::Dynamics;
using sim::Sample;
using sim::Trajectory;

using Vector3 = Eigen::Vector3d;

/// The pieces of a System at one sample by `expr::interpret`, letters as there. Γ is [efforts × nu].
struct Equations {
  Equations(const CompiledModel& compiled, const Sample& sample);
  Vector q_dot, g, f, C, b, phi, psi;
  Matrix G, M, A, Gamma;
  std::vector<Vector> law_forces;  ///< f − M u' that the law of each of System::changes adds
  std::vector<char> is_directed;   ///< [nc] rows kept by efforts
  Vector law_reaction;             ///< [nu] R of all constraints of higher order
  /// Of these (theory.md §6.5): q, q', …, q^(2p) and μ, …, μ^(p) of each, as far as the structure asks for them, else
  /// 0; equations of the state and their sizes; d/dt of the shares of the effective energy [constraints].
  std::vector<Vector> path, mu_path;
  Vector hidden, hidden_size, energy_rate;

  /// Aᵀ of the rows of ideal law times their multipliers.
  [[nodiscard]] Vector pull(const Vector& lambda) const;
  /// The whole reaction of a constraint as the System has it: Aᵀλ of its rows and what its law adds to f − M u'. [nu]
  [[nodiscard]] Vector reaction(const CompiledModel& compiled, const Sample& sample,
                                mechanics::ConstraintId constraint) const;
  /// Σ_s |M_rs u'_s| + |f_r| + Σ |A_sr λ_s| + |C_r| + Σ |Γ_kr e_k|: what row r of M u' = f + Qc is made of. [nu]
  [[nodiscard]] Vector sizes(const Sample& sample) const;
  void read_higher_order(const CompiledModel& compiled, const Sample& sample);
  /// Units of speeds that make kinetic energies alike: 1/√M_rr, and of massless ones the least of these. [nu]
  [[nodiscard]] Vector units() const;
};

/// One sample as the definitions see it: jets of points, frames and terms along the motion, and along unit motions of
/// the speeds. Shares with the derivation of the System only G and g, which are judged against the definitions of the
/// speeds.
class Evidence {
 public:
  Evidence(const CompiledModel& compiled, const Sample& sample);

  const CompiledModel& compiled;
  const mechanics::Model& model;
  const Sample& sample;
  const Equations at;

  /// Along the motion: q', q'' of the sample.
  mechanics::TermValues& now() { return *now_; }
  /// q' = g, q'' = 0: what the time alone moves.
  mechanics::TermValues& rest();
  /// q' = g + G e_r, q'' = 0.
  mechanics::TermValues& unit(std::size_t speed);
  /// q' = 0, q'' = 0: the time alone.
  mechanics::TermValues& still();
  /// q' of the sample, q'' = 0.
  mechanics::TermValues& unpushed();
  /// q' of the sample, q'' = G e_r.
  mechanics::TermValues& pushed(std::size_t speed);

  /// Measure numbers in the newtonian frame of a vector now.
  [[nodiscard]] Vector3 value(mechanics::Term vector);
  [[nodiscard]] double scalar(mechanics::Term term) { return now_->scalar(term).value; }
  /// ∂v^P/∂u_r and ∂ω^B/∂u_r [3 × nu]: differences of unit motions, as v is affine in u.
  const Matrix& partial_velocities(mechanics::PointId point);
  const Matrix& partial_angular_velocities(mechanics::FrameId frame);
  /// v^P, ω^B at u = 0.
  [[nodiscard]] Vector3 velocity_at_rest(mechanics::PointId point);
  [[nodiscard]] Vector3 angular_velocity_at_rest(mechanics::FrameId frame);
  /// Row of A from jets of the row as written: by how much q'' = G e_r changes its second (first) rate. [nu]; not
  /// finite where the row holds partial derivatives, which are known by differences only and slow, or is not linear in
  /// u'.
  [[nodiscard]] Vector row_gradient(mechanics::ConstraintId constraint, std::size_t row);
  /// The same of a row that holds partial derivatives, of velocity or acceleration level and affine in q' (q''): by the
  /// difference of its values under q' + G e_r, two-sided, to the ten digits that partial derivatives have. [nu]; not
  /// finite of any other row.
  [[nodiscard]] Vector row_gradient_by_differences(mechanics::ConstraintId constraint, std::size_t row);
  /// Level of a row by itself; rows of a joint differ.
  [[nodiscard]] mechanics::Level level(mechanics::ConstraintId constraint, std::size_t row) const;
  /// Whether it has rows in the System: one that is realised or of higher order has none.
  [[nodiscard]] bool has_row(mechanics::ConstraintId constraint) const {
    return mechanics::has_rows(model.constraint(constraint));
  }
  /// First row of the constraint in the System.   \pre has_row
  [[nodiscard]] std::size_t first_row(mechanics::ConstraintId constraint) const {
    return first_row_[constraint.index()];
  }

 private:
  [[nodiscard]] std::unique_ptr<mechanics::TermValues> values(const Vector& q_dot, const Vector& q_ddot) const;

  mechanics::Instant instant_;
  std::vector<std::size_t> first_row_;
  std::unique_ptr<mechanics::TermValues> now_, rest_, still_, unpushed_;
  std::vector<std::unique_ptr<mechanics::TermValues>> unit_, pushed_;
  std::map<mechanics::PointId, Matrix> partial_velocities_;
  std::map<mechanics::FrameId, Matrix> partial_angular_velocities_;
};

/// Sizes of the run: largest |q|, |u|, |u'| of each component with floors of a thousandth of the largest among them.
struct RunScales {
  Vector q, u, u_dot;
  double duration = 1.0;
};

}  // namespace vinculum::audit

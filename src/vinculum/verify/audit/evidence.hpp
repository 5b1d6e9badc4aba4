#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "vinculum/model/evaluate.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/verify/audit/equations.hpp"

/// Computes quantities of one sample from their definitions, without the expressions of the System.
namespace vinculum::audit {

using sim::Dynamics;

using Vector3 = Eigen::Matrix<Rounded, 3, 1>;

/// Returns the length of a vector of values, without its error.
[[nodiscard]] inline double size_of(const Vector3& v) { return Eigen::Vector3d(values_of(v)).norm(); }
/// Returns the length of a vector of values, with the length of the error vector as its error.
[[nodiscard]] inline Rounded length_of(const Vector3& v) { return {size_of(v), Eigen::Vector3d(errors_of(v)).norm()}; }

/// Evaluates one sample from definitions. Points, frames and terms are Taylor series along the motion, and along
/// virtual motions in which one speed is 1 and the others are 0. Only G and g of q' = G u + g are taken from the
/// derivation of the System; a separate audit line compares G and g with the definitions of the speeds.
class Evidence {
 public:
  Evidence(const Binding& bound, const Sample& sample);

  const Binding& bound;
  const model::Model& model;
  const Sample& sample;
  const Equations at;

  /// Returns the values along the motion: with q' and q'' of the sample, and the error bound of u'.
  model::TermValues& now() { return *now_; }
  /// Returns the values along q' = g, q'' = 0: the motion due to time alone, at zero speeds.
  model::TermValues& rest();
  /// Returns the values along q' = G e_r, q'' = 0 at a fixed time: a virtual motion of the single speed r.
  model::TermValues& unit(std::size_t speed);
  /// Returns the values along q' = 0, q'' = 0 while time increases.
  model::TermValues& still();
  /// Returns the values at q' = 0, q'' = 0 and a fixed time. Only stated velocities remain, such as the velocity of a
  /// belt.
  model::TermValues& held();

  /// Returns the value of a vector at the sample, as measure numbers in the newtonian frame.
  [[nodiscard]] Vector3 value(model::Term vector);
  [[nodiscard]] Vector3 rate_of(model::Term vector);
  [[nodiscard]] Rounded scalar(model::Term term) { return now_->series(term).value(); }
  [[nodiscard]] Rounded rate(model::Term term) { return now_->series(term).derivative(1); }
  /// Partial velocities ∂v^P/∂u_r and partial angular velocities ∂ω^B/∂u_r [3 × nu], as velocities of the motions
  /// `unit`(r).
  const RoundedMatrix& partial_velocities(model::PointId point);
  const RoundedMatrix& partial_angular_velocities(model::FrameId frame);
  /// Returns the velocity v^P and angular velocity ω^B at u = 0.
  [[nodiscard]] Vector3 velocity_at_rest(model::PointId point);
  [[nodiscard]] Vector3 angular_velocity_at_rest(model::FrameId frame);
  /// Returns the row of A from the relation as written: ∂φ/∂q, ∂ψ/∂q' or ∂χ/∂q'', each multiplied by G e_r. [nu] Not
  /// finite if the row is not linear in u'.
  [[nodiscard]] RoundedVector row_gradient(model::ConstraintId constraint, std::size_t row);
  /// Returns the relation that the engine enforces: the relation as written or, if it contains states, its derivative
  /// (theory.md §6.10).
  [[nodiscard]] model::Term kept(model::ConstraintId constraint, std::size_t row) const;
  /// Returns the level at which one row is enforced; the rows of a joint may differ in level.
  [[nodiscard]] model::Level level(model::ConstraintId constraint, std::size_t row) const;
  /// Whether the constraint has rows in the System. A penalty realization and a constraint of higher order have none.
  [[nodiscard]] bool has_row(model::ConstraintId constraint) const {
    return model::has_rows(model.constraint(constraint));
  }
  /// Whether a row of the System acts at this sample (constraints with `when` act only while their condition is true).
  [[nodiscard]] bool acts(std::size_t row) const { return row >= sample.acts.size() || sample.acts[row] != 0; }
  /// Returns the first row of the constraint in the System.   \pre has_row
  [[nodiscard]] std::size_t first_row(model::ConstraintId constraint) const { return first_row_[constraint.index()]; }

 private:
  [[nodiscard]] std::unique_ptr<model::TermValues> values(const RoundedVector& q_dot, const RoundedVector& q_ddot,
                                                          bool is_time_held = false) const;

  model::Instant instant_;
  std::vector<std::size_t> first_row_;
  std::unique_ptr<model::TermValues> now_, rest_, still_, held_;
  std::vector<std::unique_ptr<model::TermValues>> unit_;
  std::map<model::PointId, RoundedMatrix> partial_velocities_;
  std::map<model::FrameId, RoundedMatrix> partial_angular_velocities_;
};

}  // namespace vinculum::audit

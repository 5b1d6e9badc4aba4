#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "vinculum/model/evaluate.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/verify/audit/equations.hpp"

/// Quantities of one sample from their definitions, without the expressions of the System.
namespace vinculum::audit {

using sim::Dynamics;

using Vector3 = Eigen::Matrix<Rounded, 3, 1>;

/// Length of the vector of values, without errors.
[[nodiscard]] inline double size_of(const Vector3& v) { return Eigen::Vector3d(values_of(v)).norm(); }
/// The same length, with the error of the components as its error.
[[nodiscard]] inline Rounded length_of(const Vector3& v) { return {size_of(v), Eigen::Vector3d(errors_of(v)).norm()}; }

/// One sample evaluated from definitions: Taylor series of points, frames and terms along the motion, and along unit
/// motions of the speeds. Only G and g are taken from the derivation of the System; a separate line judges them against
/// the definitions of the speeds.
class Evidence {
 public:
  Evidence(const Binding& bound, const Sample& sample);

  const Binding& bound;
  const model::Model& model;
  const Sample& sample;
  const Equations at;

  /// Along the motion: q' and q'' of the sample, with the error bound of u'.
  model::TermValues& now() { return *now_; }
  /// q' = g, q'' = 0: motion due to time alone, at zero speeds.
  model::TermValues& rest();
  /// q' = G e_r, q'' = 0, time held: a virtual motion of one speed.
  model::TermValues& unit(std::size_t speed);
  /// q' = 0, q'' = 0: coordinates held, time runs.
  model::TermValues& still();
  /// q' = 0, q'' = 0, time held. Stated velocities that are not due to motion remain, such as the velocity of a belt.
  model::TermValues& held();

  /// Value of a vector, as measure numbers in the newtonian frame.
  [[nodiscard]] Vector3 value(model::Term vector);
  [[nodiscard]] Vector3 rate_of(model::Term vector);
  [[nodiscard]] Rounded scalar(model::Term term) { return now_->series(term).value(); }
  [[nodiscard]] Rounded rate(model::Term term) { return now_->series(term).derivative(1); }
  /// ∂v^P/∂u_r and ∂ω^B/∂u_r [3 × nu]: velocities of unit motions.
  const RoundedMatrix& partial_velocities(model::PointId point);
  const RoundedMatrix& partial_angular_velocities(model::FrameId frame);
  /// v^P, ω^B at u = 0.
  [[nodiscard]] Vector3 velocity_at_rest(model::PointId point);
  [[nodiscard]] Vector3 angular_velocity_at_rest(model::FrameId frame);
  /// Row of A from the relation as written: ∂φ/∂q, ∂ψ/∂q' or ∂χ/∂q'' along G e_r. [nu]; not finite if the row is not
  /// linear in u'.
  [[nodiscard]] RoundedVector row_gradient(model::ConstraintId constraint, std::size_t row);
  /// The relation enforced by the engine: as written, or its derivative if it contains states (theory.md §6.10).
  [[nodiscard]] model::Term kept(model::ConstraintId constraint, std::size_t row) const;
  /// Level of one row as it is enforced; rows of a joint differ in level.
  [[nodiscard]] model::Level level(model::ConstraintId constraint, std::size_t row) const;
  /// Whether the constraint has rows in the System. A penalty realization and a constraint of higher order have none.
  [[nodiscard]] bool has_row(model::ConstraintId constraint) const {
    return model::has_rows(model.constraint(constraint));
  }
  /// Whether a row of the System acts at this sample.
  [[nodiscard]] bool acts(std::size_t row) const { return row >= sample.acts.size() || sample.acts[row] != 0; }
  /// First row of the constraint in the System.   \pre has_row
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

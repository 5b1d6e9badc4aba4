#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "vinculum/model/jet.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// One instant of a motion: coordinates with at least their first two time derivatives, and the forces at that instant.
struct Instant {
  double t = 0.0;
  std::vector<double> q, q_dot, q_ddot;     ///< [nq] each: coordinates and their first two time derivatives
  std::vector<std::vector<double>> lambda;  ///< [constraint][row]; may be empty if no multiplier is used
  std::vector<std::vector<double>> lambda_ideal;
  std::vector<std::vector<double>> generalized_force = {};  ///< [constraint][speed]; may be empty if unused
  std::vector<std::vector<double>> effort = {};             ///< [constraint][actuator]; may be empty if unused
  std::vector<double> z = {};                   ///< [states] values of the extra states; may be empty if unused
  std::vector<std::vector<double>> slide = {};  ///< [slides][component] friction directions; may be empty if unused
  std::vector<double> q_higher = {};  ///< [k·nq] third derivatives of q, then fourth ones, …, as far as they are known
  bool is_time_held = false;          ///< t is constant: only the coordinates move
  /// True: numbers and parameters have a relative error of 4 ε, like those typed in a text. False: they are exact.
  bool numbers_are_stated = false;
  std::vector<double> parameters = {};  ///< parameter values; empty: the current values of the model
  /// Error bounds of the members above. The errors come from linear systems that were solved, and from q' = G u + g.
  /// Empty: the values are exact.
  std::vector<double> q_dot_error = {}, q_ddot_error = {}, q_higher_error = {};
  std::vector<std::vector<double>> lambda_error = {}, effort_error = {};

  /// Order of the highest known time derivative of the coordinates.
  [[nodiscard]] std::size_t order_known() const { return q.empty() ? 2 : 2 + q_higher.size() / q.size(); }
};

/// The parameter values that the model text declares. [parameters]
[[nodiscard]] std::vector<double> declared_values(const Model& model);

/// Numerical values of terms and their time derivatives, computed directly from the definitions:
/// * time derivatives by Taylor series along the motion;
/// * angular velocities from the skew part of R′Rᵀ;
/// * partial derivatives by a perturbed motion (expr::Series).
///
/// All results are exact up to rounding and have error bounds. Slow. The class shares no code with `time_derivative` or
/// with the lowering to expressions, so it checks both independently.
class TermValues {
 public:
  TermValues(const Model& model, Instant instant) : model_(model), at_(std::move(instant)) {}
  [[nodiscard]] const Instant& instant() const { return at_; }

  [[nodiscard]] Jet scalar(Term term) { return jet_of(series(term)); }
  /// Measure numbers in `frame`; their rates are the rates seen in that frame.
  [[nodiscard]] JetVector vector(Term term, FrameId frame = Model::newtonian());
  /// The results of `scalar` and `vector` with error bounds and all known derivatives.
  [[nodiscard]] Series series(Term scalar);
  [[nodiscard]] SeriesVector series_vector(Term term, FrameId frame = Model::newtonian());

 private:
  /// Value of a node in newtonian components; the value of a scalar is the first component.
  const SeriesVector& node_value(Term node);
  SeriesVector leaf_value(Term node);
  [[nodiscard]] Series number(const Rounded& known) const;
  SeriesVector operation_value(Term node);
  /// Number of known derivatives of the motion, including the value.
  [[nodiscard]] int known() const;
  [[nodiscard]] Series coordinate(std::size_t i) const;
  [[nodiscard]] Series state(std::size_t i) const;
  [[nodiscard]] Series changed_state(Series z, std::size_t i) const;
  Series partial(Term of, Term by);
  /// An object for the motion in which the variable `by` is perturbed in addition by an infinitesimal ε.
  TermValues& beside(Term by);
  /// ∂q'/∂u_r at fixed q and t. [nq][nu]
  const std::vector<std::vector<Series>>& rates_of_speeds();
  SeriesVector velocity(PointId point, FrameId seen_in);
  SeriesVector acceleration(PointId point, FrameId seen_in);
  const SeriesVector& position(PointId point);
  /// Position of the observer in the frame, that is, of the frame's anchor (KinematicTree).
  SeriesVector anchor(FrameId frame);
  const SeriesRotation& rotation(FrameId frame);
  SeriesVector angular_velocity(FrameId frame, FrameId seen_in);

  const Model& model_;
  Instant at_;
  std::vector<Term> changes_;  ///< variables that are perturbed by ε_0, ε_1, …
  int state_depth_ =
      0;  ///< number of evaluations of state rates, one within another, that led to this object; at most 2
  std::unordered_map<TermId, SeriesVector> values_;
  std::map<PointId, SeriesVector> positions_;
  std::map<FrameId, SeriesRotation> rotations_;
  std::map<TermId, std::shared_ptr<TermValues>> beside_;
  std::vector<std::vector<Series>> rates_of_speeds_;
};

}  // namespace vinculum::model

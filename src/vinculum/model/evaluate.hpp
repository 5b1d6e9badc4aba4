#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "vinculum/model/jet.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// A motion at one instant: the coordinates with two derivatives, or three.
struct Instant {
  double t = 0.0;
  std::vector<double> q, q_dot, q_ddot;     ///< [nq]
  std::vector<std::vector<double>> lambda;  ///< [constraint][row]; may be empty where no multiplier is asked for
  std::vector<std::vector<double>> lambda_ideal;
  std::vector<std::vector<double>> generalized_force = {};  ///< [constraint][speed]; may be empty likewise
  std::vector<std::vector<double>> effort = {};             ///< [constraint][actuator]; may be empty likewise
  std::vector<double> z = {};                               ///< [states]; may be empty likewise
  std::vector<std::vector<double>> slide = {};  ///< [slides][component] directions of friction; may be empty likewise
  std::vector<double> q_higher = {};    ///< [k·nq] third derivatives, then fourth ones, as far as they are known
  bool is_time_held = false;            ///< t is a constant: a motion of the coordinates alone
  bool numbers_are_stated = false;      ///< numbers and parameters are known to 4 ε, as a text states them, not exact
  std::vector<double> parameters = {};  ///< or empty: the values that the model has in force
  /// By how much they may err, as results of solves and of q' = G u + g; empty: they are exact.
  std::vector<double> q_dot_error = {}, q_ddot_error = {}, q_higher_error = {};
  std::vector<std::vector<double>> lambda_error = {}, effort_error = {};

  /// Derivatives of coordinates that are known: 0 … order_known().
  [[nodiscard]] std::size_t order_known() const { return q.empty() ? 2 : 2 + q_higher.size() / q.size(); }
};

/// The values that the model's text declares. [parameters]
[[nodiscard]] std::vector<double> declared_values(const Model& model);

/// Terms as numbers with their time derivatives, straight from the definitions: along the motion as Taylor series,
/// angular velocity is the skew part of R′Rᵀ, partial derivatives are those of a motion beside it (expr::Series). All
/// are exact up to rounding, of which each carries a bound. Slow. Shares nothing with `time_derivative` or the lowering
/// to expressions, so it is the second route for both.
class TermValues {
 public:
  TermValues(const Model& model, Instant instant) : model_(model), at_(std::move(instant)) {}
  [[nodiscard]] const Instant& instant() const { return at_; }

  [[nodiscard]] Jet scalar(Term term) { return jet_of(series(term)); }
  /// Measure numbers in `frame`; their rates are those seen in that frame.
  [[nodiscard]] JetVector vector(Term term, FrameId frame = Model::newtonian());
  /// The same with rounding, and all derivatives that are known.
  [[nodiscard]] Series series(Term scalar);
  [[nodiscard]] SeriesVector series_vector(Term term, FrameId frame = Model::newtonian());

 private:
  /// Of any node, in newtonian components; a scalar is the first.
  const SeriesVector& node_value(Term node);
  SeriesVector leaf_value(Term node);
  [[nodiscard]] Series number(const Rounded& known) const;
  SeriesVector operation_value(Term node);
  /// Derivatives that the motion tells, the value included.
  [[nodiscard]] int known() const;
  [[nodiscard]] Series coordinate(std::size_t i) const;
  [[nodiscard]] Series state(std::size_t i) const;
  [[nodiscard]] Series changed_state(Series z, std::size_t i) const;
  Series partial(Term of, Term by);
  /// The motion beside this one, where `by` is another by a further ε.
  TermValues& beside(Term by);
  /// ∂q'/∂u_r at fixed q and t. [nq][nu]
  const std::vector<std::vector<Series>>& rates_of_speeds();
  SeriesVector velocity(PointId point, FrameId seen_in);
  SeriesVector acceleration(PointId point, FrameId seen_in);
  const SeriesVector& position(PointId point);
  /// Where the observer in the frame stands.
  SeriesVector anchor(FrameId frame);
  const SeriesRotation& rotation(FrameId frame);
  SeriesVector angular_velocity(FrameId frame, FrameId seen_in);

  const Model& model_;
  Instant at_;
  std::vector<Term> changes_;  ///< what is changed by ε_0, ε_1, …
  int state_depth_ = 0;        ///< inside how many rates of states
  std::unordered_map<TermId, SeriesVector> values_;
  std::map<PointId, SeriesVector> positions_;
  std::map<FrameId, SeriesRotation> rotations_;
  std::map<TermId, std::shared_ptr<TermValues>> beside_;
  std::vector<std::vector<Series>> rates_of_speeds_;
};

}  // namespace vinculum::model

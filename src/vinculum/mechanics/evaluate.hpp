#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "vinculum/mechanics/jet.hpp"
#include "vinculum/mechanics/model.hpp"

namespace vinculum::mechanics {

/// A motion at one instant: the coordinates with two derivatives, or more.
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
  std::vector<double> parameters = {};  ///< or empty: the values that the model has in force

  /// Derivatives of coordinates that are known: 0 … order_known().
  [[nodiscard]] std::size_t order_known() const { return q.empty() ? 2 : 2 + q_higher.size() / q.size(); }
  /// Derivative `order` of coordinate i.   \pre it is known
  [[nodiscard]] double& derivative(std::size_t i, std::size_t order) {
    return order == 0 ? q[i] : order == 1 ? q_dot[i] : order == 2 ? q_ddot[i] : q_higher[(order - 3) * q.size() + i];
  }
};

/// The values that the model's text declares. [parameters]
[[nodiscard]] std::vector<double> declared_values(const Model& model);

/// Terms as numbers with their time derivatives, straight from the definitions: positions are differentiated as jets,
/// angular velocity is the skew part of R′Rᵀ, partial derivatives are finite differences (about 10 digits). Slow.
/// Shares nothing with `time_derivative` or the lowering to expressions, so it is the second route for both.
class TermValues {
 public:
  TermValues(const Model& model, Instant instant) : model_(model), at_(std::move(instant)) {}

  [[nodiscard]] Jet scalar(Term term);
  /// Measure numbers in `frame`; their rates are those seen in that frame.
  [[nodiscard]] JetVector vector(Term term, FrameId frame = Model::newtonian());

 private:
  /// Of any node, in newtonian components; a scalar is the first.
  JetVector node_value(Term node);
  JetVector leaf_value(Term node);
  Jet partial(Term of, Term by);
  /// Derivative `order` of a scalar, by differences along the motion.   \pre the derivatives it holds are known
  double rate_along(Term of, int order) const;
  /// ∂of/∂by as a number at another instant.
  double partial_value(const Instant& at, Term of, Term by) const;
  double value_at(Instant at, Term scalar) const;
  /// δq' of a unit δu_r at fixed q and t.
  std::vector<double> rates_of_unit_speed(const Instant& at, std::size_t speed) const;
  JetVector velocity(PointId point, FrameId seen_in);
  JetVector acceleration(PointId point, FrameId seen_in);
  const JetVector& position(PointId point);
  /// Where the observer in the frame stands.
  JetVector anchor(FrameId frame);
  const JetRotation& rotation(FrameId frame);
  JetVector angular_velocity(FrameId frame, FrameId seen_in);

  const Model& model_;
  Instant at_;
  int state_depth_ = 0;  ///< inside how many rates of states
  std::unordered_map<TermId, JetVector> values_;
  std::map<PointId, JetVector> positions_;
  std::map<FrameId, JetRotation> rotations_;
};

}  // namespace vinculum::mechanics

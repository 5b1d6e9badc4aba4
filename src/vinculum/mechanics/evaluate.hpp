#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "vinculum/mechanics/jet.hpp"
#include "vinculum/mechanics/model.hpp"

namespace vinculum::mechanics {

/// A motion at one instant: the coordinates with two derivatives. Parameters have the model's values.
struct Instant {
  double t = 0.0;
  std::vector<double> q, q_dot, q_ddot;             ///< [nq]
  std::vector<std::vector<double>> lambda;          ///< [constraint][row]; may be empty where no multiplier is asked for
  std::vector<std::vector<double>> lambda_ideal;
  std::vector<std::vector<double>> generalized_force = {};   ///< [constraint][speed]; may be empty likewise
};

/// Terms as numbers with their time derivatives, straight from the definitions: positions are differentiated as jets,
/// angular velocity is the skew part of R′Rᵀ. Slow. Shares nothing with `time_derivative` or the lowering to expressions,
/// so it is the second route for both.
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
  const JetVector& position(PointId point);
  const JetRotation& rotation(FrameId frame);
  JetVector angular_velocity(FrameId frame, FrameId seen_in);

  const Model& model_;
  Instant at_;
  std::unordered_map<TermId, JetVector> values_;
  std::map<PointId, JetVector> positions_;
  std::map<FrameId, JetRotation> rotations_;
};

}  // namespace vinculum::mechanics

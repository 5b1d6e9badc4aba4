#pragma once

#include <map>
#include <vector>

#include "vinculum/equations/lowering.hpp"

namespace vinculum::equations {

/// Velocities and accelerations of points, each from its base's, in frames that move along: what a long chain needs
/// costs the same for every link. A point's home frame is the one its offset and all that is set off from it stand in,
/// or turn in.
class ChainMotion {
 public:
  explicit ChainMotion(Lowering& lowering);

  [[nodiscard]] model::FrameId home(model::PointId point) const { return homes_[point.index()]; }
  /// The frame that the angular velocity of the frame and torques on it are measured in: where its body is round about
  /// the axis that it turns about, the one it is turned from. The inertia is constant there too, and what the body has
  /// turned by does not come in.
  [[nodiscard]] model::FrameId axes(model::FrameId frame);
  /// In the newtonian frame, measure numbers in the home frame; of a `point P on B` the body's.
  [[nodiscard]] const ExprVector& velocity(model::PointId point);
  /// The same less the uniform gravity: a − g.
  [[nodiscard]] const ExprVector& acceleration(model::PointId point);
  /// \param g  newtonian measure numbers of an acceleration that is the same everywhere.   \pre no acceleration was
  /// asked for.
  void fall_freely(const ExprVector& g) { gravity_ = g; }

  [[nodiscard]] Lowering& lowering() { return lowering_; }

 private:
  void find_homes();
  [[nodiscard]] bool is_round(const model::Inertia& inertia, int axis);
  const ExprVector& motion(model::PointId point, int order);
  ExprVector own_motion(model::PointId point, int order);

  Lowering& lowering_;
  ExprVector gravity_;
  std::vector<model::FrameId> homes_;               ///< [points]
  std::map<model::PointId, ExprVector> places_[2];  ///< by order − 1: of places, `on` left aside
  std::map<model::PointId, ExprVector> matter_[2];
};

}  // namespace vinculum::equations

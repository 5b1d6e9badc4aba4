#pragma once

#include <map>
#include <vector>

#include "vinculum/dynamics/lowering.hpp"

namespace vinculum::dynamics {

/// Velocities and accelerations of points, each from its base's, in frames that move along: what a long chain needs
/// costs the same for every link. A point's home frame is the one its offset and all that is set off from it stand in,
/// or turn in.
class ChainMotion {
 public:
  explicit ChainMotion(Lowering& lowering);

  [[nodiscard]] mechanics::FrameId home(mechanics::PointId point) const { return homes_[point.index()]; }
  /// The frame that the angular velocity of the frame and torques on it are measured in: where its body is round about
  /// the axis that it turns about, the one it is turned from. The inertia is constant there too, and what the body has
  /// turned by does not come in.
  [[nodiscard]] mechanics::FrameId axes(mechanics::FrameId frame);
  /// In the newtonian frame, measure numbers in the home frame; of a `point P on B` the body's.
  [[nodiscard]] const ExprVector& velocity(mechanics::PointId point);
  /// The same less the uniform gravity: a − g.
  [[nodiscard]] const ExprVector& acceleration(mechanics::PointId point);
  /// \param g  newtonian measure numbers of an acceleration that is the same everywhere.   \pre no acceleration was
  /// asked for.
  void fall_freely(const ExprVector& g) { gravity_ = g; }

  [[nodiscard]] Lowering& lowering() { return lowering_; }

 private:
  void find_homes();
  [[nodiscard]] bool is_round(const mechanics::Inertia& inertia, int axis);
  const ExprVector& motion(mechanics::PointId point, int order);
  ExprVector own_motion(mechanics::PointId point, int order);

  Lowering& lowering_;
  ExprVector gravity_;
  std::vector<mechanics::FrameId> homes_;               ///< [points]
  std::map<mechanics::PointId, ExprVector> places_[2];  ///< by order − 1: of places, `on` left aside
  std::map<mechanics::PointId, ExprVector> matter_[2];
};

}  // namespace vinculum::dynamics

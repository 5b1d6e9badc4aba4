#pragma once

#include <map>
#include <vector>

#include "vinculum/equations/lowering.hpp"

namespace vinculum::equations {

/// Computes velocities and accelerations of points. Each is computed from the motion of the point's base, in a frame
/// that moves along with the chain, so every link of a long chain costs the same. The *home frame* of a point is the
/// frame in which its motion is expressed. It is the frame of the point's own offset, or a frame from which that frame
/// and the frames of the offsets of all points attached to the point descend.
class ChainMotion {
 public:
  explicit ChainMotion(Lowering& lowering);

  [[nodiscard]] model::FrameId home(model::PointId point) const { return homes_[point.index()]; }
  /// Frame in which the angular velocity of `frame`, and torques on it, are expressed. If the body of the frame is
  /// symmetric about its axis of rotation, this is the parent frame. The inertia is constant there too, and the angle
  /// of rotation does not appear in the equations.
  [[nodiscard]] model::FrameId axes(model::FrameId frame);
  /// Velocity in the newtonian frame; measure numbers in the home frame. For `point P on B` it is the velocity of the
  /// point of B that coincides with P.
  [[nodiscard]] const ExprVector& velocity(model::PointId point);
  /// Acceleration in the newtonian frame minus uniform gravity, a − g; measure numbers in the home frame.
  [[nodiscard]] const ExprVector& acceleration(model::PointId point);
  /// Sets the uniform gravity.
  /// \param g  [3] its measure numbers in the newtonian frame.   \pre no acceleration has been evaluated yet.
  void fall_freely(const ExprVector& g) { gravity_ = g; }

  [[nodiscard]] Lowering& lowering() { return lowering_; }

 private:
  void find_homes();
  [[nodiscard]] bool is_round(const model::Inertia& inertia, int axis);
  const ExprVector& motion(model::PointId point, int order);
  ExprVector own_motion(model::PointId point, int order);

  Lowering& lowering_;
  ExprVector gravity_;
  std::vector<model::FrameId> homes_;  ///< [points] home frame of each point
  /// [order − 1] derivatives of each point's position, also for points `on` a body
  std::map<model::PointId, ExprVector> places_[2];
  std::map<model::PointId, ExprVector> matter_[2];
};

}  // namespace vinculum::equations

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
  const ExprVector& motion(mechanics::PointId point, int order);
  ExprVector own_motion(mechanics::PointId point, int order);

  Lowering& lowering_;
  ExprVector gravity_;
  std::vector<mechanics::FrameId> homes_;               ///< [points]
  std::map<mechanics::PointId, ExprVector> places_[2];  ///< by order − 1: of places, `on` left aside
  std::map<mechanics::PointId, ExprVector> matter_[2];
};

}  // namespace vinculum::dynamics

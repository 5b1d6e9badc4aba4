#pragma once

#include "support/mechanisms/engine.hpp"

namespace vinculum::mechanisms {

/// The meaning of the name of a place in the engine's report.
struct Spot {
  int carrier = Mechanism::kNoCarrier;  ///< body, or kGroundCarrier
  int particle = -1;
  int massless = -1;  ///< index of a point that no body carries
  int point = -1;     ///< index in the mechanism; −1 for contact points
  /// NAME.P, NAME.Q; the point of a body that coincides with another point
  bool is_contact = false, is_coincident = false;
  Eigen::Vector3d r = Eigen::Vector3d::Zero();
};
[[nodiscard]] Spot spot_of(const Oracle& oracle, const Constraint& constraint, const std::string& name);
[[nodiscard]] std::string name_of_point(const Mechanism& mechanism, const Asked& asked);

/// Names of all points on which the constraint is reported to exert forces.
[[nodiscard]] std::vector<std::string> points_of(const Reading& reading, const Mechanism& mechanism, int constraint);

/// The answer that follows from the motion, with the derivative of each entry with respect to all unknowns.
struct Expected {
  Vector values;
  std::vector<Vector> gradients;
  /// Groups of entries of which only the length is determined, such as those along e1 and e2 of an oblique axis.
  /// Empty: every entry is determined separately.
  std::vector<std::vector<int>> groups = {};
};
/// \returns nothing if the motion does not determine how several points share a force, for example at a massless
/// point.
[[nodiscard]] std::optional<Expected> expected_answer(const Oracle& oracle, const Reading& reading, const Asked& asked);
/// Magnitudes of all forces that a constraint may exert.   [layout]
[[nodiscard]] Vector sizes_of(const Oracle& oracle, int constraint);

/// Groups of rows of a joint that may be written along other directions: for an axis that is not one of A's own axes,
/// e1 and e2 are any two directions normal to it. Empty if every row is determined separately.
[[nodiscard]] std::vector<std::vector<int>> exchangeable_rows(const Mechanism& m, const Constraint& c);

}  // namespace vinculum::mechanisms

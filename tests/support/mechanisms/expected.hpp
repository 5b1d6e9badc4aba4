#pragma once

#include "support/mechanisms/engine.hpp"

namespace vinculum::mechanisms {

/// The place that a name in the engine's report means.
struct Spot {
  int carrier = Mechanism::kNoCarrier;  ///< body, kGroundCarrier
  int particle = -1;
  int massless = -1;                               ///< a point that no body carries
  int point = -1;                                  ///< of the mechanism; −1 for points of contacts
  bool is_contact = false, is_coincident = false;  ///< NAME.P, NAME.Q; the point of a body at another point
  Eigen::Vector3d r = Eigen::Vector3d::Zero();
};
[[nodiscard]] Spot spot_of(const Oracle& oracle, const Constraint& constraint, const std::string& name);
[[nodiscard]] std::string name_of_point(const Mechanism& mechanism, const Asked& asked);

/// Names of all points that a constraint is reported to exert forces on.
[[nodiscard]] std::vector<std::string> points_of(const Reading& reading, const Mechanism& mechanism, int constraint);

/// The answer that the motion gives, with the derivative of each entry by all unknowns.
struct Expected {
  Vector values;
  std::vector<Vector> gradients;
  /// Entries of which only the size is determined, as those along e1 and e2 of an oblique axis. Empty: each for itself.
  std::vector<std::vector<int>> groups = {};
};
/// \returns nothing if the motion does not tell how several points share a force, as with a place without mass.
[[nodiscard]] std::optional<Expected> expected_answer(const Oracle& oracle, const Reading& reading, const Asked& asked);
/// Sizes of all that a constraint may exert.   [layout]
[[nodiscard]] Vector sizes_of(const Oracle& oracle, int constraint);

/// Rows of a joint in groups of which each may be written along other directions: e1 and e2 of an axis that is none of
/// A's own are any two directions across it. Empty where every row is known by itself.
[[nodiscard]] std::vector<std::vector<int>> exchangeable_rows(const Mechanism& m, const Constraint& c);

}  // namespace vinculum::mechanisms

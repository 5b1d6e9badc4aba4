#pragma once

#include <array>
#include <utility>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Orthonormal basis of the rows that were found independent at one state. Most rows have a single nonzero entry, so
/// only nonzero entries are stored.
class RowSpace {
 public:
  /// Adds the row if it is independent of the earlier ones; otherwise returns false.
  bool join(std::vector<double> row);

 private:
  std::vector<std::vector<std::pair<std::size_t, double>>> rows_;
};

/// Normalizes all quaternions.
void normalize_quaternions(const Model& model, std::vector<double>& q);

/// The row r with r·q' = ½ d|e|²/dt for a quaternion e. [nq] The norm of e has no meaning for the motion. If this row
/// is added to a RowSpace first, a speed that depends only on the rate of the norm is not independent.
[[nodiscard]] std::vector<double> gauge_row(const std::array<CoordinateId, 4>& e, const std::vector<double>& q);

}  // namespace vinculum::model

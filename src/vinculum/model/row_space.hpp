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

/// The row r with r·q' = ½ d|e|²/dt for a quaternion e. A change of its norm is not a motion. If this row is added to a
/// RowSpace first, no speed can be a multiple of it. [nq]
[[nodiscard]] std::vector<double> gauge_row(const std::array<CoordinateId, 4>& e, const std::vector<double>& q);

}  // namespace vinculum::model

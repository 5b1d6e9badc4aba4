#pragma once

#include <array>
#include <utility>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Orthonormal basis of the rows found independent so far at one state. Most rows have a single entry, so only nonzero
/// entries are stored.
class RowSpace {
 public:
  /// Adds the row if it is independent of the earlier ones; otherwise returns false.
  bool join(std::vector<double> row);

 private:
  std::vector<std::vector<std::pair<std::size_t, double>>> rows_;
};

/// Normalizes all quaternions.
void normalize_quaternions(const Model& model, std::vector<double>& q);

/// The direction in which only the norm of a quaternion changes. A change of the norm is not a motion, so no speed may
/// use this direction. [nq]
[[nodiscard]] std::vector<double> gauge_row(const std::array<CoordinateId, 4>& e, const std::vector<double>& q);

}  // namespace vinculum::model

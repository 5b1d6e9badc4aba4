#pragma once

#include <array>
#include <utility>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Orthonormal rows found independent so far at one state. Most have a single entry, so only entries other than zero
/// are kept.
class RowSpace {
 public:
  /// Joins the row when it is independent of those before; false when it is not.
  bool join(std::vector<double> row);

 private:
  std::vector<std::vector<std::pair<std::size_t, double>>> rows_;
};

/// Brings the coordinates of all quaternions to unit norm.
void normalize_quaternions(const Model& model, std::vector<double>& q);

/// The direction in which a quaternion only grows: no motion, so that no speed may claim it. [nq]
[[nodiscard]] std::vector<double> gauge_row(const std::array<CoordinateId, 4>& e, const std::vector<double>& q);

}  // namespace vinculum::model

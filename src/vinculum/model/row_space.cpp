#include "vinculum/model/row_space.hpp"

#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::model {
namespace {

double length_of(const std::vector<double>& v) {
  double sum = 0.0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

bool RowSpace::join(std::vector<double> row) {
  const double length = length_of(row);
  if (length == 0.0) return false;
  for (double& x : row) x /= length;
  for (int pass = 0; pass < 2; ++pass) {
    for (const auto& known : rows_) {
      double along = 0.0;
      for (const auto& [i, x] : known) along += x * row[i];
      if (along == 0.0) continue;
      for (const auto& [i, x] : known) row[i] -= along * x;
    }
  }
  const double rest = length_of(row);
  if (rest < tolerance::kGeneric) return false;
  auto& entries = rows_.emplace_back();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] != 0.0) entries.emplace_back(i, row[i] / rest);
  }
  return true;
}

void normalize_quaternions(const Model& model, std::vector<double>& q) {
  for (const Frame& frame : model.frames) {
    if (!frame.quaternion) continue;
    double sum = 0.0;
    for (const CoordinateId i : frame.quaternion->e) sum += q[i.index()] * q[i.index()];
    for (const CoordinateId i : frame.quaternion->e) q[i.index()] /= std::sqrt(sum);
  }
}

std::vector<double> gauge_row(const std::array<CoordinateId, 4>& e, const std::vector<double>& q) {
  std::vector<double> row(q.size(), 0.0);
  for (const CoordinateId i : e) row[i.index()] = q[i.index()];
  return row;
}

}  // namespace vinculum::model

#include "vinculum/sim/plant/scales.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {

double parameter_scale(const mechanics::Model& model, std::span<const double> values, const Dimension& dimension) {
  double largest = 0.0;
  if (model.has_units && !dimension.is_dimensionless()) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (model.parameters[i].dimension == dimension) largest = std::max(largest, std::abs(values[i]));
    }
  }
  return largest > 0.0 && std::isfinite(largest) ? largest : 1.0;
}

struct OfDimension {
  Dimension dimension;
};
std::vector<OfDimension> dimensions_of(const std::vector<Dimension>& dimensions) {
  std::vector<OfDimension> all;
  for (const Dimension& one : dimensions) all.push_back({one});
  return all;
}

/// For each component the largest of `size` over the components of its dimension.
template <class Named>
Vector largest_of_dimension(const std::vector<Named>& named, const Vector& size) {
  Vector largest = size;
  for (std::size_t i = 0; i < named.size(); ++i) {
    for (std::size_t j = 0; j < named.size(); ++j) {
      if (named[i].dimension == named[j].dimension) {
        double& own = largest[static_cast<Eigen::Index>(i)];
        own = std::max(own, size[static_cast<Eigen::Index>(j)]);
      }
    }
  }
  return largest;
}

Vector coordinate_sizes(const mechanics::Model& model, std::span<const double> values, const Vector& q,
                        double parameter_share) {
  // Coordinates of a stated size measure no others.
  Vector size = q.cwiseAbs();
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    if (model.coordinates[i].scale) nth(size, i) = 0.0;
  }
  size = largest_of_dimension(model.coordinates, size);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const mechanics::Coordinate& coordinate = model.coordinates[i];
    nth(size, i) = coordinate.scale.value_or(
        std::max(nth(size, i), parameter_share * parameter_scale(model, values, coordinate.dimension)));
  }
  return size;
}

/// \param stands_alone  (index) → bool: a group of its own.
template <class Named, class Alone>
void group_by_dimension(const std::vector<Named>& named, const Alone& stands_alone, std::vector<int>& groups) {
  int next = groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1;
  std::vector<std::pair<Dimension, int>> known;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto at = std::ranges::find(known, named[i].dimension, &std::pair<Dimension, int>::first);
    const bool is_known = at != known.end() && !stands_alone(i);
    groups.push_back(is_known ? at->second : next);
    if (is_known) continue;
    if (!stands_alone(i)) known.emplace_back(named[i].dimension, next);
    ++next;
  }
}

/// Whether speed i is the rate of a coordinate whose typical size is stated.
bool is_rate_of_stated(const CompiledModel& compiled, std::size_t i) {
  return compiled.has_identity_kinematics && compiled.model->coordinates[i].scale.has_value();
}

}  // namespace

Vector coordinate_scale(const mechanics::Model& model, std::span<const double> values, const Vector& q) {
  return coordinate_sizes(model, values, q, tolerance::kFloor);
}

Vector coordinate_scale(const CompiledModel& compiled, const Vector& q) {
  return coordinate_scale(*compiled.model, compiled.parameters, q);
}

Vector coordinate_reach(const CompiledModel& compiled, const Vector& q) {
  return coordinate_sizes(*compiled.model, compiled.parameters, q, 1.0);
}

Vector speed_scale(const CompiledModel& compiled, const Vector& u, const Vector& u_dot, const Vector& q_scale) {
  const mechanics::Model& model = *compiled.model;
  const double displacement = q_scale.size() > 0 ? q_scale.maxCoeff() : 1.0;
  Vector size = u.cwiseAbs();
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    const double s = compiled.has_identity_kinematics ? q_scale[i] : displacement;
    const double reached = std::isfinite(u_dot[i]) ? std::sqrt(std::abs(u_dot[i]) * s) : 0.0;
    size[i] = std::max({size[i], reached, tolerance::kFloor * s});
  }
  Vector shared = size;
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    if (is_rate_of_stated(compiled, static_cast<std::size_t>(i))) shared[i] = 0.0;
  }
  shared = largest_of_dimension(model.speeds, shared);
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    if (!is_rate_of_stated(compiled, static_cast<std::size_t>(i))) size[i] = shared[i];
  }
  return size;
}

Vector state_scale(const CompiledModel& compiled, const Vector& z, const Vector& z_dot, const Vector& q_scale,
                   const Vector& u_scale) {
  // The time in which the motion covers its own size.
  double time = 0.0;
  if (compiled.has_identity_kinematics) {
    for (Eigen::Index i = 0; i < u_scale.size(); ++i) {
      if (u_scale[i] > 0.0) time = std::max(time, q_scale[i] / u_scale[i]);
    }
  }
  if (!(time > 0.0) || time > 1.0) time = 1.0;
  Vector size = z.cwiseAbs();
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    const double reached = std::isfinite(z_dot[i]) ? std::abs(z_dot[i]) * time : 0.0;
    size[i] = std::max({size[i], reached, tolerance::kFloor});
  }
  return largest_of_dimension(dimensions_of(compiled.system->z_dimensions), size);
}

std::vector<int> error_groups(const CompiledModel& compiled) {
  std::vector<int> groups;
  const auto& coordinates = compiled.model->coordinates;
  group_by_dimension(coordinates, [&](std::size_t i) { return coordinates[i].scale.has_value(); }, groups);
  group_by_dimension(compiled.model->speeds, [&](std::size_t i) { return is_rate_of_stated(compiled, i); }, groups);
  group_by_dimension(dimensions_of(compiled.system->z_dimensions), [](std::size_t) { return false; }, groups);
  return groups;
}

}  // namespace vinculum::sim

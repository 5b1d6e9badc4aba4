#include "vinculum/sim/plant/scales.hpp"

#include <algorithm>
#include <cmath>
#include <span>

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
  Vector size = largest_of_dimension(model.coordinates, q.cwiseAbs());
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    double& own = size[static_cast<Eigen::Index>(i)];
    own = std::max(own, parameter_share * parameter_scale(model, values, model.coordinates[i].dimension));
  }
  return size;
}

template <class Named>
void group_by_dimension(const std::vector<Named>& named, std::vector<int>& groups) {
  const int first = groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1;
  std::vector<Dimension> known;
  for (const Named& one : named) {
    auto at = std::find(known.begin(), known.end(), one.dimension);
    if (at == known.end()) at = known.insert(known.end(), one.dimension);
    groups.push_back(first + static_cast<int>(at - known.begin()));
  }
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
  return largest_of_dimension(model.speeds, size);
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
  group_by_dimension(compiled.model->coordinates, groups);
  group_by_dimension(compiled.model->speeds, groups);
  group_by_dimension(dimensions_of(compiled.system->z_dimensions), groups);
  return groups;
}

}  // namespace vinculum::sim

#include "vinculum/compiled/scales.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/dimensions.hpp"

namespace vinculum::sim {
namespace {

std::vector<Dimension> dimensions_of_speeds(const model::Model& model) {
  std::vector<Dimension> all;
  for (const model::Speed& speed : model.speeds) all.push_back(speed.dimension);
  return all;
}

}  // namespace

Vector coordinate_reach(const Binding& bound, const Vector& q) {
  return model::coordinate_reach(*bound->model, bound.parameters, q);
}

Vector coordinate_scale(const Binding& bound, const Vector& q) {
  return model::coordinate_scale(*bound->model, bound.parameters, q);
}

Vector displacement_scale(const Binding& bound, const Vector& q_scale) {
  if (bound->has_identity_kinematics) return q_scale;
  const model::Model& model = *bound->model;
  std::optional<model::ModelUnits> units;
  Vector all = Vector::Zero(bound->nu());
  for (Eigen::Index r = 0; r < all.size(); ++r) {
    const Dimension wanted = nth(model.speeds, r).dimension * make_dimension(0, 0, 1);
    for (Eigen::Index i = 0; i < q_scale.size(); ++i) {
      if (nth(model.coordinates, i).dimension == wanted) all[r] = std::max(all[r], q_scale[i]);
    }
    if (all[r] > 0.0) continue;
    if (!units) units.emplace(model, bound.parameters, q_scale);
    all[r] = units->of(wanted);
  }
  return all;
}

Vector speed_reach(const Binding& bound, const Vector& u, const Vector& q_reach) {
  return speed_scale(bound, u, Vector::Zero(u.size()), q_reach)
      .cwiseMax(displacement_scale(bound, q_reach) / time_scale(*bound->model));
}

Vector speed_scale(const Binding& bound, const Vector& u, const Vector& u_dot, const Vector& q_scale) {
  const model::Model& model = *bound->model;
  const Vector s = displacement_scale(bound, q_scale);
  Vector size = u.cwiseAbs();
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    const double reached = std::isfinite(u_dot[i]) ? std::sqrt(std::abs(u_dot[i]) * s[i]) : 0.0;
    size[i] = std::max({size[i], reached, tolerance::kFloor * s[i] / time_scale(model)});
  }
  return model::largest_of_kind(dimensions_of_speeds(model), size);
}

Vector state_reach(const equations::System& system, std::span<const double> values, const Vector& q, const Vector& z) {
  const model::ModelUnits units(*system.model, values, q);
  Vector size = z.cwiseAbs();
  for (Eigen::Index i = 0; i < size.size(); ++i)
    size[i] = std::max(size[i], units.of(system.z_dimensions[static_cast<std::size_t>(i)]));
  return size;
}

Vector state_scale(const Binding& bound, const Vector& z, const Vector& z_dot, const Vector& q_scale,
                   const Vector& u_scale) {
  // Longest time in which a coordinate at its typical speed covers its typical size; at most the time of the run.
  const double longest = time_scale(*bound->model);
  double time = 0.0;
  if (bound->has_identity_kinematics) {
    for (Eigen::Index i = 0; i < u_scale.size(); ++i) {
      if (u_scale[i] > 0.0) time = std::max(time, q_scale[i] / u_scale[i]);
    }
  }
  if (!(time > 0.0) || time > longest) time = longest;
  Vector size = z.cwiseAbs();
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    if (std::isfinite(z_dot[i])) size[i] = std::max(size[i], std::abs(z_dot[i]) * time);
  }
  size = model::largest_of_kind(bound->system->z_dimensions, size);
  if (size.size() == 0 || size.minCoeff() > 0.0) return size;
  const Vector places = model::stated_places(*bound->model, bound.parameters);
  const Vector reach = state_reach(*bound->system, bound.parameters, places, Vector::Zero(size.size()));
  return (size.array() > 0.0).select(size, tolerance::kFloor * reach);
}

std::vector<int> kinds_of_components(const Binding& bound) {
  std::vector<Dimension> coordinates;
  for (const model::Coordinate& one : bound->model->coordinates) coordinates.push_back(one.dimension);
  std::vector<int> all;
  int first = 0;
  for (const auto& of : {coordinates, dimensions_of_speeds(*bound->model), bound->system->z_dimensions}) {
    std::vector<Dimension> kinds;
    for (const Dimension& dimension : of) {
      const auto known = std::ranges::find(kinds, dimension);
      all.push_back(first + static_cast<int>(known - kinds.begin()));
      if (known == kinds.end()) kinds.push_back(dimension);
    }
    first += static_cast<int>(kinds.size());
  }
  return all;
}

Vector stated_scale(const Binding& bound) {
  const model::Model& model = *bound->model;
  const Vector q = model::stated_places(model, bound.parameters), q_reach = coordinate_reach(bound, q);
  Vector scale(bound->nq() + bound->nu() + bound->nz());
  scale << q_reach, speed_reach(bound, Vector::Zero(bound->nu()), q_reach),
      state_reach(*bound->system, bound.parameters, q, Vector::Zero(bound->nz()));
  return scale;
}

Vector row_scale(const Binding& bound, const std::vector<int>& rows, model::Level level) {
  const model::Model& model = *bound->model;
  const model::ModelUnits units(model, bound.parameters, model::stated_places(model, bound.parameters));
  Vector scale(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const equations::Row& row = nth(bound->system->rows, rows[k]);
    const int rates = static_cast<int>(level) - static_cast<int>(row.level);
    scale[static_cast<Eigen::Index>(k)] =
        units.of(model::dimension_of_row(model.constraint(row.constraint), static_cast<std::size_t>(row.index)) *
                 make_dimension(0, 0, -rates));
  }
  return scale;
}

}  // namespace vinculum::sim

#include "vinculum/sim/plant/scales.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/mechanics/evaluate.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::sim {
namespace {

/// For each component the largest of `size` over the components of its kind.
template <class Kind>
Vector largest_of_kind(const std::vector<Kind>& kind, const Vector& size) {
  Vector largest = size;
  for (std::size_t i = 0; i < kind.size(); ++i) {
    for (std::size_t j = 0; j < kind.size(); ++j) {
      if (!(kind[i] == kind[j])) continue;
      double& own = largest[static_cast<Eigen::Index>(i)];
      own = std::max(own, size[static_cast<Eigen::Index>(j)]);
    }
  }
  return largest;
}

struct CoordinateKind {
  bool is_natural = false;  ///< 1 is a size of it: what has no dimension, in a model without units what turns frames
  Dimension dimension;
  friend bool operator==(const CoordinateKind&, const CoordinateKind&) = default;
};

std::vector<CoordinateKind> kinds_of(const mechanics::Model& model) {
  std::vector<CoordinateKind> kinds;
  for (const mechanics::Coordinate& one : model.coordinates)
    kinds.push_back({model.has_units && one.dimension.is_dimensionless(), one.dimension});
  for (const mechanics::Frame& frame : model.frames) {
    for (const mechanics::SimpleRotation& rotation : frame.rotations) {
      for (const mechanics::Term leaf : mechanics::leaves_as_read(rotation.angle)) {
        if (leaf.kind() == mechanics::TermKind::kCoordinate) kinds[leaf.index()].is_natural = true;
      }
    }
    if (!frame.quaternion) continue;
    for (const mechanics::CoordinateId e : frame.quaternion->e) kinds[e.index()].is_natural = true;
  }
  return kinds;
}

/// The largest number that the text gives a dimension: of parameters; 0 where it gives none.
double stated_size(const mechanics::Model& model, std::span<const double> values, const Dimension& dimension) {
  double largest = 0.0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (model.parameters[j].dimension == dimension && std::isfinite(values[j]))
      largest = std::max(largest, std::abs(values[j]));
  }
  return largest;
}

double whole_power(double x, const Rational& exponent) {
  if (exponent.denominator != 1) return std::pow(x, static_cast<double>(exponent.numerator) / exponent.denominator);
  double result = 1.0;
  for (int i = 0; i < std::abs(exponent.numerator); ++i) result *= x;
  return exponent.numerator < 0 ? 1.0 / result : result;
}

/// Mass, length and time out of the model itself: what takes the place of an SI unit where nothing else is known.
struct Units {
  double mass = 0.0, length = 0.0, time = 1.0;

  Units(const mechanics::Model& model, std::span<const double> values, const Vector& q) : time(time_scale(model)) {
    if (!model.has_units) return;
    mechanics::Instant at;
    at.q.assign(q.data(), q.data() + q.size());
    at.q_dot.assign(at.q.size(), 0.0);
    at.q_ddot = at.q_dot;
    at.parameters.assign(values.begin(), values.end());
    mechanics::TermValues now(model, at);
    const auto join = [](double& size, double with) {
      if (std::isfinite(with)) size = std::max(size, std::abs(with));
    };
    for (const auto& particle : model.particles) join(mass, now.scalar(particle.mass).value);
    for (const auto& body : model.bodies) join(mass, now.scalar(body.mass).value);
    if (!(mass > 0.0)) mass = stated_size(model, values, make_dimension(1, 0, 0));
    const Dimension metre = make_dimension(0, 1, 0);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      if (model.coordinates[static_cast<std::size_t>(i)].dimension == metre) join(length, q[i]);
    }
    join(length, stated_size(model, values, metre));
    for (const auto& body : model.bodies) {
      if (!(mass > 0.0)) break;
      for (const mechanics::Term moment : {body.inertia.xx, body.inertia.yy, body.inertia.zz})
        join(length, std::sqrt(std::abs(now.scalar(moment).value) / mass));
    }
    if (!(length > 0.0)) join(length, stated_size(model, values, make_dimension(0, 1, -1)) * time);
    if (!(length > 0.0)) join(length, stated_size(model, values, make_dimension(0, 1, -2)) * time * time);
  }

  [[nodiscard]] double of(const Dimension& dimension) const {
    const double size = whole_power(mass > 0.0 ? mass : 1.0, dimension.exponents[Dimension::kMass]) *
                        whole_power(length > 0.0 ? length : 1.0, dimension.exponents[Dimension::kLength]) *
                        whole_power(time, dimension.exponents[Dimension::kTime]);
    return size > 0.0 && std::isfinite(size) ? size : 1.0;
  }
};

Vector reach_of(const mechanics::Model& model, std::span<const double> values, const Vector& q,
                const std::vector<CoordinateKind>& kinds) {
  Vector size = q.cwiseAbs();
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const CoordinateKind& kind = kinds[static_cast<std::size_t>(i)];
    if (kind.is_natural) size[i] = std::max(size[i], 1.0);
    if (!kind.dimension.is_dimensionless()) size[i] = std::max(size[i], stated_size(model, values, kind.dimension));
  }
  size = largest_of_kind(kinds, size);
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (!(size[i] > 0.0)) size[i] = Units(model, values, q).of(kinds[static_cast<std::size_t>(i)].dimension);
    if (const auto& stated = model.coordinates[static_cast<std::size_t>(i)].scale) size[i] = *stated;
  }
  return size;
}

std::vector<Dimension> dimensions_of_speeds(const mechanics::Model& model) {
  std::vector<Dimension> all;
  for (const mechanics::Speed& speed : model.speeds) all.push_back(speed.dimension);
  return all;
}

}  // namespace

double time_scale(const mechanics::Model& model) {
  return model.run && model.run->duration > 0.0 ? model.run->duration : 1.0;
}

Vector coordinate_reach(const mechanics::Model& model, std::span<const double> values, const Vector& q) {
  return reach_of(model, values, q, kinds_of(model));
}

Vector coordinate_reach(const CompiledModel& compiled, const Vector& q) {
  return coordinate_reach(*compiled.model, compiled.parameters, q);
}

Vector coordinate_scale(const mechanics::Model& model, std::span<const double> values, const Vector& q) {
  const std::vector<CoordinateKind> kinds = kinds_of(model);
  return largest_of_kind(kinds, q.cwiseAbs()).cwiseMax(tolerance::kFloor * reach_of(model, values, q, kinds));
}

Vector coordinate_scale(const CompiledModel& compiled, const Vector& q) {
  return coordinate_scale(*compiled.model, compiled.parameters, q);
}

Vector speed_scale(const CompiledModel& compiled, const Vector& u, const Vector& u_dot, const Vector& q_scale) {
  const mechanics::Model& model = *compiled.model;
  const double displacement = q_scale.size() > 0 ? q_scale.maxCoeff() : 1.0;
  Vector size = u.cwiseAbs();
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    const double s = compiled.has_identity_kinematics ? q_scale[i] : displacement;
    const double reached = std::isfinite(u_dot[i]) ? std::sqrt(std::abs(u_dot[i]) * s) : 0.0;
    size[i] = std::max({size[i], reached, tolerance::kFloor * s / time_scale(model)});
  }
  return largest_of_kind(dimensions_of_speeds(model), size);
}

Vector state_reach(const dynamics::System& system, std::span<const double> values, const Vector& q, const Vector& z) {
  const Units units(*system.model, values, q);
  Vector size = z.cwiseAbs();
  for (Eigen::Index i = 0; i < size.size(); ++i)
    size[i] = std::max(size[i], units.of(system.z_dimensions[static_cast<std::size_t>(i)]));
  return size;
}

Vector state_scale(const CompiledModel& compiled, const Vector& z, const Vector& z_dot, const Vector& q_scale,
                   const Vector& u_scale) {
  // The time in which the motion covers its own size.
  const double longest = time_scale(*compiled.model);
  double time = 0.0;
  if (compiled.has_identity_kinematics) {
    for (Eigen::Index i = 0; i < u_scale.size(); ++i) {
      if (u_scale[i] > 0.0) time = std::max(time, q_scale[i] / u_scale[i]);
    }
  }
  if (!(time > 0.0) || time > longest) time = longest;
  Vector size = z.cwiseAbs();
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    if (std::isfinite(z_dot[i])) size[i] = std::max(size[i], std::abs(z_dot[i]) * time);
  }
  size = largest_of_kind(compiled.system->z_dimensions, size);
  if (size.size() == 0 || size.minCoeff() > 0.0) return size;
  const Vector reach =
      state_reach(*compiled.system, compiled.parameters, Vector::Zero(compiled.nq()), Vector::Zero(size.size()));
  return (size.array() > 0.0).select(size, tolerance::kFloor * reach);
}

}  // namespace vinculum::sim

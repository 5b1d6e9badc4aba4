#include "vinculum/model/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

struct CoordinateKind {
  /// the typical magnitude is 1: dimensionless coordinates and, in a model without units, angles of frame rotations
  bool is_natural = false;
  Dimension dimension;
  friend bool operator==(const CoordinateKind&, const CoordinateKind&) = default;
};

std::vector<CoordinateKind> kinds_of(const Model& model) {
  std::vector<CoordinateKind> kinds;
  for (const Coordinate& one : model.coordinates)
    kinds.push_back({model.has_units && one.dimension.is_dimensionless(), one.dimension});
  for (const Frame& frame : model.frames) {
    for (const SimpleRotation& rotation : frame.rotations) {
      for (const Term leaf : leaves_as_read(rotation.angle)) {
        if (leaf.kind() == TermKind::kCoordinate) kinds[leaf.index()].is_natural = true;
      }
    }
    if (!frame.quaternion) continue;
    for (const CoordinateId e : frame.quaternion->e) kinds[e.index()].is_natural = true;
  }
  return kinds;
}

/// Whether a number can serve as a typical magnitude. Its square must not underflow, because norms contain squares of
/// magnitudes, and units are products of them.
bool is_size(double x) { return std::isfinite(x) && x * x >= std::numeric_limits<double>::min(); }

/// The largest parameter value of a dimension; 0 if there is none.
double stated_size(const Model& model, std::span<const double> values, const Dimension& dimension) {
  double largest = 0.0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (model.parameters[j].dimension == dimension && is_size(values[j]))
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

Instant at_places(const Model& model, std::span<const double> values, const Vector& q) {
  Instant at;
  at.q.assign(q.data(), q.data() + q.size());
  at.q_dot.assign(model.coordinates.size(), 0.0);
  at.q_ddot = at.q_dot;
  at.parameters.assign(values.begin(), values.end());
  return at;
}

/// Whether a term can be evaluated at rest from q and t: it contains no extra states, reactions or friction directions.
bool is_known_at_rest(Term term) {
  using enum TermKind;
  for (const Term leaf : leaves_as_read(term)) {
    switch (leaf.kind()) {
      case kMultiplier:
      case kIdealMultiplier:
      case kGeneralizedForce:
      case kGeneralizedIdealForce:
      case kDeparture:
      case kSystemVector:
      case kLawEnergy:
      case kEffort:
      case kState:
      case kSlideDirection: return false;
      default: break;
    }
  }
  return true;
}

/// Whether the value of a term may depend on the coordinates: it contains more than numbers, the time and parameters.
bool is_of_places(Term term) {
  return std::ranges::any_of(leaves_as_read(term), [](Term leaf) {
    return leaf.kind() != TermKind::kNumber && leaf.kind() != TermKind::kTime && leaf.kind() != TermKind::kParameter;
  });
}

/// The largest velocity in the start values of coordinates and speeds. [m/s]
double stated_velocity(const Model& model, TermValues& now) {
  using On = StartCondition::On;
  const Dimension velocity = make_dimension(0, 1, -1);
  double largest = 0.0;
  for (const StartCondition& start : model.starts) {
    const bool is_velocity =
        (start.on == On::kSpeed && model.speeds[start.index].dimension == velocity) ||
        (start.on == On::kNonlinearSpeed && model.nonlinear_speeds[start.index].speed.dimension == velocity) ||
        (start.on == On::kCoordinateRate && model.coordinates[start.index].dimension == make_dimension(0, 1, 0));
    if (!is_velocity || !is_known_at_rest(start.value)) continue;
    const double value = std::abs(now.scalar(start.value).value);
    if (is_size(value)) largest = std::max(largest, value);
  }
  return largest;
}

/// The largest acceleration that gravity, or a single force on the mass, causes at rest. [m/s²]
double stated_acceleration(const Model& model, TermValues& now, double mass) {
  double largest = 0.0;
  const auto join = [&largest](double size) {
    if (is_size(size)) largest = std::max(largest, size);
  };
  const auto join_vector = [&](Term vector, double over) {
    if (!is_known_at_rest(vector)) return;
    for (const Jet& measure : now.vector(vector)) join(std::abs(measure.value) / over);
  };
  for (const Load& load : model.loads) {
    if (const auto* gravity = std::get_if<Gravity>(&load.what)) join_vector(gravity->acceleration, 1.0);
    if (!(mass > 0.0)) continue;
    if (const auto* force = std::get_if<ForceOn>(&load.what)) join_vector(force->force, mass);
    const auto* along = std::get_if<GeneralizedForceOn>(&load.what);
    if (along == nullptr || !is_known_at_rest(along->force)) continue;
    if (model.coordinates[along->coordinate.index()].dimension == make_dimension(0, 1, 0))
      join(std::abs(now.scalar(along->force).value) / mass);
  }
  return largest;
}

Vector reach_of(const Model& model, std::span<const double> values, const Vector& q,
                const std::vector<CoordinateKind>& kinds) {
  Vector size = q.cwiseAbs(), stated = Vector::Zero(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const CoordinateKind& kind = kinds[static_cast<std::size_t>(i)];
    if (kind.is_natural) stated[i] = 1.0;
    if (!kind.dimension.is_dimensionless()) stated[i] = std::max(stated[i], stated_size(model, values, kind.dimension));
  }
  size = largest_of_kind(kinds, size.cwiseMax(stated));
  std::optional<ModelUnits> units;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (!(stated[i] > 0.0)) {
      // A start position that is zero up to rounding is not a typical magnitude.
      if (!units) units.emplace(model, values, q);
      const double made = units->of(kinds[static_cast<std::size_t>(i)].dimension);
      if (!(size[i] > tolerance::kZero * made)) size[i] = made;
    }
    if (const auto& scale = model.coordinates[static_cast<std::size_t>(i)].scale) size[i] = *scale;
  }
  return size;
}

}  // namespace

double time_scale(const Model& model) { return model.run && model.run->duration > 0.0 ? model.run->duration : 1.0; }

ModelUnits::ModelUnits(const Model& model, std::span<const double> values, const Vector& q) : time(time_scale(model)) {
  if (!model.has_units) return;
  TermValues now(model, at_places(model, values, q));
  const auto join = [](double& size, double with) {
    if (is_size(with)) size = std::max(size, std::abs(with));
  };
  for (const auto& particle : model.particles) join(mass, now.scalar(particle.mass).value);
  for (const auto& body : model.bodies) join(mass, now.scalar(body.mass).value);
  if (!(mass > 0.0)) mass = stated_size(model, values, make_dimension(1, 0, 0));
  const Dimension metre = make_dimension(0, 1, 0);
  double of_places = 0.0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (model.coordinates[static_cast<std::size_t>(i)].dimension == metre) join(of_places, q[i]);
  }
  join(length, stated_size(model, values, metre));
  for (const auto& body : model.bodies) {
    if (!(mass > 0.0)) break;
    for (const Term moment : {body.inertia.xx, body.inertia.yy, body.inertia.zz})
      join(length, std::sqrt(std::abs(now.scalar(moment).value) / mass));
  }
  // If the text states no length, the distance is used that a point covers during the run with the stated velocities or
  // accelerations.
  double of_motion = 0.0;
  if (!(length > 0.0)) {
    join(of_motion, stated_size(model, values, make_dimension(0, 1, -1)) * time);
    join(of_motion, stated_velocity(model, now) * time);
  }
  if (!(length > 0.0) && !(of_motion > 0.0)) {
    join(of_motion, stated_size(model, values, make_dimension(0, 1, -2)) * time * time);
    join(of_motion, stated_acceleration(model, now, mass) * time * time);
  }
  // A position counts as a length unless it is zero up to rounding, compared with the other lengths.
  if (of_places > tolerance::kZero * std::max(length, of_motion))
    join(length, of_places);
  else if (!(length > 0.0))
    length = of_motion;
}

double ModelUnits::of(const Dimension& dimension) const {
  const double size = whole_power(mass > 0.0 ? mass : 1.0, dimension.exponents[Dimension::kMass]) *
                      whole_power(length > 0.0 ? length : 1.0, dimension.exponents[Dimension::kLength]) *
                      whole_power(time, dimension.exponents[Dimension::kTime]);
  return size > 0.0 && std::isfinite(size) ? size : 1.0;
}

Vector coordinate_reach(const Model& model, std::span<const double> values, const Vector& q) {
  return reach_of(model, values, q, kinds_of(model));
}

Vector coordinate_scale(const Model& model, std::span<const double> values, const Vector& q) {
  const std::vector<CoordinateKind> kinds = kinds_of(model);
  return largest_of_kind(kinds, q.cwiseAbs()).cwiseMax(tolerance::kFloor * reach_of(model, values, q, kinds));
}

Vector stated_places(const Model& model, std::span<const double> values) {
  Vector q = Vector::Zero(static_cast<Eigen::Index>(model.coordinates.size()));
  TermValues anywhere(model, at_places(model, values, q));
  for (const StartCondition& start : model.starts) {
    if (start.on != StartCondition::On::kCoordinate) continue;
    const double value = is_of_places(start.value)
                             ? TermValues(model, at_places(model, values, q)).scalar(start.value).value
                             : anywhere.scalar(start.value).value;
    if (std::isfinite(value)) q[start.index] = value;
  }
  return q;
}

}  // namespace vinculum::model

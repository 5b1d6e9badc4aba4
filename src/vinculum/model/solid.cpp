#include "vinculum/model/solid.hpp"

#include <numbers>

namespace vinculum::model {
namespace {

constexpr std::array<SolidInfo, 4> kSolids = {{
    {SolidKind::kRod, "rod", "rod(l [, axis VEC])", "thin, of length l along the axis", 1, true},
    {SolidKind::kBox, "box", "box(a, b, c)", "with edges a, b, c along x, y, z of the frame", 3, false},
    {SolidKind::kCylinder, "cylinder", "cylinder(r, h [, axis VEC])", "of radius r, h long along the axis", 2, true},
    {SolidKind::kSphere, "sphere", "sphere(r)", "of radius r", 1, false},
}};

/// Inertia with the moment `along` about an axis, and `across` about all axes normal to it: across 1 + (along − across)
/// e e.
Inertia about_axis(Term along, Term across, const std::array<Term, 3>& e) {
  const Term more = along - across;
  const auto moment = [&](std::size_t i) {
    const bool is_axis = e[i].is_number() && e[i].value() == 1.0;
    return is_axis ? along : across + more * e[i] * e[i];
  };
  return {moment(0), moment(1), moment(2), more * e[0] * e[1], more * e[1] * e[2], more * e[2] * e[0]};
}

}  // namespace

std::span<const SolidInfo> solid_table() { return kSolids; }

Term volume_of(SolidKind kind, std::span<const Term> sizes) {
  switch (kind) {
    case SolidKind::kBox: return sizes[0] * sizes[1] * sizes[2];
    case SolidKind::kCylinder: return std::numbers::pi * sizes[0] * sizes[0] * sizes[1];
    case SolidKind::kSphere: return 4.0 / 3.0 * std::numbers::pi * sizes[0] * sizes[0] * sizes[0];
    case SolidKind::kRod: break;
  }
  return {};
}

Inertia inertia_of(SolidKind kind, Term mass, std::span<const Term> sizes, const std::array<Term, 3>& axis) {
  const Term none = mass.pool().number(0.0);
  const auto square = [&](std::size_t i) { return sizes[i] * sizes[i]; };
  switch (kind) {
    case SolidKind::kRod: return about_axis(none, mass * square(0) / 12.0, axis);
    case SolidKind::kCylinder:
      return about_axis(mass * square(0) / 2.0, mass * (3.0 * square(0) + square(1)) / 12.0, axis);
    case SolidKind::kSphere: {
      const Term moment = 0.4 * mass * square(0);
      return {moment, moment, moment, none, none, none};
    }
    case SolidKind::kBox: break;
  }
  const Term twelfth = mass / 12.0;
  return {twelfth * (square(1) + square(2)),
          twelfth * (square(2) + square(0)),
          twelfth * (square(0) + square(1)),
          none,
          none,
          none};
}

}  // namespace vinculum::model

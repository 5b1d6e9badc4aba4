#include "vinculum/model/surface_contact.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/box_contact.hpp"
#include "vinculum/model/corner_contact.hpp"
#include "vinculum/model/ground.hpp"

namespace vinculum::model {
namespace {

/// A part of a surface that touches a plane at one place: all points at the distance `thickness` from a point, or from
/// a circle about that point.
struct Feature {
  Term offset;     ///< vector from the center of the surface to the point
  Term radius;     ///< of the circle, which is normal to the axis of the surface; invalid for a point
  Term thickness;  ///< 0 for a corner or a rim
};

std::vector<Feature> features_of(TermPool& pool, const PlacedSurface& of) {
  const Term zero = pool.number(0.0), none = pool.zero_vector();
  const auto length = [&](std::size_t i) {
    VINCULUM_EXPECTS(i < of.lengths.size());
    return of.lengths[i];
  };
  switch (of.kind) {
    case SurfaceKind::kPoint: return {{none, {}, zero}};
    case SurfaceKind::kSphere: return {{none, {}, length(0)}};
    case SurfaceKind::kDisk: return {{none, length(0), zero}};
    case SurfaceKind::kTorus: return {{none, length(0), length(1)}};
    case SurfaceKind::kCapsule: {
      const Term half = 0.5 * length(1) * of.axis;
      return {{-half, {}, length(0)}, {half, {}, length(0)}};
    }
    case SurfaceKind::kCylinder: {
      const Term half = 0.5 * length(1) * of.axis;
      return {{-half, length(0), zero}, {half, length(0), zero}};
    }
    case SurfaceKind::kBox: {
      std::vector<Feature> corners;
      for (int corner = 0; corner < 8; ++corner) {
        Term offset = none;
        for (int k = 0; k < 3; ++k) {
          const double sign = (corner >> (2 - k) & 1) == 0 ? -0.5 : 0.5;
          offset = offset + sign * length(static_cast<std::size_t>(k)) * of.basis[static_cast<std::size_t>(k)];
        }
        corners.push_back({offset, {}, zero});
      }
      return corners;
    }
    case SurfaceKind::kPolygon: {
      std::vector<Feature> corners;
      for (const Term corner : of.lengths) corners.push_back({corner, {}, zero});
      return corners;
    }
    case SurfaceKind::kPlane:
    case SurfaceKind::kHollowSphere:
    case SurfaceKind::kEllipsoid:
    case SurfaceKind::kGround: break;
  }
  return {};
}

/// v without its part along the axis of the surface.
Term across(TermPool& pool, Term v, const PlacedSurface& of) { return v - pool.dot(v, of.axis) * of.axis; }

SurfaceContact ellipsoid_on_plane(TermPool& pool, PointId in_plane, Term n, const PlacedSurface& of) {
  Term square = pool.number(0.0), sum = pool.zero_vector();
  for (std::size_t i = 0; i < 3; ++i) {
    const Term a = of.lengths[i], along = pool.dot(n, of.basis[i]);
    square = square + a * a * (along * along);
    sum = sum + a * a * along * of.basis[i];
  }
  const Term height = pool.function(expr::Op::kSquareRoot, square);
  return {pool.dot(pool.position(of.center, in_plane), n) - height, n, of.center, -sum / height};
}

/// Contact of a part of a surface with a hollow sphere around it: at the farthest point.
SurfaceContact inside_sphere(TermPool& pool, PointId center, Term radius, const PlacedSurface& of,
                             const Feature& feature) {
  const Term to_middle = pool.position(of.center, center) + feature.offset;
  Term rim = pool.zero_vector();
  if (feature.radius.is_valid()) rim = feature.radius * pool.unit(across(pool, to_middle, of));
  const Term arm = to_middle + rim, n = -pool.unit(arm);
  return {radius - pool.norm(arm) - feature.thickness, n, of.center, feature.offset + rim - feature.thickness * n};
}

Term smaller(TermPool& pool, Term x, Term y) { return pool.function(expr::Op::kMinimum, x, y); }
Term larger(TermPool& pool, Term x, Term y) { return pool.function(expr::Op::kMaximum, x, y); }

/// x, but at least −limit and at most limit.
Term clamped(TermPool& pool, Term x, Term limit) { return larger(pool, -limit, smaller(pool, x, limit)); }

Term sign_of(TermPool& pool, Term x) {
  if (x.is_number()) return pool.number(x.value() < 0.0 ? -1.0 : 1.0);
  return pool.function(expr::Op::kSign, x);
}

/// Whether `features_of` the surface is not empty.
bool has_features(SurfaceKind kind) {
  return kind != SurfaceKind::kPlane && kind != SurfaceKind::kHollowSphere && kind != SurfaceKind::kEllipsoid &&
         kind != SurfaceKind::kGround;
}

/// Whether a surface touches others only with corners.
bool has_corners_only(SurfaceKind kind) {
  return kind == SurfaceKind::kPoint || kind == SurfaceKind::kBox || kind == SurfaceKind::kPolygon;
}

/// Whether the first of the two surfaces determines the kind of contact; the second one is then `other`.
bool determines(SurfaceKind first, SurfaceKind second) {
  if (first == SurfaceKind::kPlane) return has_features(second) || second == SurfaceKind::kEllipsoid;
  if (first == SurfaceKind::kHollowSphere || first == SurfaceKind::kSphere) return has_features(second);
  if (first == SurfaceKind::kGround) return has_corners_only(second);
  if (first == SurfaceKind::kPolygon) return second == SurfaceKind::kPolygon;
  return first == SurfaceKind::kCapsule && (second == SurfaceKind::kCapsule || second == SurfaceKind::kBox);
}

/// The point of a solid cylinder that is nearest to the point x. The square root is at least the radius, so that the
/// expression is regular on the axis, too.
/// \param x  vector from the center
Term nearest_of_cylinder(TermPool& pool, Term x, const PlacedSurface& of) {
  const Term R = of.lengths[0], radial = across(pool, x, of);
  const Term rho = pool.function(expr::Op::kSquareRoot, larger(pool, R * R, pool.dot(radial, radial)));
  return clamped(pool, pool.dot(x, of.axis), 0.5 * of.lengths[1]) * of.axis + R / rho * radial;
}

/// The point of a convex plate that is nearest to the point x. It is a corner c if x is beyond the ends of both edges
/// at c, on an edge if x is outside of that edge and between its ends, and otherwise the projection on the plane. The
/// distances from the edges are not compared, because beyond a corner the distances from its two edges are equal: a run
/// would meet switching surfaces there again and again.
/// \param x  vector from the center
Term nearest_of_polygon(TermPool& pool, Term x, const std::vector<Term>& corners) {
  const std::size_t count = corners.size();
  VINCULUM_EXPECTS(count >= 3);
  const Term zero = pool.number(0.0), N = pool.cross(corners[1] - corners[0], corners[2] - corners[0]);
  const auto is_less = [&](Term a, Term b) { return pool.function(expr::Op::kLess, a, b); };
  const auto both = [&](Term a, Term b) { return pool.function(expr::Op::kAnd, a, b); };
  const auto no = [&](Term a) { return pool.function(expr::Op::kNot, a); };
  const auto edge = [&](std::size_t i) { return corners[(i + 1) % count] - corners[i]; };
  const auto is_after_start = [&](std::size_t i) { return is_less(zero, pool.dot(x - corners[i], edge(i))); };
  const auto is_before_end = [&](std::size_t i) {
    return is_less(pool.dot(x - corners[(i + 1) % count], edge(i)), zero);
  };
  Term nearest = x - pool.dot(x - corners[0], N) / pool.dot(N, N) * N;
  for (std::size_t i = 0; i < count; ++i) {
    const Term is_outside = is_less(pool.dot(pool.cross(N, edge(i)), x - corners[i]), zero);
    const Term on_edge = corners[i] + pool.dot(x - corners[i], edge(i)) / pool.dot(edge(i), edge(i)) * edge(i);
    nearest = pool.vector_select(both(is_outside, both(is_after_start(i), is_before_end(i))), on_edge, nearest);
    const Term is_beyond = both(no(is_after_start(i)), no(is_before_end((i + count - 1) % count)));
    nearest = pool.vector_select(is_beyond, corners[i], nearest);
  }
  return nearest;
}

/// Contact of two capsules, at the nearest points of their segments. s and t are the positions of these points along
/// the axes. Start with the nearest points of the two lines and move s into its segment; then the t that is nearest to
/// this s, and the s that is nearest to this t, give the minimum. If the square of the sine of the angle of the axes is
/// below kRoot, the first s moves toward the middle of the overlap, which it reaches for parallel axes; every first s
/// gives the minimum then. With a limit of 1e-10, the first s depends so strongly on the angle that steps of runs with
/// parallel axes are shorter by a factor of 50.
SurfaceContact capsule_on_capsule(TermPool& pool, const PlacedSurface& first, const PlacedSurface& second) {
  const Term u = first.axis, v = second.axis, d = pool.position(second.center, first.center);
  const Term of_first = 0.5 * first.lengths[1], of_second = 0.5 * second.lengths[1];
  const Term d_u = pool.dot(d, u), d_v = pool.dot(d, v), cosine = pool.dot(u, v);
  const Term w = pool.cross(u, v), square = pool.dot(w, w), limit = pool.number(tolerance::kRoot);
  const Term overlap = larger(pool, -of_first, d_u - of_second) + smaller(pool, of_first, d_u + of_second);
  const Term from_overlap = larger(pool, limit - square, pool.number(0.0)) * (0.5 * overlap);
  const Term line_s = (pool.dot(pool.cross(v, w), d) + from_overlap) / larger(pool, square, limit);
  const Term t = clamped(pool, cosine * clamped(pool, line_s, of_first) - d_v, of_second);
  const Term s = clamped(pool, d_u + cosine * t, of_first);
  const Term arm = d + t * v - s * u, n = pool.unit(arm);
  return {pool.norm(arm) - first.lengths[0] - second.lengths[0], n, second.center, t * v - second.lengths[0] * n};
}

}  // namespace

std::vector<SurfaceContact> contacts_on_plane(TermPool& pool, PointId in_plane, Term normal,
                                              const PlacedSurface& other) {
  if (other.kind == SurfaceKind::kEllipsoid) return {ellipsoid_on_plane(pool, in_plane, normal, other)};
  const Term n = normal, center = pool.position(other.center, in_plane);
  std::vector<SurfaceContact> all;
  for (const Feature& one : features_of(pool, other)) {
    // A circle touches the plane with its lowest point, which is on the projection of −n on the plane of the circle.
    Term height = one.thickness, to_contact = one.offset - one.thickness * n;
    if (one.radius.is_valid()) {
      height = one.radius * pool.norm(pool.cross(n, other.axis)) + height;
      to_contact = to_contact - one.radius * pool.unit(across(pool, n, other));
    }
    all.push_back({pool.dot(center + one.offset, n) - height, n, other.center, to_contact});
  }
  VINCULUM_ENSURES(!all.empty());
  return all;
}

SurfaceContact contact_on_sphere(TermPool& pool, PointId center, Term radius, const PlacedSurface& other) {
  VINCULUM_EXPECTS(has_features(other.kind));
  const Term side = sign_of(pool, radius), d = pool.position(other.center, center);
  // The surface consists of the points at the distance `thickness` from its core: a point, a circle, a line, a plate or
  // a solid.
  Term core = pool.zero_vector(), thickness = pool.number(0.0);
  switch (other.kind) {
    case SurfaceKind::kPoint: break;
    case SurfaceKind::kSphere: thickness = other.lengths[0]; break;
    case SurfaceKind::kTorus: thickness = other.lengths[1]; [[fallthrough]];
    case SurfaceKind::kDisk: core = -(side * other.lengths[0]) * pool.unit(across(pool, d, other)); break;
    case SurfaceKind::kCapsule:
      thickness = other.lengths[0];
      core = -clamped(pool, pool.dot(d, other.axis), 0.5 * other.lengths[1]) * other.axis;
      break;
    case SurfaceKind::kCylinder: core = nearest_of_cylinder(pool, -d, other); break;
    case SurfaceKind::kPolygon: core = nearest_of_polygon(pool, -d, other.lengths); break;
    default:
      for (std::size_t k = 0; k < 3; ++k)
        core = core - clamped(pool, pool.dot(d, other.basis[k]), 0.5 * other.lengths[k]) * other.basis[k];
  }
  const Term arm = d + core, n = side * pool.unit(arm);
  return {side * pool.norm(arm) - radius - thickness, n, other.center, core - thickness * n};
}

bool may_touch(SurfaceKind first, SurfaceKind second) { return determines(first, second) || determines(second, first); }

int contact_count(SurfaceKind first, SurfaceKind second, std::array<std::size_t, 2> lengths) {
  VINCULUM_EXPECTS(may_touch(first, second));
  const bool is_second = determines(first, second);
  const SurfaceKind other = is_second ? second : first;
  const SurfaceKind base = is_second ? first : second;
  if (base == SurfaceKind::kCapsule && other == SurfaceKind::kBox) return kCapsuleBoxContacts;
  if (base == SurfaceKind::kSphere || base == SurfaceKind::kCapsule) return 1;
  if (base == SurfaceKind::kPolygon) return static_cast<int>(lengths[0] + lengths[1]);
  switch (other) {
    case SurfaceKind::kCapsule:
    case SurfaceKind::kCylinder: return 2;
    case SurfaceKind::kBox: return 8;
    case SurfaceKind::kPolygon: return static_cast<int>(lengths[is_second ? 1 : 0]);
    default: return 1;
  }
}

std::vector<SurfaceContact> contacts_of(TermPool& pool, const PlacedSurface& first, const PlacedSurface& second) {
  VINCULUM_EXPECTS(may_touch(first.kind, second.kind));
  if (!determines(first.kind, second.kind)) {
    std::vector<SurfaceContact> all = contacts_of(pool, second, first);
    for (SurfaceContact& one : all) one.normal = -one.normal;
    return all;
  }
  if (first.kind == SurfaceKind::kPlane) return contacts_on_plane(pool, first.center, first.axis, second);
  if (first.kind == SurfaceKind::kSphere) return {contact_on_sphere(pool, first.center, first.lengths.front(), second)};
  if (first.kind == SurfaceKind::kCapsule && second.kind == SurfaceKind::kBox)
    return capsule_box_contacts(pool, first, second);
  if (first.kind == SurfaceKind::kCapsule) return {capsule_on_capsule(pool, first, second)};
  if (first.kind == SurfaceKind::kPolygon) return corner_contacts(pool, first, second);
  std::vector<SurfaceContact> all;
  if (first.kind == SurfaceKind::kGround) {
    for (const Feature& one : features_of(pool, second)) {
      const OverGround over = over_ground(pool, first, second.center, one.offset);
      all.push_back({over.gap, over.normal, second.center, one.offset});
    }
    return all;
  }
  for (const Feature& one : features_of(pool, second))
    all.push_back(inside_sphere(pool, first.center, first.lengths.front(), second, one));
  return all;
}

bool is_convex(std::span<const double> corners) {
  VINCULUM_EXPECTS(corners.size() % 3 == 0);
  const Eigen::Map<const Eigen::Matrix3Xd> at(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
  const Eigen::Index n = at.cols();
  if (n < 3) return false;
  const Eigen::Vector3d middle = at.rowwise().mean();
  const double size = (at.colwise() - middle).colwise().norm().maxCoeff();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  const auto edge = [&](Eigen::Index from) -> Eigen::Vector3d { return at.col((from + 1) % n) - at.col(from); };
  for (Eigen::Index i = 0; i < n; ++i) normal += (at.col(i) - middle).cross(edge(i));
  if (!(normal.norm() > tolerance::kHalfDigits * size * size)) return false;
  normal.normalize();
  for (Eigen::Index from = 0; from < n; ++from) {
    if (std::abs(normal.dot(at.col(from) - middle)) > tolerance::kHalfDigits * size) return false;
    // Every corner that is not on an edge is strictly on the inner side of it.
    for (Eigen::Index i = 0; i < n; ++i) {
      if (i == from || i == (from + 1) % n) continue;
      const Eigen::Vector3d to_corner = at.col(i) - at.col(from);
      if (!(normal.dot(edge(from).cross(to_corner)) > tolerance::kZero * size * size)) return false;
    }
  }
  return true;
}

}  // namespace vinculum::model

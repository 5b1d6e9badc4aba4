#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "vinculum/model/joint.hpp"

/// Geometry of contacts between surfaces of two bodies: gaps, normals and contact points as expressions.
namespace vinculum::model {

/// A surface at its place in a body; see `SurfaceInfo`.
struct PlacedSurface {
  SurfaceKind kind;
  std::vector<Term> lengths;  ///< of a polygon: vectors; of a ground: its height over the place of the other center
  PointId center;             ///< fixed in the body
  Term axis;                  ///< unit vector fixed in the body
  std::array<Term, 3> basis;  ///< x, y, z of the body; used by boxes, ellipsoids and grounds
};

/// A place at which two surfaces can touch.
struct SurfaceContact {
  Term gap;  ///< distance of the two surfaces along the normal [m]; exact for every gap ≥ 0, on a ground to first order
  Term normal;      ///< unit normal, directed from the first surface to the second one
  PointId base;     ///< center of one of the two surfaces
  Term to_contact;  ///< vector from `base` to the contact point; exact if the gap is 0
};

/// Places at which a plane touches the other surface: one for each corner, ball or rim that may touch it. A rim that is
/// parallel to the plane has no unique contact point; the expressions are singular there.
/// \param normal  unit normal of the plane
/// \param in_plane  a point of the plane
/// \param other  any surface except a plane, a hollow sphere or a ground
[[nodiscard]] std::vector<SurfaceContact> contacts_on_plane(TermPool& pool, PointId in_plane, Term normal,
                                                            const PlacedSurface& other);
/// Contact with a sphere from outside, at the point of the other surface that is nearest to the center.
/// \param center, radius  of the sphere; the radius may be negative: the other surface is then inside, and the contact
///   is at the farthest point of its rim. The surface is then a sphere, a disk or a torus
/// \param other  any surface except a plane, a hollow sphere, an ellipsoid or a ground; a polygon is a plate without
/// thickness
[[nodiscard]] SurfaceContact contact_on_sphere(TermPool& pool, PointId center, Term radius, const PlacedSurface& other);

/// Whether a joint `contact` may have these two surfaces, in this order or the other one.
[[nodiscard]] bool may_touch(SurfaceKind first, SurfaceKind second);
/// Number of elements of `contacts_of`. \pre may_touch(first, second)
/// \param lengths  numbers of lengths of the two surfaces
[[nodiscard]] int contact_count(SurfaceKind first, SurfaceKind second, std::array<std::size_t, 2> lengths);
/// All places at which the two surfaces can touch. Two capsules have one contact even if their axes are parallel: it is
/// then in the middle of the overlap of their segments.   \pre may_touch(first.kind, second.kind)
/// Source: theory.md §5.7.   Test: surface_contact_test.cpp.
[[nodiscard]] std::vector<SurfaceContact> contacts_of(TermPool& pool, const PlacedSurface& first,
                                                      const PlacedSurface& second);

/// Whether points in space are the corners of a plane convex polygon, in their order around it.
/// \param corners  x1, y1, z1, x2, y2, z2, …
[[nodiscard]] bool is_convex(std::span<const double> corners);

}  // namespace vinculum::model

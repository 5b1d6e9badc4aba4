#pragma once

#include "vinculum/model/surface_contact.hpp"

/// Contacts of a solid box and a capsule in space: ends, edges and corners.
namespace vinculum::model {

/// 2 for the ends of the capsule, 2 for edges of the box, 4 for its corners.
inline constexpr int kCapsuleBoxContacts = 8;

/// Each gap is 0 only where the two bodies touch, positive where they are apart, and at most the distance of the place
/// that touches. The order:
///   * the ends at −axis and +axis, as balls;
///   * the side of the capsule over an edge of the box: where its segment enters the box along the axis, and where it
///     leaves it. Of all edges one at most is at each of these places;
///   * corners of the box against the side: two opposite corners share one contact, since they never touch at once. By
///     the signs of y and z relative to the sign of x: (+,+), (+,−), (−,+), (−,−).
/// A corner or an end goes before an edge that ends there. A segment at an angle below 0.2 mrad to an edge does not
/// cross it: an end or a corner touches first. Source: theory.md §5.7.   Test: box_contact_test.cpp.
[[nodiscard]] std::vector<SurfaceContact> capsule_box_contacts(TermPool& pool, const PlacedSurface& capsule,
                                                               const PlacedSurface& box);

}  // namespace vinculum::model

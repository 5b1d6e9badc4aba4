#pragma once

#include "vinculum/model/surface_contact.hpp"

/// Contacts of two convex polygons that move in one plane: the corners of each one touch the edges of the other one.
namespace vinculum::model {

/// One contact for each corner of the second polygon, and then one for each corner of the first one, in the order of
/// the corners.
///
/// The gap of a corner x is max_i n_i·(x − c_i) over the edges i of the other polygon, with their outward normals n_i
/// and corners c_i: the distance from the edge that faces x. It is 0 on the whole boundary, and nowhere else.
///
/// Where a corner is over a corner, two edges face it, and a normal force could act along both normals. If the two
/// numbers are equal but for `tolerance::kCorner`, the edge counts that faces the middle of the other polygon. So a
/// body that slides on a face does not strike the side of that face, and two boxes of one width touch with faces. Each
/// pair of corners has one closed contact there, that of the second polygon; the other one has a gap of the order of
/// `tolerance::kCorner`.
/// Source: theory.md §5.7.   Test: corner_contact_test.cpp.
[[nodiscard]] std::vector<SurfaceContact> corner_contacts(TermPool& pool, const PlacedSurface& first,
                                                          const PlacedSurface& second);

}  // namespace vinculum::model

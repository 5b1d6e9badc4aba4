#pragma once

#include <array>

#include "vinculum/model/surface_contact.hpp"

/// Ground of a given height: its height is an expression of the place on the ground.
namespace vinculum::model {

/// The place of the other body's center on the ground: measure numbers of its position from the center of the ground
/// along x, y, z of the ground's frame. The height of a ground is written with these terms.
[[nodiscard]] std::array<Term, 3> place_on_ground(TermPool& pool, PointId other, PointId ground, FrameId frame);

/// The height with the place replaced by other scalars.
/// \param place  terms of `place_on_ground`, which may occur in the height
[[nodiscard]] Term height_at(Term height, const std::array<Term, 3>& place, const std::array<Term, 3>& at);

/// A point over a ground.
struct OverGround {
  Term gap;     ///< height above the ground divided by the length of its gradient: to first order the distance
  Term normal;  ///< unit normal, upward
};
/// \param ground  with the height over `other` as its only length
/// \param offset  vector from `other` to the point
/// Source: theory.md §5.7.   Test: ground_test.cpp.
[[nodiscard]] OverGround over_ground(TermPool& pool, const PlacedSurface& ground, PointId other, Term offset);

}  // namespace vinculum::model

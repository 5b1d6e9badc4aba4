#include "vinculum/model/corner_contact.hpp"

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

/// Vector from the center to the mean of the corners.
Term middle_of(TermPool& pool, const PlacedSurface& polygon) {
  Term sum = pool.zero_vector();
  for (const Term corner : polygon.lengths) sum = sum + corner;
  return sum / static_cast<double>(polygon.lengths.size());
}

/// The edge of a polygon that faces a point.
struct FacingEdge {
  Term gap, normal;   ///< distance of the point from the line of the edge; outward normal
  Term begin, along;  ///< its first corner, and the vector from there to its second one
};
/// \param x       vector from the center of the polygon to the point
/// \param middle  vector from there to the middle of the polygon that has the point
FacingEdge facing_edge(TermPool& pool, const PlacedSurface& polygon, Term x, Term middle) {
  const std::vector<Term>& corners = polygon.lengths;
  VINCULUM_EXPECTS(corners.size() >= 3);
  const Term N = pool.cross(corners[1] - corners[0], corners[2] - corners[0]);
  FacingEdge facing;
  Term greatest;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Term begin = corners[i], along = corners[(i + 1) % corners.size()] - begin;
    const Term n = pool.unit(pool.cross(along, N)), gap = pool.dot(x - begin, n);
    const Term preferred = gap + tolerance::kCorner * pool.dot(middle - begin, n);
    if (i == 0) {
      facing = {gap, n, begin, along};
      greatest = preferred;
      continue;
    }
    const Term is_greater = pool.function(Op::kLess, greatest, preferred);
    facing = {pool.function(Op::kSelect, is_greater, gap, facing.gap), pool.vector_select(is_greater, n, facing.normal),
              pool.vector_select(is_greater, begin, facing.begin), pool.vector_select(is_greater, along, facing.along)};
    greatest = pool.function(Op::kSelect, is_greater, preferred, greatest);
  }
  return facing;
}

/// The gap of a point over an edge, without contact at the two ends of the edge: it is larger there by about kCorner of
/// the length of the edge, and grows outward, so that a closed contact that leaves the edge opens. This holds for
/// points that are as close to the edge as 1/kFar of its length: the ends do not matter to others, such as corners of
/// distant bodies on the same floor.
Term gap_between_ends(TermPool& pool, const FacingEdge& edge, Term x) {
  constexpr double kFar = 1e6;
  // The ends are shorter than the preference for an edge beyond its ends.
  constexpr double kReach = 0.5 - 0.1 * tolerance::kCorner;
  const Term length = pool.norm(edge.along), most = tolerance::kCorner * length;
  const Term from_middle = pool.dot(x - edge.begin, edge.along) / length - 0.5 * length;
  const Term beyond = from_middle * from_middle / length - kReach * kReach * length;
  const Term is_at_end = pool.function(Op::kLess, kFar * (edge.gap * edge.gap) / length, beyond);
  return pool.function(Op::kSelect, is_at_end, edge.gap + most + beyond, edge.gap);
}

}  // namespace

std::vector<SurfaceContact> corner_contacts(TermPool& pool, const PlacedSurface& first, const PlacedSurface& second) {
  const Term between = pool.position(second.center, first.center);
  const Term middle_of_first = middle_of(pool, first), middle_of_second = middle_of(pool, second);
  std::vector<SurfaceContact> all;
  for (const Term corner : second.lengths) {
    const FacingEdge edge = facing_edge(pool, first, between + corner, between + middle_of_second);
    all.push_back({edge.gap, edge.normal, second.center, corner});
  }
  for (const Term corner : first.lengths) {
    const FacingEdge edge = facing_edge(pool, second, corner - between, middle_of_first - between);
    all.push_back({gap_between_ends(pool, edge, corner - between), -edge.normal, first.center, corner});
  }
  return all;
}

}  // namespace vinculum::model

#include "vinculum/model/box_contact.hpp"

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::model {
namespace {

using expr::Op;
using Triple = std::array<Term, 3>;

// The expressions have no switching surface at symmetric poses, in which bodies rest: a run could not decide there on
// which side of the surface it is. So the sign of x changes at kUnevenZero times a length, where no contact depends on
// it, and compared numbers have unlike weights. This changes no gap that is 0.
constexpr double kUnevenZero = 0.01173;
constexpr std::array<double, 3> kWeights = {1.0, 0.8713, 0.7649};
constexpr double kEnd = 5.0 * tolerance::kCorner;  // part of an edge at its ends that does not count
constexpr double kDepth = 0.437;  // part of the smallest half length of a box: a segment is not deeper in it
constexpr double kUneven = 0.8391, kSteeper = 1.173;
// The square of the sine of the least angle at which a segment crosses an edge: 0.1 mrad. A contact that is missed at a
// smaller angle has a depth of a ten-thousandth of the lengths. One of the two cosines of such a segment is above
// kLeastSign.
constexpr double kLeastSquare = 0.01 * tolerance::kRoot, kLeastSign = 14.0 * tolerance::kRoot;

/// Functions of terms under short names.
class Terms {
 public:
  explicit Terms(TermPool& pool) : pool_(pool) {}
  [[nodiscard]] TermPool& pool() const { return pool_; }
  [[nodiscard]] Term larger(Term x, Term y) const { return pool_.function(Op::kMaximum, x, y); }
  [[nodiscard]] Term smaller(Term x, Term y) const { return pool_.function(Op::kMinimum, x, y); }
  [[nodiscard]] Term root(Term x) const { return pool_.function(Op::kSquareRoot, x); }
  /// −1 or 1, the sign of x if |x| is not far below `length`
  [[nodiscard]] Term sign(Term x, Term length) const { return sign_above(kUnevenZero * length, x); }
  [[nodiscard]] Term is_less(Term x, Term y) const { return pool_.function(Op::kLess, x, y); }
  [[nodiscard]] Term select(Term condition, Term x, Term y) const {
    return x.is_vector() ? pool_.vector_select(condition, x, y) : pool_.function(Op::kSelect, condition, x, y);
  }
  /// −1 if x < limit, else 1
  [[nodiscard]] Term sign_above(Term limit, Term x) const {
    return select(is_less(x, limit), pool_.number(-1.0), pool_.number(1.0));
  }
  [[nodiscard]] Triple along(Term v, const Triple& basis) const {
    return {pool_.dot(v, basis[0]), pool_.dot(v, basis[1]), pool_.dot(v, basis[2])};
  }

 private:
  TermPool& pool_;
};

Triple halves(const PlacedSurface& box) { return {0.5 * box.lengths[0], 0.5 * box.lengths[1], 0.5 * box.lengths[2]}; }

/// Of two opposite corners c and −c, that one counts whose gap is smaller. Both gaps may be equal where none is 0. So
/// the gap is first changed by this number times c·d, with the vector d to the center of the body with the corners. The
/// change is below a tenth of the least width of that body if it touches.
/// \param half  half lengths of the body with the corners   \param other  bound of the radius of the other body
Term facing_preference(const Triple& half, Term other) {
  const Term sum = half[0] + half[1] + half[2], radius = sum + other;
  return 0.05 / ((1.0 / half[0] + 1.0 / half[1] + 1.0 / half[2]) * (radius * radius));
}

/// The vectors to the corners (x, ±y, ±z) of a box. The other four corners are opposite.
std::vector<Term> corners_of(const PlacedSurface& box) {
  const Triple half = halves(box);
  std::vector<Term> all;
  for (const double y : {1.0, -1.0})
    for (const double z : {1.0, -1.0})
      all.push_back(half[0] * box.basis[0] + y * half[1] * box.basis[1] + z * half[2] * box.basis[2]);
  return all;
}

/// Where the segment of a capsule crosses an edge of a box.
struct Crossing {
  Term gap, normal;  ///< normal: from the capsule to the box
  Term place;        ///< of the crossing on the segment, from its middle
};

/// Crossings of the segment of a capsule with the edges of a box.
///
/// An edge along b_j of the box lies between its faces p and q. N is normal to this edge and to the segment. Among the
/// four edges along b_j, the one that is farthest in the direction N has the distance |N·d| − |N_p| g_p − |N_q| g_q
/// from the segment. If N is the normal of a face, two edges are at this distance: where the segment enters that face,
/// and where it leaves it.
class SegmentOnBox {
 public:
  /// \param to_box  from the center of the capsule to that of the box
  SegmentOnBox(const Terms& terms, const PlacedSurface& capsule, const PlacedSurface& box, Term to_box)
      : terms_(terms),
        capsule_(capsule),
        box_(box),
        half_segment_(0.5 * capsule.lengths[1]),
        half_(halves(box)),
        between_(terms.along(to_box, box.basis)),
        along_(terms.along(capsule.axis, box.basis)) {}

  /// The crossing where the segment enters the box (−1), or leaves it (1). One edge of the box at most is there.
  [[nodiscard]] Crossing crossing(double direction) const {
    Crossing nearest = with_edge_along(0, direction);
    Term least = nearest.gap;
    for (const std::size_t j : {1U, 2U}) {
      const Crossing one = with_edge_along(j, direction);
      const Term weighted = kWeights[j] * one.gap, is_less = terms_.is_less(weighted, least);
      nearest = {terms_.select(is_less, one.gap, nearest.gap), terms_.select(is_less, one.normal, nearest.normal),
                 terms_.select(is_less, one.place, nearest.place)};
      least = terms_.smaller(least, weighted);
    }
    return nearest;
  }

 private:
  [[nodiscard]] Crossing with_edge_along(std::size_t j, double direction) const {
    TermPool& pool = terms_.pool();
    const std::size_t p = (j + 1) % 3, q = (j + 2) % 3;
    const Term r_p = along_[p], r_q = along_[q], square = r_p * r_p + r_q * r_q;
    const Term regular = terms_.larger(square, pool.number(kLeastSquare)), sine = terms_.root(regular);
    // N and −N are the normals; `turn` N is directed to the capsule. d = `between_` is directed to the box.
    const Term smallest = terms_.smaller(half_[0], terms_.smaller(half_[1], half_[2]));
    const Term N_p = r_q / sine, N_q = -(r_p / sine), N_d = N_p * between_[p] + N_q * between_[q];
    const Term turn = -terms_.sign(N_d, smallest), distance = -(turn * N_d);
    // The edge is at the end of the face that the segment passes more steeply, by `direction`, and on the side of the
    // other face that is directed to the capsule.
    const Term is_steep_p = terms_.is_less(kSteeper * (r_q * r_q) + 0.001 * kLeastSquare, r_p * r_p);
    const Term least = pool.number(kLeastSign), sign_p = terms_.sign_above(least, r_p),
               sign_q = terms_.sign_above(least, r_q);
    const Term f_p = half_[p] * terms_.select(is_steep_p, direction * sign_p, turn * sign_q);
    const Term f_q = half_[q] * terms_.select(is_steep_p, -(turn * sign_p), direction * sign_q);
    const Term of_box = turn * (N_p * f_p + N_q * f_q);
    // Positive if the segment is too parallel to the edge to cross it. It keeps the compared numbers apart, which then
    // contain rounding errors divided by the sine.
    const Term parallel = terms_.larger(pool.number(0.0), (4.0 - square / kLeastSquare) / 3.0);
    const Term apart = parallel * (half_[0] + half_[1] + half_[2] + half_segment_ + capsule_.lengths[0]);
    const Term gap = distance - of_box - capsule_.lengths[0] + 2.0 * apart;
    const Term across = (f_p + between_[p]) * r_p + (f_q + between_[q]) * r_q, place = across / regular;
    const Term on_box = place * along_[j] - between_[j];
    // Beyond its ends an edge does not count; the gap is the distance from its end in the plane of both lines. The gap
    // is not a distance where the segment is in the box.
    const Term sign = terms_.sign(across + kLeastSquare * apart, square * half_segment_),
               sign_on_box =
                   terms_.sign(across * along_[j] - between_[j] * square + kLeastSquare * apart, square * half_[j]);
    const Term beyond = sine * (sign * place - (1.0 - kEnd) * half_segment_) + apart,
               beyond_on_box = kUneven * (sine * (sign_on_box * on_box - (1.0 - 2.0 * kEnd) * half_[j])) + 0.3 * apart,
               most = terms_.larger(beyond, beyond_on_box);
    const Term normal = -turn * (N_p * box_.basis[p] + N_q * box_.basis[q]);
    const Term past_end = sign * (capsule_.axis - along_[j] * box_.basis[j]) / sine,
               past_end_of_box = sign_on_box * (along_[j] * capsule_.axis - box_.basis[j]) / sine;
    const Term is_past = terms_.is_less(pool.number(0.0), most), is_past_first = terms_.is_less(beyond_on_box, beyond);
    const Term within = terms_.larger(gap, -gap - capsule_.lengths[0] - kDepth * smallest),
               outside = terms_.larger(gap, most) + kEnd * half_segment_;
    return {terms_.select(is_past, outside, within),
            terms_.select(is_past, terms_.select(is_past_first, past_end, past_end_of_box), normal), place};
  }

  const Terms& terms_;
  const PlacedSurface &capsule_, &box_;
  Term half_segment_;
  Triple half_, between_, along_;
};

/// Distance of a point from a box, with the nearest point.
/// \param x  vector from the center of the box to the point
SurfaceContact end_on_box(const Terms& terms, const PlacedSurface& box, Term x, const PlacedSurface& capsule,
                          Term to_end) {
  const Triple half = halves(box), at = terms.along(x, box.basis);
  Term arm = -x;
  for (std::size_t k = 0; k < 3; ++k) arm = arm + terms.larger(-half[k], terms.smaller(at[k], half[k])) * box.basis[k];
  const Term n = terms.pool().unit(arm), R = capsule.lengths[0];
  return {terms.pool().norm(arm) - R, n, capsule.center, to_end + R * n};
}

/// Contact of two opposite corners of a box with the side of a capsule.
/// \param to_box  from the center of the capsule
SurfaceContact corner_on_side(const Terms& terms, const PlacedSurface& capsule, const PlacedSurface& box, Term to_box,
                              Term corner, Term preference) {
  TermPool& pool = terms.pool();
  const Term R = capsule.lengths[0], inner = (1.0 - kEnd) * 0.5 * capsule.lengths[1];
  const auto at = [&](Term x) {
    const Term along = pool.dot(x, capsule.axis), radial = x - along * capsule.axis;
    // The distance is at least R/2, so that it is regular on the axis, too.
    const Term distance = terms.root(terms.larger(0.25 * (R * R), pool.dot(radial, radial)));
    const Term from_middle = terms.sign(along, R) * along, gap = distance - R, beyond = from_middle - inner,
               is_past = terms.is_less(gap, beyond);
    return SurfaceContact{terms.larger(gap, beyond),
                          terms.select(is_past, terms.sign(along, R) * capsule.axis, radial / distance),
                          box.center,
                          {}};
  };
  const SurfaceContact plus = at(to_box + corner), minus = at(to_box - corner);
  const Term outward = preference * pool.dot(corner, to_box);
  const Term is_minus = terms.is_less(minus.gap - outward, plus.gap + outward);
  return {terms.select(is_minus, minus.gap, plus.gap), terms.select(is_minus, minus.normal, plus.normal), box.center,
          terms.select(is_minus, pool.number(-1.0), pool.number(1.0)) * corner};
}

}  // namespace

std::vector<SurfaceContact> capsule_box_contacts(TermPool& pool, const PlacedSurface& capsule,
                                                 const PlacedSurface& box) {
  const Terms terms(pool);
  const Term to_box = pool.position(box.center, capsule.center), half = 0.5 * capsule.lengths[1];
  std::vector<SurfaceContact> all;
  for (const double sign : {-1.0, 1.0}) {
    const Term end = sign * half * capsule.axis;
    all.push_back(end_on_box(terms, box, end - to_box, capsule, end));
  }
  const SegmentOnBox crossings(terms, capsule, box, to_box);
  for (const double direction : {-1.0, 1.0}) {
    const Crossing one = crossings.crossing(direction);
    all.push_back({one.gap, one.normal, capsule.center, one.place * capsule.axis + capsule.lengths[0] * one.normal});
  }
  const Term preference = facing_preference(halves(box), capsule.lengths[0] + half);
  for (const Term corner : corners_of(box))
    all.push_back(corner_on_side(terms, capsule, box, to_box, corner, preference));
  VINCULUM_ENSURES(all.size() == kCapsuleBoxContacts);
  return all;
}

}  // namespace vinculum::model

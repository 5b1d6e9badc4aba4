#pragma once

#include <array>

#include "vinculum/model/term.hpp"

/// Builds the vectors that the rows of joints contain: triads, vectors of another frame, rotations.
namespace vinculum::model {

/// Three right-handed orthogonal unit vectors.
struct Triad {
  Term a, e1, e2;
};

/// unit(axis), or the axis itself if it is ± a basis vector.
[[nodiscard]] Term direction_of(Term axis);

/// Triad fixed in the frame with a along the axis. If the axis is ± a basis vector of the frame, the triad consists of
/// the basis vectors in cyclic order. Otherwise e1 = unit(cross(a, e)), where e is the basis vector along which a has
/// its smallest measure number. If the measure numbers of a depend on parameters, each set of parameter values selects
/// its own e.
/// \param axis  constant in the frame, not zero.
/// \param in_basis  the same vector in the frame's own basis, as far as constant rotations allow. It makes the choice
///   of e independent of the state even if two measure numbers are equal except for rounding. Invalid: the axis is
///   used.
[[nodiscard]] Triad triad_about(TermPool& pool, Term axis, FrameId frame, Term in_basis = {});

/// The vector whose measure numbers in `to` equal the measure numbers of `vector` in `from`.
/// \param vector  constant in `from`.
[[nodiscard]] Term counterpart(TermPool& pool, Term vector, FrameId from, FrameId to);

/// Whether the measure numbers of a in `of_a` equal a common factor times the measure numbers of b in `of_b`, for all
/// parameter values.
/// \param a, b  constant in their frames
[[nodiscard]] bool are_proportional(TermPool& pool, Term a, FrameId of_a, Term b, FrameId of_b);

/// Rotation by a rotation vector, whose direction is the axis and whose length is the angle. Smooth at the zero vector.
class Turn {
 public:
  Turn(TermPool& pool, Term vector);
  /// The rotated vector.
  [[nodiscard]] Term of(Term vector) const;

 private:
  TermPool& pool_;
  Term along_;  ///< the vector `along`; the rotation is v → cosine v + sine along × v + versine (along·v) along
  Term cosine_, sine_, versine_;
};

}  // namespace vinculum::model

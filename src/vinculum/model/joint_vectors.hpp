#pragma once

#include <array>

#include "vinculum/model/term.hpp"

/// Vectors that joints are made of.
namespace vinculum::model {

/// Right-handed unit vectors.
struct Triad {
  Term a, e1, e2;
};

/// unit(axis), or the axis itself where it is ± a basis vector.
[[nodiscard]] Term direction_of(Term axis);

/// Triad fixed in the frame with a along the axis: the frame's own vectors in their order where the axis is ± one of
/// them, else e1 = unit(cross(a, the basis vector farthest from a)), chosen by the parameters' values each time where
/// it depends on them.
/// \param axis  constant in the frame, not zero.
/// \param in_basis  the same vector in the frame's own basis, as far as it is constant there by constant turns: two
/// measure numbers may be equal but for rounding, and the choice must not change with the state. Not valid: the axis.
[[nodiscard]] Triad triad_about(TermPool& pool, Term axis, FrameId frame, Term in_basis = {});

/// The vector with the same measure numbers in `to` as the vector has in `from`. \param vector  constant in `from`.
[[nodiscard]] Term counterpart(TermPool& pool, Term vector, FrameId from, FrameId to);

/// Whether the measure numbers of a in `of_a` are those of b in `of_b` times one factor, whatever the parameters are.
/// \param a, b  constant in their frames
[[nodiscard]] bool are_proportional(TermPool& pool, Term a, FrameId of_a, Term b, FrameId of_b);

/// Rotation by a vector: about its direction, by its length as angle. Smooth where the vector is zero.
class Turn {
 public:
  Turn(TermPool& pool, Term vector);
  /// The vector turned.
  [[nodiscard]] Term of(Term vector) const;

 private:
  TermPool& pool_;
  Term along_;  ///< v → cosine v + sine along × v + versine (along·v) along
  Term cosine_, sine_, versine_;
};

}  // namespace vinculum::model

#pragma once

#include <array>
#include <span>
#include <string_view>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

enum class SolidKind { kRod, kBox, kCylinder, kSphere };

/// A solid of uniform density, as an entry of `solid_table`.
struct SolidInfo {
  SolidKind kind;
  std::string_view name;
  std::string_view signature;  ///< the solid with its sizes: "cylinder(r, h [, axis VEC])"
  std::string_view meaning;
  std::size_t sizes;  ///< number of lengths in the signature
  bool has_axis;      ///< has an axis: the z axis of the frame, unless another one is stated
};
[[nodiscard]] std::span<const SolidInfo> solid_table();

/// Volume [m³].   \pre the solid is not a rod, which has none
[[nodiscard]] Term volume_of(SolidKind kind, std::span<const Term> sizes);

/// Inertia about the mass center, in a frame.
/// \param mass   [kg]
/// \param sizes  [m] the lengths of the table, all positive
/// \param axis   measure numbers of the unit vector along the axis of a rod or a cylinder; a box has its edges along x,
///               y, z
[[nodiscard]] Inertia inertia_of(SolidKind kind, Term mass, std::span<const Term> sizes,
                                 const std::array<Term, 3>& axis);

}  // namespace vinculum::model

#pragma once

#include <Eigen/Core>
#include <span>

#include "vinculum/model/view.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum::report {

/// Returns the unit quaternion (w, x, y, z) of a rotation R = 1 + 2 (w [e]× + [e]×²), with e = (x, y, z) and w ≥ 0.
/// \param R  [3×3] orthonormal, det 1.   Source: Shepperd, J. Guidance and Control 1 (1978): largest component first.
[[nodiscard]] Eigen::Vector4d quaternion_of(const Eigen::Matrix3d& R);

/// Returns the default shape of a body: the simplest homogeneous one with its mass m and inertia. If all principal
/// moments are equal (I): a sphere of radius √(5I/2m). If two are equal: a cylinder with radius r = √(2I_a/m) and
/// height h = √(12I_t/m − 3r²), with I_a about its axis and I_t across it; exact for disks and rods. Otherwise: an
/// ellipsoid with semi-axes a² = 5(I_y + I_z − I_x)/2m and so on. If no such shape exists: a dot.
///
/// {"kind": "sphere", "radius"}, {"kind": "cylinder", "turn", "radius", "length"} along z, {"kind": "ellipsoid",
/// "turn", "axes": [3]}, {"kind": "dot"}; `turn` is the quaternion from the shape's axes to the body's.
/// \param mass     [kg]
/// \param inertia  [3×3] kg m², central, products with the sign of the tensor (Ixy = −∫xy dm).
[[nodiscard]] Node shape_of(double mass, const Eigen::Matrix3d& inertia);

/// Returns the JSON of a shape that the model states. In addition to the kinds of `shape_of`: {"kind": "box", "sides":
/// [3]}, {"kind": "cone", "turn", "radius", "length"}, "capsule" with the same members, {"kind": "ring", "turn",
/// "radius", "tube"}, {"kind": "plane", "turn", "sides": [2]}.
/// \param sizes  [m], in the order of `model::shape_table`.  \param axis  in the shape's frame, not 0
[[nodiscard]] Node stated_shape(model::ShapeKind kind, std::span<const double> sizes, const Eigen::Vector3d& axis);

}  // namespace vinculum::report

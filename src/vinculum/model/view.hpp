#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

enum class ShapeKind { kSphere, kBox, kCylinder, kDisk, kCone, kRing, kEllipsoid, kPlane, kCapsule };

/// A kind of shape that `view` can draw, as an entry of `shape_table`. Docs and messages are derived from that table.
struct ShapeInfo {
  ShapeKind kind;
  std::string_view name;
  std::string_view signature;  ///< the shape with its arguments, "cylinder(r, h, axis VEC)"
  std::string_view meaning;
  std::size_t sizes;  ///< number of lengths in the signature
  bool has_axis;      ///< has an axis: the z axis of the frame, unless another one is stated
};
[[nodiscard]] std::span<const ShapeInfo> shape_table();

/// A color that is legible on light and dark backgrounds.
struct ColourInfo {
  std::string_view name;
  std::string_view hex;  ///< color code "#rrggbb"
};
[[nodiscard]] std::span<const ColourInfo> colour_table();
/// Whether a text is a color code "#rrggbb".
[[nodiscard]] bool is_colour_code(std::string_view text);

/// The content of a drawing of the motion, as `view` states it. It has no influence on the motion. Lengths are terms of
/// parameters [m]; colors are empty if not stated.
struct View {
  struct Shape {
    std::string owner;  ///< name of the body, frame, point or particle
    PointId at;         ///< center of the shape
    FrameId frame;      ///< frame whose axes orient the shape; newtonian for points
    ShapeKind kind{};
    std::vector<Term> sizes;
    int letter = 2;  ///< index of the frame's axis x, y, z that is used if `axis` is invalid
    Term axis;       ///< constant in the frame; invalid: `letter` gives the axis
    std::string colour;
    bool is_surface = false;
  };
  struct Link {
    PointId first, second;
    Term radius;  ///< invalid: drawn as a thin line
    std::string colour;
    enum class Kind { kRod, kCoil, kCapsule } kind = Kind::kRod;
  };
  /// A shape from an STL file. Only the writer of a page opens the file.
  struct Mesh {
    std::string owner;  ///< name of the body, frame, point or particle
    PointId at;         ///< place of the file's origin
    FrameId frame;      ///< frame whose axes are the axes of the file
    std::string folder, file;
    SourceRange range;  ///< of the file name
    Term scale;         ///< length of one unit of the file; invalid: 1 m
    std::string colour;
  };
  struct Label {
    PointId at;
    std::string text, colour;
  };
  struct Axes {
    FrameId frame;
    PointId at;
    Term length;  ///< invalid: short axes
  };
  struct Trace {
    PointId point;
    std::string colour;
  };
  /// A force or torque of a constraint that the page shows at first. The others are hidden at first.
  struct Reaction {
    ConstraintId constraint;
    std::string on;
    bool is_torque = false;
  };
  struct Vector {
    std::string text;
    Term value;
    Dimension dimension;
    PointId at;
    std::string colour;
  };
  struct Colour {
    std::string owner, hex;
  };
  std::vector<Shape> shapes;
  std::vector<Link> links;
  std::vector<Axes> axes;
  std::vector<Trace> traces;
  std::vector<Reaction> reactions;
  std::vector<Vector> vectors;
  std::vector<Colour> colours;
  std::vector<std::string> hidden;
  std::vector<std::string> without;  ///< elements of kLeftOut that are not drawn
  std::vector<Mesh> meshes;
  std::vector<Label> labels;
  PointId followed;  ///< the point that the camera follows; invalid: not stated
};

/// Elements that are drawn unless `view` omits them.
inline constexpr std::array<std::string_view, 3> kLeftOut = {"ground", "rods", "traces"};

}  // namespace vinculum::model

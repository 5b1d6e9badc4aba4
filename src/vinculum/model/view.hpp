#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

enum class ShapeKind { kSphere, kBox, kCylinder, kDisk, kCone, kRing, kEllipsoid, kPlane };

/// One row a kind of shape: docs and messages follow from it.
struct ShapeInfo {
  ShapeKind kind;
  std::string_view name;
  std::string_view signature;  ///< "cylinder(r, h, axis VEC)"
  std::string_view meaning;
  std::size_t sizes;  ///< how many
  bool has_axis;      ///< along z of the frame unless it is stated
};
[[nodiscard]] std::span<const ShapeInfo> shape_table();

/// A colour that reads on a light ground and on a dark one.
struct ColourInfo {
  std::string_view name;
  std::string_view hex;  ///< "#rrggbb"
};
[[nodiscard]] std::span<const ColourInfo> colour_table();

/// What a drawing of the motion shows, where a model says so. No motion depends on it. Sizes are terms of parameters
/// [m]; colours are empty where none is stated.
struct View {
  struct Shape {
    std::string owner;  ///< the body, frame, point or particle
    PointId at;         ///< its middle
    FrameId frame;      ///< its axes; newtonian of points
    ShapeKind kind{};
    std::vector<Term> sizes;
    int letter = 2;  ///< the axis where no vector is stated: x, y, z of the frame
    Term axis;       ///< fixed in the frame; not valid: the letter
    std::string colour;
    bool is_surface = false;
  };
  struct Link {
    PointId first, second;
    Term radius;  ///< not valid: thin
    std::string colour;
    bool is_coil = false;
  };
  struct Axes {
    FrameId frame;
    PointId at;
    Term length;  ///< not valid: short
  };
  struct Trace {
    PointId point;
    std::string colour;
  };
  /// Of what a constraint exerts: it is on at first, those not named are off.
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
  std::vector<std::string> without;  ///< of kLeftOut
};

/// What is drawn by itself, and may be left out.
inline constexpr std::array<std::string_view, 3> kLeftOut = {"ground", "rods", "traces"};

}  // namespace vinculum::model

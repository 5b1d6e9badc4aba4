#include "vinculum/model/view.hpp"

namespace vinculum::model {
namespace {

constexpr std::array<ShapeInfo, 9> kShapes = {{
    {ShapeKind::kSphere, "sphere", "sphere(r)", "a ball of radius r", 1, false},
    {ShapeKind::kBox, "box", "box(a, b, c)", "a block with edges a, b, c along x, y, z of the frame", 3, false},
    {ShapeKind::kCylinder, "cylinder", "cylinder(r, h [, axis VEC])", "of radius r, h long along the axis", 2, true},
    {ShapeKind::kDisk, "disk", "disk(r [, axis VEC])", "a flat cylinder of radius r", 1, true},
    {ShapeKind::kCone, "cone", "cone(r, h [, axis VEC])",
     "base radius r and height h; the tip points along the axis, and the middle of the height is at the place", 2,
     true},
    {ShapeKind::kRing, "ring", "ring(R, r [, axis VEC])",
     "a tube of radius r whose middle is a circle of radius R across the axis", 2, true},
    {ShapeKind::kEllipsoid, "ellipsoid", "ellipsoid(a, b, c)", "with half axes a, b, c along x, y, z of the frame", 3,
     false},
    {ShapeKind::kPlane, "plane", "plane(a, b [, axis VEC])", "a rectangle with sides a and b across the axis", 2, true},
    {ShapeKind::kCapsule, "capsule", "capsule(r, h [, axis VEC])",
     "a cylinder of radius r, h long along the axis, with half balls at its ends", 2, true},
}};

constexpr std::array<ColourInfo, 12> kColours = {{
    {"red", "#d1495b"},
    {"orange", "#e08a3c"},
    {"yellow", "#d6b23a"},
    {"green", "#4f9d69"},
    {"teal", "#2a9d8f"},
    {"blue", "#4178be"},
    {"violet", "#8a63b8"},
    {"pink", "#cf6f9f"},
    {"brown", "#8c6a4f"},
    {"black", "#2b2f36"},
    {"grey", "#868e99"},
    {"white", "#f2f2ee"},
}};

}  // namespace

std::span<const ShapeInfo> shape_table() { return kShapes; }
std::span<const ColourInfo> colour_table() { return kColours; }

bool is_colour_code(std::string_view text) {
  return text.size() == 7 && text.front() == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string_view::npos;
}

}  // namespace vinculum::model

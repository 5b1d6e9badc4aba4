#include "vinculum/imports/link_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "vinculum/diag/hints.hpp"
#include "vinculum/imports/inertia.hpp"
#include "vinculum/imports/terms.hpp"
#include "vinculum/model/view.hpp"

namespace vinculum::imports {
namespace {

/// Two unit vectors across the axis of a planar joint: the axes that follow it in the order x, y, z.
std::array<Vector3, 2> across(const Vector3& axis) {
  const int main = main_axis(axis);
  if (main >= 0) {
    const Vector3 first = Vector3::Unit((main + 1) % 3);
    return {first, axis.cross(first)};
  }
  int least = 0;
  axis.cwiseAbs().minCoeff(&least);
  const Vector3 first = axis.cross(Vector3::Unit(least)).normalized();
  return {first, axis.cross(first)};
}

/// " + q*F.x" or " - q*F.x"; brackets around an axis that is not one of the frame's.
std::string moved_along(const std::string& q, const Vector3& axis, const std::string& frame) {
  if (main_axis(axis) < 0) return fmt::format(" + {}*({})", q, vector_text(axis, frame));
  const bool is_opposite = axis.sum() < 0.0;
  return fmt::format(" {} {}*{}", is_opposite ? '-' : '+', q, vector_text(is_opposite ? -axis : axis, frame));
}

/// The color of drawings that is nearest to this one.
std::string_view nearest_color(const std::array<double, 3>& color) {
  std::string_view nearest;
  double least = 0.0;
  for (const model::ColourInfo& one : model::colour_table()) {
    double distance = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      int level = 0;
      const char* const digits = one.hex.data() + 1 + 2 * i;
      std::from_chars(digits, digits + 2, level, 16);
      distance += (level / 255.0 - color[i]) * (level / 255.0 - color[i]);
    }
    if (!nearest.empty() && distance >= least) continue;
    nearest = one.name;
    least = distance;
  }
  return nearest;
}

/// The link with the body that a link belongs to: itself, or the next one on the way to the root over fixed joints; −1
/// if there is none.
int body_of(const Robot& robot, const Tree& tree, int link) {
  while (link >= 0 && robot.links[static_cast<std::size_t>(link)].is_massless()) {
    const int joint = tree.joint_of[static_cast<std::size_t>(link)];
    const bool is_fixed = joint >= 0 && robot.joints[static_cast<std::size_t>(joint)].kind == JointKind::kFixed;
    link = is_fixed ? tree.parent_of[static_cast<std::size_t>(link)] : -1;
  }
  return link;
}

/// Whether only fixed joints are between a link and the root.
bool is_at_root(const Robot& robot, const Tree& tree, int link) {
  for (; tree.joint_of[static_cast<std::size_t>(link)] >= 0; link = tree.parent_of[static_cast<std::size_t>(link)]) {
    const int joint = tree.joint_of[static_cast<std::size_t>(link)];
    if (robot.joints[static_cast<std::size_t>(joint)].kind != JointKind::kFixed) return false;
  }
  return true;
}

}  // namespace

std::vector<bool> damped_at_links(const Robot& robot, const Tree& tree, Base base) {
  std::vector<bool> damped(robot.joints.size());
  for (const int link : tree.links) {
    const int number = tree.joint_of[static_cast<std::size_t>(link)];
    if (number < 0 || !tree.moves_mass[static_cast<std::size_t>(number)]) continue;
    const Joint& joint = robot.joints[static_cast<std::size_t>(number)];
    if (!joint.has_coordinate() || joint.damping == 0.0 || joint.friction > 0.0) continue;
    const int parent = tree.parent_of[static_cast<std::size_t>(link)];
    const bool is_on_ground = base == Base::kFixed && is_at_root(robot, tree, parent);
    const bool has_bodies = !robot.links[static_cast<std::size_t>(link)].is_massless() &&
                            (is_on_ground || body_of(robot, tree, parent) >= 0);
    damped[static_cast<std::size_t>(number)] = !joint.turns() || has_bodies;
  }
  return damped;
}

LinkText::LinkText(const Robot& robot, const Tree& tree, const TextOptions& options, const std::vector<bool>& damped,
                   Names& names, ModelText& written, diag::Sink& sink)
    : robot_(robot),
      tree_(tree),
      options_(options),
      damped_(damped),
      names_(names),
      written_(written),
      sink_(sink),
      links_(robot.links.size()) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const std::string& given = robot.links[i].name;
    links_[i].name = names.take(given, "_link");
    if (links_[i].name != given)
      written.changes.push_back(fmt::format("link `{}` is called `{}`", on_one_line(given), links_[i].name));
  }
}

std::string LinkText::link(int number, const JointText& joints) {
  Written& own = links_[static_cast<std::size_t>(number)];
  own.frame = link_of(number).is_massless() ? own.name : names_.take(own.name + "_frame", "_link");
  own.origin = names_.take(own.name + "_origin", "_link");
  const int joint = tree_.joint_of[static_cast<std::size_t>(number)];
  const std::string place =
      joint < 0 ? root(number) : moved(number, robot_.joints[static_cast<std::size_t>(joint)], joint, joints);
  std::string text = "\n" + place + body(number);
  if (joint >= 0 && damped_[static_cast<std::size_t>(joint)])
    text += damping(number, robot_.joints[static_cast<std::size_t>(joint)], joints.name(joint));
  return text;
}

std::string LinkText::body_at(int number) const {
  const int body = body_of(robot_, tree_, number);
  return body < 0 ? "N" : links_[static_cast<std::size_t>(body)].name;
}

std::string LinkText::damping(int number, const Joint& joint, const std::string& q) {
  const Written& own = links_[static_cast<std::size_t>(number)];
  const std::string rate = joint.mimic ? fmt::format("dt({})", q) : q + "'";
  const bool is_main = main_axis(joint.axis) >= 0, is_opposite = is_main && joint.axis.sum() < 0.0;
  const std::string axis = vector_text(is_opposite ? Vector3(-joint.axis) : joint.axis, own.frame);
  const std::string load = fmt::format("{} [{}]*{}*{}", number_text(is_opposite ? joint.damping : -joint.damping),
                                       joint.turns() ? "N*m*s" : "N*s/m", rate, is_main ? axis : "(" + axis + ")");
  if (!joint.turns()) return fmt::format("force on {} = {} from {}\n", own.origin, load, own.rest);
  return fmt::format("torque on {} = {} from {}\n", own.name, load,
                     body_at(tree_.parent_of[static_cast<std::size_t>(number)]));
}

std::string LinkText::root(int number) {
  const Written& own = links_[static_cast<std::size_t>(number)];
  if (options_.base == Base::kFixed)
    return fmt::format("frame {} = N rotated 0 about z\npoint {} = O\n", own.frame, own.origin);
  std::vector<std::string> q;
  for (const char* suffix : {"_x", "_y", "_z", "_e0", "_e1", "_e2", "_e3"})
    q.push_back(names_.take(own.name + suffix, "_base"));
  written_.degrees_of_freedom += 6;
  return fmt::format(
      "coord {0}, {1}, {2} [m], {3}, {4}, {5}, {6} [1]\nframe {7} = N quaternion({3}, {4}, {5}, {6})\n"
      "point {8} = O + {0}*N.x + {1}*N.y + {2}*N.z\n",
      q[0], q[1], q[2], q[3], q[4], q[5], q[6], own.frame, own.origin);
}

/// The frame of a link that turns by an angle relative to the frame of its joint.
std::string LinkText::turned_about(const Joint& joint, const std::string& angle, const Written& own,
                                   const Written& parent) {
  std::string text, base = parent.frame;
  if (!joint.pose.rpy.isZero(0.0)) {
    base = names_.take(joint.name + "_frame", "_joint");
    text = fmt::format("frame {} = {}\n", base, attitude_text(joint.pose.rpy, parent.frame));
  }
  const int main = main_axis(joint.axis);
  if (main < 0)
    return text +
           fmt::format("frame {} = {} rotated {} about {}\n", own.frame, base, angle, vector_text(joint.axis, base));
  return text + fmt::format("frame {} = {} rotated {}{} about {}\n", own.frame, base, joint.axis[main] < 0.0 ? "-" : "",
                            angle, "xyz"[main]);
}

std::string LinkText::moved(int number, const Joint& joint, int joint_number, const JointText& joints) {
  Written& own = links_[static_cast<std::size_t>(number)];
  const Written& parent = links_[static_cast<std::size_t>(tree_.parent_of[static_cast<std::size_t>(number)])];
  const std::vector<std::string>& q = joints.coordinates(joint_number);
  const std::string& name = joints.name(joint_number);
  const std::string origin =
      fmt::format("point {} = {}{}", own.origin, parent.origin, added_vector(joint.pose.xyz, "[m]", parent.frame));
  const std::string fixed = fmt::format("frame {} = {}\n", own.frame, attitude_text(joint.pose.rpy, parent.frame));
  if (joint.turns()) return turned_about(joint, name, own, parent) + origin + "\n";
  // Before its motion, the frame of the joint is that of the child.
  if (joint.kind == JointKind::kPrismatic && damped_[static_cast<std::size_t>(joint_number)]) {
    own.rest = names_.take(joint.name + "_origin", "_joint");
    return fixed + fmt::format("point {} = {}{}\npoint {} = {}{}\n", own.rest, parent.origin,
                               added_vector(joint.pose.xyz, "[m]", parent.frame), own.origin, own.rest,
                               moved_along(name, joint.axis, own.frame));
  }
  if (joint.kind == JointKind::kPrismatic) return fixed + origin + moved_along(name, joint.axis, own.frame) + "\n";
  if (q.empty()) return fixed + origin + "\n";
  std::string base, text;
  if (joint.pose.rpy.isZero(0.0)) {
    base = parent.frame;
  } else {
    base = names_.take(joint.name + "_frame", "_joint");
    text = fmt::format("frame {} = {}\n", base, attitude_text(joint.pose.rpy, parent.frame));
  }
  const Written at_joint{.name = {}, .frame = base, .origin = {}, .rest = {}};
  if (joint.kind == JointKind::kFloating)
    return text + fmt::format("frame {} = {} quaternion({}, {}, {}, {})\n{} + {}*{}.x + {}*{}.y + {}*{}.z\n", own.frame,
                              base, q[3], q[4], q[5], q[6], origin, q[0], base, q[1], base, q[2], base);
  Joint turning = joint;
  turning.pose.rpy.setZero();
  const auto [first, second] = across(joint.axis);
  return text + turned_about(turning, q[2], own, at_joint) + origin + moved_along(q[0], first, base) +
         moved_along(q[1], second, base) + "\n";
}

/// Moments of inertia that the language admits. \param added  the part of them that the link does not have, s·1.
model::Moments LinkText::judged(const Link& link, const model::Moments& moments, double& added) {
  added = 0.0;
  if (model::fault_of(moments) == model::InertiaFault::kNone) return moments;
  const bool is_negative = model::fault_of(moments) == model::InertiaFault::kNegative;
  diag::Diagnostic said = diag::error(
      diag::Kind::kBadValue, link.inertial.range,
      fmt::format(
          "no body has the inertia of link `{}`: {}", link.name,
          is_negative ? "a principal moment is negative" : "a principal moment exceeds the sum of the other two"),
      options_.fixes_inertia ? "the model has the nearest inertia that a body can have"
                             : "the model has this inertia nevertheless, by a `lagrangian`; `--fix-inertia` takes the "
                               "nearest one that a body can have");
  said.severity = diag::Severity::kWarning;
  sink_.report(std::move(said));
  const std::string_view way = options_.fixes_inertia ? "is replaced by the nearest possible one"
                                                      : "is impossible for a body, and is written as two parts";
  written_.changes.push_back(fmt::format("the inertia of link `{}` {}", on_one_line(link.name), way));
  if (options_.fixes_inertia) return nearest_real(moments);
  added = added_to_be_real(moments);
  model::Moments real = moments;
  for (std::size_t i = 0; i < 3; ++i) real[i] += added;
  return real;
}

std::string LinkText::body(int number) {
  const Link& link = link_of(number);
  if (link.is_massless()) return "";
  const Written& own = links_[static_cast<std::size_t>(number)];
  const Inertial& inertial = link.inertial;
  const bool is_turned = !inertial.pose.rpy.isZero(0.0);
  double added = 0.0;
  const model::Moments moments =
      judged(link, is_turned ? turned(inertial.moments, rotation_of(inertial.pose.rpy)) : inertial.moments, added);
  std::string text;
  if (is_turned) {
    const Vector3& rpy = inertial.pose.rpy;
    text = fmt::format("# the file states the inertia in axes turned by ({}, {}, {})\n", angle_text(rpy[0]),
                       angle_text(rpy[1]), angle_text(rpy[2]));
  }
  text += fmt::format("body {} frame {} mass {} [kg] inertia (", own.name, own.frame, number_text(inertial.mass));
  const std::size_t count = moments[3] == 0.0 && moments[4] == 0.0 && moments[5] == 0.0 ? 3 : 6;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + number_text(moments[i]);
  text += fmt::format(") [kg*m^2] at {}{}\n", own.origin, added_vector(inertial.pose.xyz, "[m]", own.frame));
  if (added != 0.0)
    text += fmt::format(
        "# no body has the inertia of the file: this takes away what the body has in addition\n"
        "lagrangian -{} [kg*m^2]/2*dot(omega({}), omega({}))\n",
        number_text(added), own.frame, own.frame);
  return text;
}

std::string LinkText::shape(const Link& link, const Written& own, const Shape& shape, std::string& places) {
  std::string at = own.origin, of = link.is_massless() ? own.frame : own.name;
  if (!shape.pose.xyz.isZero(0.0)) {
    at = names_.take(own.name + "_shape", "_link");
    places += fmt::format("point {} = {}{}\n", at, own.origin, added_vector(shape.pose.xyz, "[m]", own.frame));
  }
  if (!shape.pose.rpy.isZero(0.0) && shape.kind != ShapeKind::kSphere) {
    of = names_.take(own.name + "_shape_frame", "_link");
    places += fmt::format("frame {} = {}\n", of, attitude_text(shape.pose.rpy, own.frame));
  }
  const std::string end = shape.color ? fmt::format(" color {}\n", nearest_color(*shape.color)) : "\n";
  const auto size = [&shape](std::size_t i) { return number_text(shape.sizes[i]) + " [m]"; };
  if (shape.kind == ShapeKind::kBox)
    return fmt::format("shape {} = box({}, {}, {}) at {}{}", of, size(0), size(1), size(2), at, end);
  if (shape.kind == ShapeKind::kSphere) return fmt::format("shape {} = sphere({}) at {}{}", of, size(0), at, end);
  std::string text = fmt::format("shape {} = cylinder({}, {}) at {}{}", of, size(0), size(1), at, end);
  if (shape.kind == ShapeKind::kCylinder) return text;
  const Vector3 half = shape.sizes[1] / 2.0 * Vector3::UnitZ();
  for (const Vector3& side : {Vector3(-half), half}) {  // the ends of a capsule
    const std::string tip = names_.take(own.name + "_shape", "_link");
    const std::string& frame = shape.pose.rpy.isZero(0.0) ? own.frame : of;
    places += fmt::format("point {} = {}{}\n", tip, at, added_vector(side, "[m]", frame));
    text += fmt::format("shape {} = sphere({}) at {}{}", of, size(0), tip, end);
  }
  return text;
}

std::string LinkText::view() {
  std::string places, shapes;
  for (const int number : tree_.links) {
    const Written& own = links_[static_cast<std::size_t>(number)];
    for (const Shape& one : link_of(number).shapes) shapes += shape(link_of(number), own, one, places);
    for (const std::string& mesh : link_of(number).meshes)
      places += fmt::format("# mesh of {}: {}\n", own.name, on_one_line(mesh));
  }
  if (!places.empty()) places.insert(0, "\n");
  return shapes.empty() ? places : places + "\nview {\n" + shapes + "}\n";
}

}  // namespace vinculum::imports

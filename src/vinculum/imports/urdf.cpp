#include "vinculum/imports/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <set>
#include <utility>

#include "vinculum/diag/hints.hpp"
#include "vinculum/imports/xml_text.hpp"

namespace vinculum::imports {
namespace {

using diag::Kind;
using pugi::xml_node;
using Color = std::array<double, 3>;

struct JointWord {
  std::string_view word;
  JointKind kind;
};
constexpr std::array kJointWords = {
    JointWord{"fixed", JointKind::kFixed},           JointWord{"revolute", JointKind::kRevolute},
    JointWord{"continuous", JointKind::kContinuous}, JointWord{"prismatic", JointKind::kPrismatic},
    JointWord{"planar", JointKind::kPlanar},         JointWord{"floating", JointKind::kFloating}};

/// Why elements of this name are left out.
std::string_view meaning_of(std::string_view element) {
  struct Row {
    std::string_view element, meaning;
  };
  static constexpr Row kRows[] = {
      {"transmission", "motors and gears of a controller"},
      {"gazebo", "settings of the simulator Gazebo"},
      {"ros2_control", "settings of a controller"},
      {"sensor", "sensors"},
      {"collision", "shapes of contacts: state contacts as joints of the kind `contact`"},
      {"contact", "settings of the contacts of a simulator"},
      {"safety_controller", "settings of a controller"},
      {"calibration", "settings of a controller"},
      {"mesh", "pictures of meshes, which are never opened"},
      {"verbose", "settings of a program"},
      {"self_collision_checking", "settings of a program"},
      {"capsule", "shapes of contacts"},
      {"drake:", "settings of the program Drake"},
  };
  for (const Row& row : kRows) {
    if (element == row.element || (row.element.back() == ':' && element.starts_with(row.element))) return row.meaning;
  }
  return "elements that URDF does not define";
}

class UrdfReader {
 public:
  UrdfReader(const diag::SourceText& source, diag::Sink& sink) : xml_(source, sink) {}

  std::optional<Robot> read() {
    if (!xml_.parse() || !is_robot(xml_.root())) return std::nullopt;
    const xml_node robot = xml_.root();
    robot_.name = robot.attribute("name").value();
    for (const xml_node& element : robot.children("material")) read_material(element);
    for (const xml_node& element : robot.children()) read_part(element);
    if (robot_.links.empty() && !xml_.has_errors())
      xml_.error(Kind::kMissingStatement, xml_.range(robot), "the robot has no link", "write `<link name=\"base\"/>`");
    return xml_.has_errors() ? std::nullopt : std::optional(std::move(robot_));
  }

 private:
  bool is_robot(const xml_node& root) {
    const std::string_view name = root.name();
    if (name == "robot") return true;
    const bool is_known = name == "mujoco";
    xml_.error(is_known ? Kind::kNotSupported : Kind::kUnknownStatement, xml_.range(root),
               fmt::format("found `{}` instead of the element `robot` of a URDF file", name),
               is_known ? "robots are read from URDF and SDF files"
                        : "a URDF file is `<robot name=\"…\"> … </robot>`, with elements `link` and `joint`");
    return false;
  }

  void read_part(const xml_node& element) {
    if (element.type() != pugi::node_element) return;
    const std::string_view name = element.name();
    if (name == "link") {
      read_link(element);
    } else if (name == "joint") {
      read_joint(element);
    } else if (name.starts_with("xacro:")) {
      xml_.error(Kind::kNotSupported, xml_.range(element), fmt::format("`{}` is an instruction for xacro", name),
                 "expand the file first: `xacro robot.urdf.xacro > robot.urdf`");
    } else if (name != "material") {
      leave_out(element);
    }
  }

  /// Warns about elements that may occur once in `owner`: of two with one name, the first one counts.
  void warn_about_second(const xml_node& owner) {
    std::set<std::string_view> seen;
    for (const xml_node& part : owner.children()) {
      if (part.type() != pugi::node_element || seen.insert(part.name()).second) continue;
      xml_.warning(Kind::kMisplacedStatement, xml_.range(part),
                   fmt::format("a second `{}` in this `{}`", part.name(), owner.name()), "the first one counts");
    }
  }

  void leave_out(const xml_node& element, std::string_view as = {}) {
    if (element.type() != pugi::node_element) return;
    const std::string name(as.empty() ? element.name() : as);
    Remark& remark = robot_.left_out[name];
    ++remark.count;
    remark.meaning = meaning_of(name);
  }

  std::optional<Color> color_of(const xml_node& material) {
    const xml_node color = material.child("color");
    if (color) {
      const auto rgba = xml_.numbers(color, "rgba", 4);
      if (!rgba) return std::nullopt;
      return Color{(*rgba)[0], (*rgba)[1], (*rgba)[2]};
    }
    const auto known = colors_.find(material.attribute("name").value());
    return known == colors_.end() ? std::nullopt : std::optional(known->second);
  }

  void read_material(const xml_node& element) {
    if (const auto color = color_of(element)) colors_[element.attribute("name").value()] = *color;
  }

  Vector3 vector(const xml_node& element, const char* attribute, const Vector3& otherwise) {
    const auto three = xml_.numbers(element, attribute, 3);
    return three ? Vector3((*three)[0], (*three)[1], (*three)[2]) : otherwise;
  }

  Pose read_pose(const xml_node& owner) {
    const xml_node origin = owner.child("origin");
    return {vector(origin, "xyz", Vector3::Zero()), vector(origin, "rpy", Vector3::Zero())};
  }

  /// The name of a link or a joint, which no other one may have.
  std::string name_of(const xml_node& element, std::map<std::string, SourceRange>& names) {
    const auto name = xml_.text(element, "name");
    if (!name) return {};
    const SourceRange range = xml_.range(element, "name");
    const auto [other, is_new] = names.emplace(*name, range);
    if (!is_new)
      xml_.error(Kind::kDuplicateName, range, fmt::format("a second {} is called `{}`", element.name(), *name),
                 "give each link and each joint a name of its own");
    return *name;
  }

  void read_link(const xml_node& element) {
    Link link;
    link.name = name_of(element, link_names_);
    link.range = xml_.range(element, "name");
    bool has_mass = false;
    for (const xml_node& part : element.children()) {
      const std::string_view name = part.name();
      if (name == "inertial") {
        if (std::exchange(has_mass, true))
          xml_.error(Kind::kMisplacedStatement, xml_.range(part), fmt::format("a second mass of link `{}`", link.name),
                     "a link has one element `inertial`");
        link.inertial = read_inertial(part, link.name);
      } else if (name == "visual") {
        read_visual(part, link);
      } else {
        leave_out(part);
      }
    }
    robot_.links.push_back(std::move(link));
  }

  Inertial read_inertial(const xml_node& element, const std::string& link) {
    warn_about_second(element);
    Inertial inertial;
    inertial.pose = read_pose(element);
    const xml_node mass = element.child("mass"), moments = element.child("inertia");
    for (const auto& [part, name] : {std::pair(mass, "mass"), std::pair(moments, "inertia")}) {
      if (!part)
        xml_.error(Kind::kMissingStatement, xml_.range(element), fmt::format("`inertial` has no element `{}`", name),
                   "a link without mass has no element `inertial`");
    }
    if (mass) inertial.mass = xml_.needed_number(mass, "value").value_or(0.0);
    if (inertial.mass < 0.0)
      xml_.error(Kind::kBadValue, xml_.range(mass, "value"), fmt::format("the mass of link `{}` is negative", link),
                 "masses are 0 or positive, in kg");
    inertial.range = moments ? xml_.range(moments) : xml_.range(element);
    static constexpr std::array kMoments = {"ixx", "iyy", "izz", "ixy", "iyz", "ixz"};
    for (std::size_t i = 0; moments && i < kMoments.size(); ++i)
      inertial.moments[i] = xml_.needed_number(moments, kMoments[i]).value_or(0.0);
    return inertial;
  }

  /// Sizes of a shape, in m; empty, after a warning, if one is not positive: a picture does not change the motion.
  std::vector<double> sizes(const xml_node& element, const std::vector<const char*>& attributes) {
    std::vector<double> values;
    for (const char* attribute : attributes) {
      values.push_back(xml_.needed_number(element, attribute).value_or(1.0));
      if (!(values.back() > 0.0)) return without_size(element, attribute);
    }
    return values;
  }

  std::vector<double> without_size(const xml_node& element, const char* attribute) {
    xml_.warning(Kind::kBadValue, xml_.range(element, attribute),
                 fmt::format("`{}` of this `{}` is not positive", attribute, element.name()),
                 "the shape is not drawn: sizes are positive lengths in m");
    return {};
  }

  void read_visual(const xml_node& element, Link& link) {
    warn_about_second(element);
    const xml_node what = element.child("geometry").first_child();
    const std::string_view kind = what.name();
    Shape shape;
    shape.pose = read_pose(element);
    shape.color = color_of(element.child("material"));
    if (kind == "box") {
      shape.kind = ShapeKind::kBox;
      const Vector3 edges = vector(what, "size", Vector3::Ones());
      if (!what.attribute("size")) (void)xml_.text(what, "size");
      shape.sizes = edges.minCoeff() > 0.0 ? std::vector(edges.begin(), edges.end()) : without_size(what, "size");
    } else if (kind == "sphere") {
      shape.kind = ShapeKind::kSphere;
      shape.sizes = sizes(what, {"radius"});
    } else if (kind == "cylinder" || kind == "capsule") {
      shape.kind = kind == "cylinder" ? ShapeKind::kCylinder : ShapeKind::kCapsule;
      shape.sizes = sizes(what, {"radius", "length"});
    } else {
      if (kind == "mesh") link.meshes.emplace_back(what.attribute("filename").value());
      leave_out(what ? what : element);
      return;
    }
    if (!shape.sizes.empty()) link.shapes.push_back(std::move(shape));
  }

  JointKind read_kind(const xml_node& element) {
    const auto word = xml_.text(element, "type");
    if (!word) return JointKind::kFixed;
    const auto* const row = std::ranges::find(kJointWords, *word, &JointWord::word);
    if (row != kJointWords.end()) return row->kind;
    std::vector<std::string> words;
    for (const JointWord& one : kJointWords) words.emplace_back(one.word);
    xml_.error(Kind::kNotSupported, xml_.range(element, "type"), fmt::format("there is no type of joints `{}`", *word),
               diag::hint_among(*word, words));
    return JointKind::kFixed;
  }

  /// The name of the link that a joint connects.
  std::string read_end(const xml_node& joint, const char* which, SourceRange& range) {
    const xml_node end = joint.child(which);
    range = xml_.range(end ? end : joint, "link");
    if (end) return xml_.text(end, "link").value_or("");
    xml_.error(Kind::kMissingStatement, xml_.range(joint), fmt::format("the joint has no `{}`", which),
               fmt::format("write `<{} link=\"…\"/>` in it", which));
    return {};
  }

  void read_joint(const xml_node& element) {
    warn_about_second(element);
    Joint joint;
    joint.name = name_of(element, joint_names_);
    joint.range = xml_.range(element, "name");
    joint.kind = read_kind(element);
    joint.parent = read_end(element, "parent", joint.parent_range);
    joint.child = read_end(element, "child", joint.child_range);
    joint.pose = read_pose(element);
    const bool is_directed = joint.has_coordinate() || joint.kind == JointKind::kPlanar;
    if (is_directed) read_axis(element.child("axis"), joint);
    read_limits(element, joint);
    read_losses(element.child("dynamics"), joint);
    read_mimic(element.child("mimic"), joint);
    static constexpr std::array kKnown = {"parent", "child", "origin", "axis", "limit", "dynamics", "mimic"};
    for (const xml_node& part : element.children()) {
      if (std::ranges::find(kKnown, std::string_view(part.name())) == kKnown.end()) leave_out(part);
    }
    robot_.joints.push_back(std::move(joint));
  }

  void read_axis(const xml_node& axis, Joint& joint) {
    joint.axis = vector(axis, "xyz", Vector3::UnitX());
    const double length = joint.axis.norm();
    if (length > 0.0) {
      if (length != 1.0) joint.axis /= length;
      return;
    }
    xml_.error(Kind::kBadValue, xml_.range(axis, "xyz"), fmt::format("the axis of joint `{}` is zero", joint.name),
               "an axis is a direction, such as `0 0 1`");
    joint.axis = Vector3::UnitX();
  }

  void read_limits(const xml_node& element, Joint& joint) {
    const xml_node limit = element.child("limit");
    if (!limit) return;
    joint.effort = xml_.number(limit, "effort");
    joint.velocity = xml_.number(limit, "velocity");
    if (joint.kind != JointKind::kRevolute && joint.kind != JointKind::kPrismatic) return;
    if (!limit.attribute("lower") && !limit.attribute("upper")) return;
    joint.lower = limit.attribute("lower") ? xml_.number(limit, "lower") : 0.0;  // 0 by the format
    joint.upper = limit.attribute("upper") ? xml_.number(limit, "upper") : 0.0;
    if (joint.lower && joint.upper && *joint.lower > *joint.upper)
      xml_.error(Kind::kBadValue, xml_.range(limit, "lower"),
                 fmt::format("the lower limit of joint `{}` is above its upper limit", joint.name),
                 "exchange them; a joint without limits has the type `continuous`");
  }

  void read_losses(const xml_node& dynamics, Joint& joint) {
    joint.damping = xml_.number(dynamics, "damping").value_or(0.0);
    joint.friction = xml_.number(dynamics, "friction").value_or(0.0);
    for (const auto& [value, name] : {std::pair(joint.damping, "damping"), std::pair(joint.friction, "friction")}) {
      if (value < 0.0)
        xml_.error(Kind::kBadValue, xml_.range(dynamics, name),
                   fmt::format("the {} of joint `{}` is negative", name, joint.name), "it is 0 or positive");
    }
    if (joint.has_coordinate() || (joint.damping == 0.0 && joint.friction == 0.0)) return;
    joint.damping = joint.friction = 0.0;
    leave_out(dynamics, "dynamics");
    robot_.left_out["dynamics"].meaning = "losses of joints that have not one coordinate";
  }

  void read_mimic(const xml_node& mimic, Joint& joint) {
    if (!mimic) return;
    const auto other = xml_.text(mimic, "joint");
    if (!other) return;
    if (!joint.has_coordinate()) {
      leave_out(mimic);
      robot_.left_out["mimic"].meaning = "mimics of joints that have not one coordinate";
      return;
    }
    joint.mimic = Mimic{*other, xml_.range(mimic, "joint"), xml_.number(mimic, "multiplier").value_or(1.0),
                        xml_.number(mimic, "offset").value_or(0.0)};
  }

  XmlText xml_;
  Robot robot_;
  std::map<std::string, SourceRange> link_names_, joint_names_;
  std::map<std::string, Color> colors_;
};

}  // namespace

std::optional<Robot> read_urdf(const diag::SourceText& source, diag::Sink& sink) {
  return UrdfReader(source, sink).read();
}

}  // namespace vinculum::imports

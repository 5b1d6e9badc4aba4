#include "vinculum/imports/sdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <pugixml.hpp>
#include <set>
#include <utility>

#include "vinculum/diag/hints.hpp"
#include "vinculum/imports/xml_text.hpp"

namespace vinculum::imports {
namespace {

using diag::Kind;
using pugi::xml_node;
using Transform = Eigen::Isometry3d;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kUnlimited = 1e15;  // files write ±1e16 for a joint without limits

Transform transform_of(const Pose& pose) {
  Transform transform = Transform::Identity();
  transform.linear() = rotation_of(pose.rpy);
  transform.translation() = pose.xyz;
  return transform;
}

/// Rounds to 15 decimals: the poses of a file have fewer, and products of poses have rounding errors in the last ones.
Vector3 without_noise(const Vector3& vector) { return (1e15 * vector).array().round().matrix() / 1e15; }

/// The same place and attitude with roll, pitch and yaw. Where only the sum of roll and yaw is determined, roll is any
/// angle, and yaw fits it.
Pose pose_of(const Transform& transform) {
  const Matrix3 r = transform.linear();
  Pose pose{transform.translation(), Vector3::Zero()};
  const double roll = std::atan2(r(2, 1), r(2, 2)), c = std::cos(roll), s = std::sin(roll);
  pose.rpy = {roll, std::atan2(-r(2, 0), std::hypot(r(0, 0), r(1, 0))),
              std::atan2(s * r(0, 2) - c * r(0, 1), c * r(1, 1) - s * r(1, 2))};
  return {without_noise(pose.xyz), without_noise(pose.rpy)};
}

std::string_view meaning_in_sdf(std::string_view element) {
  struct Row {
    std::string_view element, meaning;
  };
  static constexpr Row kRows[] = {
      {"collision", "shapes of contacts: state contacts as joints of the kind `contact`"},
      {"mesh", "pictures of meshes, which are never opened"},
      {"plugin", "programs of a simulator"},
      {"sensor", "sensors"},
      {"gravity", "settings of gravity: the model has 9.81 m/s^2"},
      {"pose", "the place of the whole model in the world"},
      {"velocity_decay", "damping of links"},
      {"limit", "limits on one side"},
  };
  for (const Row& row : kRows) {
    if (element == row.element) return row.meaning;
  }
  return "settings of a simulator";
}

/// Whether a version "1.4" is before major.minor; "1.11" is after "1.5".
bool is_before(const std::string& version, int major, int minor) {
  int first = 0, second = 0;
  if (std::sscanf(version.c_str(), "%d.%d", &first, &second) < 1) return false;
  return std::pair(first, second) < std::pair(major, minor);
}

constexpr std::size_t kMostFrames = 200;  // frames of which each is placed relative to the next

class SdfReader {
 public:
  SdfReader(const diag::SourceText& source, diag::Sink& sink) : xml_(source, sink) {}

  std::optional<Robot> read() {
    if (!xml_.parse()) return std::nullopt;
    const xml_node model = find_model(xml_.root());
    if (!model) return std::nullopt;
    robot_.name = model.attribute("name").value();
    for (const xml_node& element : model.children()) declare(element);
    for (const xml_node& element : model.children("link")) read_link(element);
    for (const xml_node& element : model.children("joint")) read_joint(element);
    if (robot_.links.empty() && !xml_.has_errors())
      xml_.error(Kind::kMissingStatement, xml_.range(model), "the model has no link", "write `<link name=\"base\"/>`");
    return xml_.has_errors() ? std::nullopt : std::optional(std::move(robot_));
  }

 private:
  xml_node find_model(const xml_node& sdf) {
    is_old_ = is_before(sdf.attribute("version").as_string("1.5"), 1, 5);
    const xml_node world = sdf.child("world");
    xml_node model = (world ? world : sdf).child("model");
    if (!model) {
      xml_.error(Kind::kMissingStatement, xml_.range(sdf), "the file has no model",
                 "a robot is `<model name=\"…\"> … </model>`, with elements `link` and `joint`");
    } else if (const xml_node second = model.next_sibling("model")) {
      xml_.error(Kind::kNotSupported, xml_.range(second), "a second model in the file", "import one model at a time");
      model = xml_node();
    }
    return model;
  }

  void leave_out(const xml_node& element) {
    if (element.type() != pugi::node_element) return;
    Remark& remark = robot_.left_out[element.name()];
    ++remark.count;
    remark.meaning = meaning_in_sdf(element.name());
  }

  /// Notes the frames that links, joints and frames of the model define.
  void declare(const xml_node& element) {
    const std::string_view kind = element.name();
    if (kind == "model" || kind == "include") {
      xml_.error(Kind::kNotSupported, xml_.range(element), fmt::format("a model with an element `{}`", kind),
                 "put all links and joints into one model");
    } else if (kind == "link" || kind == "joint" || kind == "frame") {
      const auto name = xml_.text(element, "name");
      if (name && !frames_.emplace(*name, element).second)
        xml_.error(Kind::kDuplicateName, xml_.range(element, "name"),
                   fmt::format("a second element is called `{}`", *name),
                   "give each link, joint and frame a name of its own");
    } else {
      if (kind == "pose") refuse_turned_model(element);
      leave_out(element);
    }
  }

  /// The place of the model in the world has no influence, but its attitude turns gravity.
  void refuse_turned_model(const xml_node& pose) {
    const auto six = xml_.content_numbers(pose, 6);
    if (six && ((*six)[3] != 0.0 || (*six)[4] != 0.0 || (*six)[5] != 0.0))
      xml_.error(Kind::kNotSupported, xml_.content_range(pose), "a model that is turned in the world",
                 "write zeros for roll, pitch and yaw, and turn `gravity` of the model that is written");
  }

  std::string base_of(const xml_node& element) {
    const std::string_view kind = element.name();
    const xml_node child = element.child("child");
    if (kind == "joint") return child ? std::string(xml_.content(child).value_or("")) : "";
    if (kind == "frame") return element.attribute("attached_to").value();
    return "";
  }

  /// The place of a frame in the model.
  Transform frame(const std::string& name, SourceRange range) {
    if (name.empty() || name == "__model__" || name == "world") return Transform::Identity();
    const auto found = frames_.find(name);
    if (found == frames_.end()) {
      std::vector<std::string> names;
      for (const auto& [one, element] : frames_) names.push_back(one);
      xml_.error(Kind::kUnknownName, range, fmt::format("there is no frame `{}`", name), diag::hint_among(name, names));
      return Transform::Identity();
    }
    if (open_.size() >= kMostFrames) {
      xml_.error(Kind::kNotATree, range, fmt::format("more than {} frames depend on each other in a row", kMostFrames),
                 "write these poses relative to a link");
      return Transform::Identity();
    }
    if (!open_.insert(name).second) {
      xml_.error(Kind::kNotATree, range, fmt::format("the place of `{}` depends on itself", name),
                 "let `relative_to` of one of these elements be another frame");
      return Transform::Identity();
    }
    const Transform place = place_of(found->second);
    open_.erase(name);
    return place;
  }

  /// The place in the model of an element with a `pose`.
  Transform place_of(const xml_node& element) {
    const xml_node pose = element.child("pose");
    const std::string relative = pose.attribute("relative_to").value();
    if (!relative.empty()) return frame(relative, xml_.range(pose, "relative_to")) * transform_of(read_pose(element));
    const xml_node child = element.child("child");
    return frame(base_of(element), child ? xml_.content_range(child) : xml_.range(element)) *
           transform_of(read_pose(element));
  }

  /// The pose of a part of a link in the frame of the link.
  Pose read_part_pose(const xml_node& part) {
    const xml_node pose = part.child("pose");
    const std::string_view relative = pose.attribute("relative_to").value();
    if (!relative.empty() && relative != part.parent().attribute("name").value())
      xml_.error(Kind::kNotSupported, xml_.range(pose, "relative_to"),
                 fmt::format("the pose of `{}` relative to another frame", part.name()),
                 "write it in the frame of the link, without `relative_to`");
    return read_pose(part);
  }

  Pose read_pose(const xml_node& owner) {
    const xml_node pose = owner.child("pose");
    if (std::string_view(pose.attribute("rotation_format").value()) == "quat_xyzw") {
      xml_.error(Kind::kNotSupported, xml_.range(pose, "rotation_format"), "a pose with a quaternion",
                 "write roll, pitch and yaw");
      return {};
    }
    const auto six = xml_.content_numbers(pose, 6);
    if (!six) return {};
    const double unit = pose.attribute("degrees").as_bool() ? kDegree : 1.0;
    return {{(*six)[0], (*six)[1], (*six)[2]}, unit * Vector3((*six)[3], (*six)[4], (*six)[5])};
  }

  void read_link(const xml_node& element) {
    Link link;
    link.name = element.attribute("name").value();
    link.range = xml_.range(element, "name");
    link.inertial = read_inertial(element);
    for (const xml_node& part : element.children()) {
      const std::string_view name = part.name();
      if (name == "visual") {
        read_visual(part, link);
      } else if (name != "pose" && part != element.child("inertial")) {
        leave_out(part);
      }
    }
    robot_.links.push_back(std::move(link));
  }

  /// The masses of a link; 1 kg and 1 kg m² are the defaults of the format.
  Inertial read_inertial(const xml_node& link) {
    const xml_node element = link.child("inertial"), moments = element.child("inertia");
    Inertial inertial;
    inertial.range = xml_.range(moments ? moments : element ? element : link);
    inertial.pose = read_part_pose(element);
    if (element.attribute("auto").as_bool())
      xml_.error(Kind::kNotSupported, xml_.range(element, "auto"), "an inertia that follows from shapes",
                 "write `mass` and `inertia`");
    inertial.mass = xml_.content_number(element.child("mass")).value_or(1.0);
    if (inertial.mass < 0.0)
      xml_.error(Kind::kBadValue, xml_.content_range(element.child("mass")),
                 fmt::format("the mass of link `{}` is negative", link.attribute("name").value()),
                 "masses are 0 or positive, in kg");
    static constexpr std::array kMoments = {"ixx", "iyy", "izz", "ixy", "iyz", "ixz"};
    for (std::size_t i = 0; i < kMoments.size(); ++i)
      inertial.moments[i] = xml_.content_number(moments.child(kMoments[i])).value_or(i < 3 ? 1.0 : 0.0);
    return inertial;
  }

  void read_visual(const xml_node& element, Link& link) {
    const xml_node what = element.child("geometry").first_child();
    const std::string_view kind = what.name();
    Shape shape;
    shape.pose = read_part_pose(element);
    if (const auto color = xml_.content_numbers(element.child("material").child("diffuse"), 4))
      shape.color = {{(*color)[0], (*color)[1], (*color)[2]}};
    if (kind == "box") {
      shape.kind = ShapeKind::kBox;
      shape.sizes = xml_.content_numbers(what.child("size"), 3).value_or(std::vector{1.0, 1.0, 1.0});
    } else if (kind == "sphere") {
      shape.kind = ShapeKind::kSphere;
      shape.sizes = {xml_.content_number(what.child("radius")).value_or(1.0)};
    } else if (kind == "cylinder" || kind == "capsule") {
      shape.kind = kind == "cylinder" ? ShapeKind::kCylinder : ShapeKind::kCapsule;
      shape.sizes = {xml_.content_number(what.child("radius")).value_or(1.0),
                     xml_.content_number(what.child("length")).value_or(1.0)};
    } else {
      if (kind == "mesh") link.meshes.emplace_back(what.child("uri").child_value());
      leave_out(what ? what : element);
      return;
    }
    if (*std::ranges::min_element(shape.sizes) > 0.0) {
      link.shapes.push_back(std::move(shape));
    } else {
      xml_.warning(Kind::kBadValue, xml_.range(what), fmt::format("a size of this `{}` is not positive", kind),
                   "the shape is not drawn: sizes are positive lengths in m");
    }
  }

  JointKind read_kind(const xml_node& element) {
    static constexpr std::array kKinds = {std::pair<std::string_view, JointKind>{"fixed", JointKind::kFixed},
                                          std::pair<std::string_view, JointKind>{"revolute", JointKind::kRevolute},
                                          std::pair<std::string_view, JointKind>{"continuous", JointKind::kContinuous},
                                          std::pair<std::string_view, JointKind>{"prismatic", JointKind::kPrismatic}};
    const std::string word = xml_.text(element, "type").value_or("fixed");
    std::vector<std::string> words;
    for (const auto& [name, kind] : kKinds) {
      if (name == word) return kind;
      words.emplace_back(name);
    }
    xml_.error(Kind::kNotSupported, xml_.range(element, "type"), fmt::format("a joint of the type `{}`", word),
               diag::hint_among(word, words));
    return JointKind::kFixed;
  }

  std::string read_end(const xml_node& joint, const char* which, SourceRange& range) {
    const xml_node end = joint.child(which);
    range = end ? xml_.content_range(end) : xml_.range(joint);
    if (end) return xml_.content(end).value_or("");
    xml_.error(Kind::kMissingStatement, range, fmt::format("the joint has no `{}`", which),
               fmt::format("write `<{0}>…</{0}>` in it", which));
    return {};
  }

  void read_joint(const xml_node& element) {
    Joint joint;
    joint.name = element.attribute("name").value();
    joint.range = xml_.range(element, "name");
    joint.kind = read_kind(element);
    joint.parent = read_end(element, "parent", joint.parent_range);
    joint.child = read_end(element, "child", joint.child_range);
    if (xml_.has_errors()) return;
    if (joint.parent == "world" && !frames_.contains("world")) robot_.on_ground = joint.parent_range;
    if (joint.parent == "world" && !frames_.contains("world") && !std::exchange(has_world_, true))
      robot_.links.insert(robot_.links.begin(), {"world", joint.parent_range, {}, {}, {}});
    const Transform parent = frame(joint.parent, joint.parent_range), child = frame(joint.child, joint.child_range);
    const Transform place = joint.kind == JointKind::kFixed ? child : place_of(element);
    joint.pose = pose_of(parent.inverse() * place);
    if (joint.has_coordinate()) read_axis(element.child("axis"), place, joint);
    for (const xml_node& part : element.children()) {
      static constexpr std::array kKnown = {"parent", "child", "pose", "axis"};
      if (std::ranges::find(kKnown, std::string_view(part.name())) == kKnown.end()) leave_out(part);
    }
    const bool has_own_place = joint.kind != JointKind::kFixed && element.child("pose");
    if (has_own_place) add_place(joint, pose_of(place.inverse() * child));
    robot_.joints.push_back(std::move(joint));
  }

  /// Puts a link without mass at the frame of a joint, and fixes the child to it.
  void add_place(Joint& joint, const Pose& child) {
    Joint fixed;
    const auto free_name = [this](std::string name) {
      while (frames_.contains(name)) name += '_';
      return name;
    };
    fixed.name = free_name(joint.name + "_child");
    fixed.kind = JointKind::kFixed;
    fixed.parent = free_name(joint.name + "_place");
    fixed.child = joint.child;
    fixed.range = joint.range;
    fixed.parent_range = fixed.child_range = joint.child_range;
    fixed.pose = child;
    Link place;
    place.name = joint.child = fixed.parent;
    place.range = joint.range;
    robot_.links.push_back(std::move(place));
    robot_.joints.push_back(std::move(fixed));
  }

  void read_axis(const xml_node& axis, const Transform& place, Joint& joint) {
    const xml_node xyz = axis.child("xyz");
    const auto three = xml_.content_numbers(xyz, 3);
    joint.axis = three ? Vector3((*three)[0], (*three)[1], (*three)[2]) : Vector3::UnitZ();
    const std::string expressed = xyz.attribute("expressed_in").value();
    const bool is_in_model = is_old_ || std::string_view(axis.child("use_parent_model_frame").child_value()) == "1" ||
                             std::string_view(axis.child("use_parent_model_frame").child_value()) == "true";
    if (!expressed.empty() || is_in_model) {
      const Matrix3 frame_axes = frame(expressed, xml_.range(xyz, "expressed_in")).linear();
      joint.axis = without_noise(place.linear().transpose() * (frame_axes * joint.axis));
    }
    const double length = joint.axis.norm();
    if (length > 0.0) {
      if (length != 1.0) joint.axis /= length;
    } else {
      xml_.error(Kind::kBadValue, xml_.content_range(xyz), fmt::format("the axis of joint `{}` is zero", joint.name),
                 "an axis is a direction, such as `0 0 1`");
    }
    if (axis.child("mimic"))
      xml_.error(Kind::kNotSupported, xml_.range(axis.child("mimic")), "a joint of an SDF file that mimics another one",
                 "import it without `mimic`, and add `constraint` to the model");
    read_limits(axis.child("limit"), joint);
    read_losses(axis.child("dynamics"), joint);
  }

  void read_limits(const xml_node& limit, Joint& joint) {
    const auto finite = [this](const xml_node& element) {
      const std::string_view text = element.child_value();
      if (text == "inf" || text == "+inf" || text == "-inf") return std::optional<double>();
      std::optional<double> value = xml_.content_number(element);
      if (value && std::fabs(*value) >= kUnlimited) value.reset();
      return value;
    };
    joint.effort = finite(limit.child("effort"));
    joint.velocity = finite(limit.child("velocity"));
    for (std::optional<double>* one : {&joint.effort, &joint.velocity}) {
      if (*one && **one < 0.0) one->reset();  // the format's default −1 is no limit
    }
    const auto lower = finite(limit.child("lower")), upper = finite(limit.child("upper"));
    if (joint.kind == JointKind::kContinuous || (!lower && !upper)) return;
    if (!lower || !upper) return leave_out(limit);
    if (*lower > *upper)
      xml_.error(Kind::kBadValue, xml_.content_range(limit.child("lower")),
                 fmt::format("the lower limit of joint `{}` is above its upper limit", joint.name), "exchange them");
    joint.lower = lower;
    joint.upper = upper;
  }

  void read_losses(const xml_node& dynamics, Joint& joint) {
    joint.damping = xml_.content_number(dynamics.child("damping")).value_or(0.0);
    joint.friction = xml_.content_number(dynamics.child("friction")).value_or(0.0);
    joint.stiffness = xml_.content_number(dynamics.child("spring_stiffness")).value_or(0.0);
    joint.rest = xml_.content_number(dynamics.child("spring_reference")).value_or(0.0);
    for (const auto& [value, name] : {std::pair(joint.damping, "damping"), std::pair(joint.friction, "friction"),
                                      std::pair(joint.stiffness, "spring_stiffness")}) {
      if (value < 0.0)
        xml_.error(Kind::kBadValue, xml_.content_range(dynamics.child(name)),
                   fmt::format("`{}` of joint `{}` is negative", name, joint.name), "it is 0 or positive");
    }
  }

  XmlText xml_;
  Robot robot_;
  std::map<std::string, xml_node> frames_;
  std::set<std::string> open_;  ///< frames whose place is being computed
  bool is_old_ = false;         ///< axes are in the model's frame before version 1.5
  bool has_world_ = false;
};

}  // namespace

std::optional<Robot> read_sdf(const diag::SourceText& source, diag::Sink& sink) {
  return SdfReader(source, sink).read();
}

}  // namespace vinculum::imports

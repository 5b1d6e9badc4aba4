#include "vinculum/imports/joint_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "vinculum/imports/terms.hpp"

namespace vinculum::imports {
namespace {

std::string_view kind_text(JointKind kind) {
  switch (kind) {
    case JointKind::kFixed: return "fixed";
    case JointKind::kRevolute: return "revolute";
    case JointKind::kContinuous: return "continuous";
    case JointKind::kPrismatic: return "prismatic";
    case JointKind::kPlanar: return "planar";
    case JointKind::kFloating: return "floating";
  }
  return "";
}

/// The kind of the joint, and the figures of its motor, which the model does not use.
std::string comment_of(const Joint& joint) {
  std::string comment = fmt::format("  # {}", kind_text(joint.kind));
  const std::string_view effort = joint.turns() ? "N*m" : "N", speed = joint.turns() ? "rad/s" : "m/s";
  if (joint.effort) comment += fmt::format(", effort at most {} {}", number_text(*joint.effort), effort);
  if (joint.velocity) comment += fmt::format(", speed at most {} {}", number_text(*joint.velocity), speed);
  return comment + "\n";
}

std::string_view unit_of(const Joint& joint) { return joint.turns() ? "rad" : "m"; }

/// "-1 .. 2 [rad]"
std::string interval(const Joint& joint, double lower, double upper) {
  return fmt::format("{} .. {} [{}]", number_text(lower), number_text(upper), unit_of(joint));
}

}  // namespace

JointText::JointText(const Robot& robot, const Tree& tree, const std::vector<bool>& damped, Names& names,
                     ModelText& written)
    : robot_(robot),
      tree_(tree),
      damped_(damped),
      own_names_(names),
      written_(written),
      coordinates_(robot.joints.size()),
      loads_(robot.joints.size()) {
  for (const Joint& joint : robot.joints) {
    names_.push_back(names.take(joint.name, "_joint"));
    if (names_.back() != joint.name)
      written.changes.push_back(fmt::format("joint `{}` is called `{}`", on_one_line(joint.name), names_.back()));
  }
}

bool JointText::has_own_coordinate(int number) const {
  return joint(number).has_coordinate() && !joint(number).mimic && tree_.moves_mass[static_cast<std::size_t>(number)];
}

std::string JointText::declarations() {
  std::string text;
  for (const int number : tree_.joints) text += declaration(number);
  for (const int number : tree_.joints) gather(number);
  return text;
}

std::vector<std::string> JointText::several(int number, std::initializer_list<const char*> suffixes) {
  std::vector<std::string> all;
  for (const char* suffix : suffixes) all.push_back(own_names_.take(name(number) + suffix, "_joint"));
  return all;
}

std::string JointText::declaration(int number) {
  const Joint& one = joint(number);
  const bool moves_mass = tree_.moves_mass[static_cast<std::size_t>(number)];
  std::vector<std::string>& own = coordinates_[static_cast<std::size_t>(number)];
  if (one.kind == JointKind::kFixed) return "";
  if (one.mimic) return function(number) + comment_of(one);
  if (!moves_mass) {
    written_.changes.push_back(fmt::format("joint `{}` moves no mass, and is held at 0", name(number)));
    if (!one.has_coordinate()) return "";
    return fmt::format("param {} = 0 [{}]", name(number), unit_of(one)) + comment_of(one);
  }
  if (one.kind == JointKind::kPlanar) {
    own = several(number, {"_x", "_y", "_angle"});
    written_.degrees_of_freedom += 3;
    return fmt::format("coord {}, {} [m], {} [rad]", own[0], own[1], own[2]) + comment_of(one);
  }
  if (one.kind == JointKind::kFloating) {
    own = several(number, {"_x", "_y", "_z", "_e0", "_e1", "_e2", "_e3"});
    written_.degrees_of_freedom += 6;
    return fmt::format("coord {}, {}, {} [m], {} [1]", own[0], own[1], own[2],
                       fmt::join(own.begin() + 3, own.end(), ", ")) +
           comment_of(one);
  }
  ++written_.degrees_of_freedom;
  return fmt::format("coord {} [{}]", name(number), unit_of(one)) + comment_of(one);
}

std::string JointText::function(int number) const {
  const Joint& one = joint(number);
  const int other = tree_.mimicked[static_cast<std::size_t>(number)];
  const Mimic& mimic = *one.mimic;
  const bool changes_unit = one.turns() != joint(other).turns();
  const std::string unit = changes_unit ? fmt::format(" [{}/{}]", unit_of(one), unit_of(joint(other))) : "";
  const bool is_same = mimic.multiplier == 1.0 && !changes_unit;
  std::string text = fmt::format("let {} = {}{}", name(number),
                                 is_same ? "" : number_text(mimic.multiplier) + unit + "*", name(other));
  if (mimic.offset != 0.0)
    text +=
        fmt::format(" {} {} [{}]", mimic.offset < 0.0 ? '-' : '+', number_text(std::fabs(mimic.offset)), unit_of(one));
  return text;
}

JointText::Source JointText::source_of(int number) const {
  Source source{number};
  while (joint(source.joint).mimic) {
    const Mimic& mimic = *joint(source.joint).mimic;
    source.summand += source.factor * mimic.offset;
    source.factor *= mimic.multiplier;
    source.joint = tree_.mimicked[static_cast<std::size_t>(source.joint)];
  }
  return source;
}

/// Adds the loads and the limits of a joint to those of the joint whose coordinate moves it.
void JointText::gather(int number) {
  const Joint& one = joint(number);
  if (!one.has_coordinate()) return;
  const Source source = source_of(number);
  Loads& loads = loads_[static_cast<std::size_t>(source.joint)];
  if (!damped_[static_cast<std::size_t>(number)]) loads.damping += one.damping * source.factor * source.factor;
  loads.friction += one.friction * std::fabs(source.factor);
  if (!one.lower || !one.upper || source.factor == 0.0) return;
  double lower = (*one.lower - source.summand) / source.factor, upper = (*one.upper - source.summand) / source.factor;
  if (source.factor < 0.0) std::swap(lower, upper);
  loads.lower = loads.lower ? std::max(*loads.lower, lower) : lower;
  loads.upper = loads.upper ? std::min(*loads.upper, upper) : upper;
}

std::string JointText::losses() const {
  std::string text;
  for (const int number : tree_.joints) {
    const Loads& loads = loads_[static_cast<std::size_t>(number)];
    if (!has_own_coordinate(number)) continue;
    const bool turns = joint(number).turns();
    if (const Joint& one = joint(number); one.stiffness > 0.0)
      text += fmt::format("generalized force on {0} = -{1} [{2}]*({0} - {3} [{4}])\n", name(number),
                          number_text(one.stiffness), turns ? "N*m/rad" : "N/m", number_text(one.rest), unit_of(one));
    const std::string damping = fmt::format("{} [{}]", number_text(loads.damping), turns ? "N*m*s" : "N*s/m");
    if (loads.friction > 0.0) {
      text += fmt::format("friction on {} = {} [{}]", name(number), number_text(loads.friction), turns ? "N*m" : "N");
      text += (loads.damping > 0.0 ? " viscous " + damping : "") + "\n";
    } else if (loads.damping > 0.0) {
      text += fmt::format("generalized force on {} = -{}*{}'\n", name(number), damping, name(number));
    }
  }
  return text;
}

std::string JointText::limits(Limits kind) {
  std::string text;
  bool has_turning = false, has_sliding = false;
  const std::string turning = own_names_.take("limit_stiffness", "_of_joints");
  const std::string sliding = own_names_.take("limit_stiffness_of_slides", "_of_joints");
  for (const int number : tree_.joints) {
    const Loads& loads = loads_[static_cast<std::size_t>(number)];
    if (!has_own_coordinate(number) || !loads.lower) continue;
    if (*loads.lower > *loads.upper) {
      written_.changes.push_back(
          fmt::format("the limits of joint `{}` and of joints that mimic it contradict each other, and are left out",
                      name(number)));
      continue;
    }
    if (kind == Limits::kNone) {
      text += fmt::format("# limits of {} = {}\n", name(number), interval(joint(number), *loads.lower, *loads.upper));
    } else if (kind == Limits::kContact) {
      text += contact(number, loads);
    } else {
      (joint(number).turns() ? has_turning : has_sliding) = true;
      const std::string q = name(number), unit = std::string(unit_of(joint(number)));
      text += fmt::format("generalized force on {0} = {1}*(max({2} [{4}] - {0}, 0) - max({0} - {3} [{4}], 0))\n", q,
                          joint(number).turns() ? turning : sliding, number_text(*loads.lower),
                          number_text(*loads.upper), unit);
    }
  }
  if (has_sliding) text.insert(0, fmt::format("param {} = 1e5 [N/m]\n", sliding));
  if (has_turning) text.insert(0, fmt::format("param {} = 1e3 [N*m]  # per rad\n", turning));
  return text;
}

/// Stops that a coordinate bounces off or rests at, and a start between them if 0 is not.
std::string JointText::contact(int number, const Loads& loads) const {
  const std::string& q = name(number);
  const std::string_view unit = unit_of(joint(number));
  if (*loads.lower == *loads.upper)
    return fmt::format("constraint {3}: {0} = {1} [{2}]\nstart {0} = {1} [{2}]\n", q, number_text(*loads.lower), unit,
                       own_names_.take(q + "_stop", "_joint"));
  std::string text = fmt::format("limits of {} = {}\n", q, interval(joint(number), *loads.lower, *loads.upper));
  if (*loads.lower > 0.0 || *loads.upper < 0.0)
    text += fmt::format("start {} = {} [{}]\n", q, number_text((*loads.lower + *loads.upper) / 2.0), unit);
  return text;
}

}  // namespace vinculum::imports

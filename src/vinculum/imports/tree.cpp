#include "vinculum/imports/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "vinculum/diag/hints.hpp"

namespace vinculum::imports {
namespace {

using diag::Kind;

template <class Part>
std::map<std::string, int> numbered(const std::vector<Part>& parts) {
  std::map<std::string, int> numbers;
  for (std::size_t i = 0; i < parts.size(); ++i) numbers.emplace(parts[i].name, static_cast<int>(i));
  return numbers;
}

class TreeBuilder {
 public:
  TreeBuilder(const Robot& robot, diag::Sink& sink)
      : robot_(robot), sink_(sink), links_(numbered(robot.links)), joints_(numbered(robot.joints)) {}

  std::optional<Tree> build() {
    connect();
    order_mimics();
    if (!has_errors_) order_links();
    if (has_errors_) return std::nullopt;
    find_masses();
    return std::move(tree_);
  }

 private:
  void refuse(Kind kind, SourceRange range, std::string message, std::string hint) {
    has_errors_ = true;
    sink_.report(diag::error(kind, range, std::move(message), std::move(hint)));
  }

  int number_of(const std::map<std::string, int>& numbers, const std::string& name, SourceRange range,
                std::string_view what) {
    const auto found = numbers.find(name);
    if (found != numbers.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [one, number] : numbers) names.push_back(one);
    std::string hint = diag::hint_nearest(name, names);
    if (hint.empty()) hint = fmt::format("the file needs an element `<{} name=\"{}\" …>`", what, name);
    refuse(Kind::kUnknownName, range, fmt::format("there is no {} `{}`", what, name), std::move(hint));
    return -1;
  }

  void connect() {
    tree_.joint_of.assign(robot_.links.size(), -1);
    tree_.parent_of.assign(robot_.links.size(), -1);
    children_.resize(robot_.links.size());
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const Joint& joint = robot_.joints[i];
      const int parent = number_of(links_, joint.parent, joint.parent_range, "link");
      const int child = number_of(links_, joint.child, joint.child_range, "link");
      if (parent < 0 || child < 0) continue;
      int& carrier = tree_.joint_of[static_cast<std::size_t>(child)];
      if (carrier >= 0) {
        refuse(
            Kind::kNotATree, joint.child_range,
            fmt::format("two joints carry the link `{}`: `{}` and `{}`", joint.child,
                        robot_.joints[static_cast<std::size_t>(carrier)].name, joint.name),
            "a closed loop is not possible in this format: leave one joint out, and add it to the model as a `joint`");
        continue;
      }
      carrier = static_cast<int>(i);
      tree_.parent_of[static_cast<std::size_t>(child)] = parent;
      children_[static_cast<std::size_t>(parent)].push_back(child);
    }
  }

  void order_mimics() {
    const std::size_t count = robot_.joints.size();
    tree_.mimicked.assign(count, -1);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& mimic = robot_.joints[i].mimic;
      if (!mimic) continue;
      const int other = tree_.mimicked[i] = number_of(joints_, mimic->joint, mimic->range, "joint");
      if (other >= 0 && !robot_.joints[static_cast<std::size_t>(other)].has_coordinate())
        refuse(Kind::kNotSupported, mimic->range, fmt::format("the joint `{}` has not one coordinate", mimic->joint),
               "a joint mimics one that is revolute, continuous or prismatic");
    }
    std::vector<int> state(count, 0);  // 0: new, 1: on the present path, 2: ordered
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<int> path;
      for (int at = static_cast<int>(i); at >= 0 && state[static_cast<std::size_t>(at)] != 2;
           at = tree_.mimicked[static_cast<std::size_t>(at)]) {
        if (std::exchange(state[static_cast<std::size_t>(at)], 1) == 1) {
          const Joint& joint = robot_.joints[static_cast<std::size_t>(at)];
          refuse(Kind::kNotATree, joint.mimic->range,
                 fmt::format("the joint `{}` mimics itself, directly or through others", joint.name),
                 "one joint of them needs a coordinate of its own");
          break;
        }
        path.push_back(at);
      }
      for (; !path.empty(); path.pop_back()) {
        state[static_cast<std::size_t>(path.back())] = 2;
        tree_.joints.push_back(path.back());
      }
    }
  }

  void order_links() {
    std::vector<int> roots;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      if (tree_.joint_of[i] < 0) roots.push_back(static_cast<int>(i));
    }
    if (roots.size() > 1) {
      const Link& second = robot_.links[static_cast<std::size_t>(roots[1])];
      std::vector<std::string> names;
      for (const int root : roots) names.push_back(robot_.links[static_cast<std::size_t>(root)].name);
      if (names.size() > 5) names = {names[0], names[1], names[2], names[3], "…"};
      refuse(Kind::kNotATree, second.range,
             fmt::format("no joint carries the link `{}`: {} links are roots (`{}`)", second.name, roots.size(),
                         fmt::join(names, "`, `")),
             "connect it by a joint; a robot has one link that no joint carries");
      return;
    }
    std::vector<int> open = roots;
    while (!open.empty()) {
      const int link = open.back();
      open.pop_back();
      tree_.links.push_back(link);
      const auto& children = children_[static_cast<std::size_t>(link)];
      open.insert(open.end(), children.rbegin(), children.rend());
    }
    if (tree_.links.size() == robot_.links.size()) return;
    std::vector<bool> is_carried(robot_.links.size());
    for (const int link : tree_.links) is_carried[static_cast<std::size_t>(link)] = true;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      if (is_carried[i]) continue;
      const Joint& joint = robot_.joints[static_cast<std::size_t>(tree_.joint_of[i])];
      refuse(Kind::kNotATree, joint.child_range,
             fmt::format("the link `{}` carries itself: its joints form a circle", joint.child),
             "let the parent of one of these joints be another link");
      return;
    }
  }

  void find_masses() {
    std::vector<bool> has_mass(robot_.links.size());  // a link, or one that it carries
    for (auto link = tree_.links.rbegin(); link != tree_.links.rend(); ++link) {
      const auto i = static_cast<std::size_t>(*link);
      if (!robot_.links[i].is_massless()) has_mass[i] = true;
      if (has_mass[i] && tree_.parent_of[i] >= 0) has_mass[static_cast<std::size_t>(tree_.parent_of[i])] = true;
    }
    tree_.moves_mass.assign(robot_.joints.size(), false);
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      if (tree_.joint_of[i] >= 0 && has_mass[i]) tree_.moves_mass[static_cast<std::size_t>(tree_.joint_of[i])] = true;
    }
    for (auto joint = tree_.joints.rbegin(); joint != tree_.joints.rend(); ++joint) {
      const auto i = static_cast<std::size_t>(*joint);
      const int other = tree_.mimicked[i];
      if (other >= 0 && tree_.moves_mass[i]) tree_.moves_mass[static_cast<std::size_t>(other)] = true;
    }
  }

  const Robot& robot_;
  diag::Sink& sink_;
  std::map<std::string, int> links_, joints_;
  std::vector<std::vector<int>> children_;
  Tree tree_;
  bool has_errors_ = false;
};

}  // namespace

std::optional<Tree> tree_of(const Robot& robot, diag::Sink& sink) { return TreeBuilder(robot, sink).build(); }

}  // namespace vinculum::imports

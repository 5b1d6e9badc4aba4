#pragma once

#include <optional>
#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/imports/robot.hpp"

namespace vinculum::imports {

/// The links of a robot in an order in which each one follows its parent, and its joints in an order in which each one
/// follows the joint that it mimics. Numbers are indices in the robot's lists.
struct Tree {
  std::vector<int> links;      ///< the root first; depth first, in the order of the file
  std::vector<int> joint_of;   ///< by link: the joint that carries it; −1 for the root
  std::vector<int> parent_of;  ///< by link: the link that carries it; −1 for the root
  std::vector<int> joints;
  std::vector<int> mimicked;     ///< by joint: the joint that it mimics; −1 if none
  std::vector<bool> moves_mass;  ///< by joint: whether a mass depends on its coordinates, directly or by a mimic
};

/// \returns nothing, after reports, if the links are not one tree or a name has no link or joint.
[[nodiscard]] std::optional<Tree> tree_of(const Robot& robot, diag::Sink& sink);

}  // namespace vinculum::imports

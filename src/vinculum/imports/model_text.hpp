#pragma once

#include <string>
#include <vector>

#include "vinculum/imports/robot.hpp"
#include "vinculum/imports/tree.hpp"

namespace vinculum::imports {

enum class Base { kFixed, kFloating };
enum class Limits { kNone, kSpring, kContact };

struct TextOptions {
  std::string file;  ///< name of the robot's file, for `source`
  Base base = Base::kFixed;
  Limits limits = Limits::kNone;
  bool fixes_inertia = false;  ///< impossible moments of inertia become the nearest possible ones
};

struct ModelText {
  std::string text;  ///< in canonical layout; empty if a name has characters that no text may have
  int links = 0, joints = 0;
  int degrees_of_freedom = 0;
  std::vector<std::string> changes;  ///< names and parts that differ from the file, one sentence each
};

/// The robot as a model: coordinates of its joints, then for each link a frame, the point of its origin, and its body.
/// Impossible moments of inertia are reported as warnings.
/// \returns a model without degrees of freedom, if no coordinate moves a mass.
[[nodiscard]] ModelText model_text(const Robot& robot, const Tree& tree, const TextOptions& options, diag::Sink& sink);

}  // namespace vinculum::imports

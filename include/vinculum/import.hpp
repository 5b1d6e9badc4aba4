#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vinculum/error.hpp"

/// Robots in files of other programs, as texts of models (docs/howto/robots.md).
namespace vinculum {

enum class RobotBase { kFixed, kFloating };           ///< whether the ground carries the root of the links
enum class RobotLimits { kNone, kSpring, kContact };  ///< limits of joints: comments, springs, or rigid stops

struct ImportOptions {
  RobotBase base = RobotBase::kFixed;
  RobotLimits limits = RobotLimits::kNone;
  bool fix_inertia = false;  ///< replace an inertia that no body can have by the nearest one that a body can have
};

/// Something of the file that the model does not contain.
struct LeftOut {
  std::string what;  ///< name of the elements
  int count = 0;
  std::string meaning;
};

struct ImportedRobot {
  std::string text;  ///< the model in canonical layout, for `Model::from_text`
  int links = 0, joints = 0, degrees_of_freedom = 0;
  std::vector<LeftOut> left_out;
  std::vector<std::string> changes;  ///< names and parts that differ from the file, one sentence each
  Diagnostics diagnostics = {};      ///< warnings, with places in the file
  /// The numbers of links, joints and degrees of freedom, the changes and a table of the parts left out.
  [[nodiscard]] std::string summary() const;
};

/// Reads a robot in the Unified Robot Description Format (URDF) or in the Simulation Description Format (SDF). Reads
/// this file only: no mesh, no other file, no network.
/// \returns an Error with the places of all mistakes, or if there is no such file.
[[nodiscard]] Result<ImportedRobot> import_robot(const std::filesystem::path& path, const ImportOptions& options = {});

}  // namespace vinculum

#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/error.hpp"

/// Functions for the command `vinculum`, which uses nothing else than the public API; robots in files of other
/// programs, as texts of models (docs/howto/robots.md); and functions for editors, such as the language server of the
/// Python package (docs/editors.md).
namespace vinculum {

/// Reads a file that may contain a model. \returns an Error unless it is a regular file of at most 16 MiB.
[[nodiscard]] Result<std::string> read_text(const std::filesystem::path& path);
/// Writes the whole file, or leaves it unchanged.   \returns an Error if it cannot be written.
[[nodiscard]] Result<void> write_text(const std::filesystem::path& path, std::string_view text);
/// The name that a misspelled word most likely means, or "" if none is near.
[[nodiscard]] std::string nearest_name(std::string_view word, std::span<const std::string> names);

// Robots

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

// Editors

/// Texts of files that are open in an editor and perhaps not saved, by their canonical paths.
using UnsavedTexts = std::map<std::filesystem::path, std::string>;

/// What an editor shows about the text of a model, which may have errors: its diagnostics, and the names that it
/// declares, with their places and units. Nothing is compiled or run; the only files that are read are those that the
/// text includes or reads tables from.
/// \param path     of the model, where included files are searched; the file is not opened.
/// \param unsaved  texts that are taken instead of included files.
/// \returns JSON, docs/json.md, "Outline".
[[nodiscard]] std::string outline(std::string text, const std::filesystem::path& path,
                                  const UnsavedTexts& unsaved = {});

/// The words of the language with their forms and meanings: statements, clauses, items of views, functions, laws,
/// joints, surfaces, units, methods and others, from the tables that the parser uses.
/// \returns JSON, docs/json.md, "Words of the language".
[[nodiscard]] std::string vocabulary();

/// A text in canonical layout, as `format` of a file.   \returns an Error if the text has errors.
[[nodiscard]] Result<std::string> format_text(std::string text, const std::string& name = "model.vin");

}  // namespace vinculum

#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum::elaborate {

/// An option `--set p=value` as typed; a unit is allowed ("p", "2.5 [kg]").
struct ParameterOverride {
  std::string name;
  std::string value;
};

struct Options {
  std::filesystem::path folder;  ///< the model's own folder; tables and included files must be below it
  std::span<const ParameterOverride> overrides;
  std::vector<std::string> methods = {};  ///< names allowed in `run … method NAME`, the default first
  const reaction_laws::Table* laws = &reaction_laws::laws();  ///< the table of laws with which the file was parsed
  /// Texts of included files by their canonical paths, which are read instead of the files; null: none. An editor has
  /// texts that are not saved yet.
  const std::map<std::filesystem::path, std::string>* unsaved = nullptr;
};

}  // namespace vinculum::elaborate

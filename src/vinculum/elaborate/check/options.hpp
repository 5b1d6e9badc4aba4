#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum::elaborate {

/// `--set p=value`: as typed, unit allowed ("p", "2.5 [kg]").
struct ParameterOverride {
  std::string name;
  std::string value;
};

struct Options {
  std::filesystem::path folder;  ///< the model's own folder: tables and included files are read below it
  std::span<const ParameterOverride> overrides;
  std::vector<std::string> methods = {};  ///< names that `run … method NAME` may have, the usual one first
  const reaction_laws::Table* laws = &reaction_laws::laws();  ///< the same that the file was parsed with
};

}  // namespace vinculum::elaborate

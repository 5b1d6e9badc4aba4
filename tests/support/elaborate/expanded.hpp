#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "vinculum/diag/render.hpp"
#include "vinculum/elaborate/expand/expand.hpp"
#include "vinculum/elaborate/statements/constants.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

/// Helpers for tests: expansion of loops, conditions and families.
namespace vinculum::elaborate::testing {

struct Expanded {
  std::string text;      ///< the expanded text, formatted as a model
  std::string messages;  ///< diagnostics of parsing and expansion
};

[[nodiscard]] inline Expanded expanded(const std::string& text, const std::vector<ParameterOverride>& overrides = {},
                                       const std::filesystem::path& folder = {}) {
  diag::SourceText source("m.vin", text);
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  const Options options{folder, overrides};
  ParameterConstants constants(source, options, diagnostics);
  const lang::ModelFile result = expand(file, source, options, constants, diagnostics);
  return {lang::format(result), diag::render_text(source, diagnostics.all())};
}

[[nodiscard]] inline std::string formatted(const std::string& text) {
  const diag::SourceText source("m.vin", text);
  diag::Diagnostics diagnostics;
  std::string result = lang::format(lang::parse(source, reaction_laws::laws().forms(), diagnostics));
  EXPECT_EQ(diag::render_text(source, diagnostics.all()), "") << text;
  return result;
}

/// First line of each message.
[[nodiscard]] inline std::string heads(const std::string& messages) {
  std::istringstream stream(messages);
  std::string result, line;
  while (std::getline(stream, line)) {
    if (line.starts_with("m.vin:") || line.find(".vin:") < line.find(' ')) result += line + "\n";
  }
  return result;
}

}  // namespace vinculum::elaborate::testing

#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/models.hpp"

namespace vinculum::bench {

/// The compiled model of a text model with `NAME=VALUE` set, as native code without a cache.
inline std::shared_ptr<const sim::Binding> compiled_with(const std::filesystem::path& path, std::span<char*> values) {
  std::vector<elaborate::ParameterOverride> overrides;
  for (const std::string_view each : values) {
    const auto equals = each.find('=');
    if (equals == each.npos) throw std::runtime_error("NAME=VALUE expected: " + std::string(each));
    overrides.push_back({std::string(each.substr(0, equals)), std::string(each.substr(equals + 1))});
  }
  diag::SourceText source(path.filename().string(), test_support::read_text(path));
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  const auto model = elaborate::elaborate(
      file, source, {path.parent_path(), overrides, integrate::names_of(integrate::method_table())}, diagnostics);
  if (diagnostics.has_errors() || !model) throw std::runtime_error(diag::render_text(source, diagnostics.all()));
  return test_support::compiled(model, codegen::Backend::kNative);
}

}  // namespace vinculum::bench

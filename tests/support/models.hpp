#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/elaborate/statements/elaborate.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/reaction_laws/law_table.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

/// Models for tests: the files under models/ and texts given in place.
namespace vinculum::test_support {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  return std::move(content).str();
}

/// All models of the project, by name.
inline std::vector<std::filesystem::path> model_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(VINCULUM_MODELS)) {
    if (entry.path().extension() == ".vin") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// The model of a text without errors; otherwise throws with the rendered diagnostics.
/// \param folder  folder of the files that the text names
inline std::shared_ptr<const model::Model> model_of_text(const std::string& text, const std::string& name = "test.vin",
                                                         integrate::MethodTable methods = integrate::method_table(),
                                                         const std::filesystem::path& folder = VINCULUM_MODELS) {
  diag::SourceText source(name, text);
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  auto model = elaborate::elaborate(file, source, {folder, {}, names_of(methods)}, diagnostics);
  if (diagnostics.has_errors() || !model) throw std::runtime_error(diag::render_text(source, diagnostics.all()));
  return model;
}

inline std::shared_ptr<const model::Model> model_of_file(const std::filesystem::path& path) {
  return model_of_text(read_text(path), path.filename().string(), integrate::method_table(), path.parent_path());
}

/// Compiles without a cache, so that tests leave no files.
inline std::shared_ptr<const sim::Binding> compiled(const std::shared_ptr<const model::Model>& model,
                                                    codegen::Backend backend = codegen::Backend::kTape) {
  sim::CompileSettings settings;
  settings.conserved_judge = sim::judge_conserved;
  settings.codegen.backend = backend;
  auto result = sim::compile_model(model, settings);
  if (!result) throw std::runtime_error(result.error().message);
  return *result;
}

}  // namespace vinculum::test_support

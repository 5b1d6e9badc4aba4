#include "compile.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "vinculum/out/report/failure_report.hpp"

namespace vinculum::cli {

std::shared_ptr<const sim::CompiledModel> compile(const std::shared_ptr<const mechanics::Model>& model,
                                                  const CommonOptions& common, bool judges_conserved) {
  sim::CompileSettings settings;
  settings.codegen.backend = common.backend;
  settings.judges_conserved = judges_conserved;
  if (common.cache) settings.codegen.cache_folder = codegen::default_cache_folder();
  auto compiled = sim::compile_model(model, settings);
  if (compiled) return *compiled;
  fmt::print(stderr, "{}", out::failure_text(*model, nullptr, compiled.error()));
  return nullptr;
}

}  // namespace vinculum::cli

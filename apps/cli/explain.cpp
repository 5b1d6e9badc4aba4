#include <fmt/format.h>

#include "command.hpp"
#include "compile.hpp"
#include "load.hpp"
#include "vinculum/out/report/explain_report.hpp"

namespace vinculum::cli {

int explain(const std::string& model, const CommonOptions& common) {
  const auto loaded = load(model, common);
  if (!loaded) return kUsage;
  if (!loaded->model || !loaded->diagnostics.all().empty()) print_diagnostics(*loaded, common.json && !loaded->model);
  if (!loaded->model) return kWrong;
  CommonOptions interpreted = common;
  interpreted.backend = codegen::Backend::kTape;  // evaluated once or twice: not worth a compilation
  const auto compiled = compile(loaded->model, interpreted, false);
  if (!compiled) return kWrong;
  const out::Explanation explanation = out::explain(compiled);
  fmt::print("{}", common.json ? out::explain_json(explanation) : out::explain_text(explanation));
  return kRight;
}

}  // namespace vinculum::cli

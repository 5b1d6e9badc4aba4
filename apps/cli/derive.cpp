#include <fmt/format.h>

#include <cstdio>

#include "command.hpp"
#include "load.hpp"
#include "vinculum/out/program/derive_report.hpp"
#include "vinculum/out/report/failure_report.hpp"

namespace vinculum::cli {

int derive(const DeriveOptions& options, const CommonOptions& common) {
  const auto loaded = load(options.model, common);
  if (!loaded) return kUsage;
  if (!loaded->model || !loaded->diagnostics.all().empty()) print_diagnostics(*loaded, false);
  if (!loaded->model) return kWrong;
  const auto form = options.form == "minimal"     ? dynamics::Formulation::kMinimal
                    : options.form == "augmented" ? dynamics::Formulation::kAugmented
                                                  : dynamics::Formulation::kExplicit;
  const auto derivation = out::derive(loaded->model, form);
  if (!derivation) {
    fmt::print(stderr, "{}", out::failure_text(*loaded->model, nullptr, derivation.error()));
    return kWrong;
  }
  if (options.to == "c" || options.to == "python") {
    if (const auto why = out::why_no_code(*derivation)) {
      fmt::print(stderr, "error: no code for {}: {}\n", loaded->model->name, *why);
      return kWrong;
    }
  }
  const std::string text = options.to == "c"        ? out::derive_c(*derivation)
                           : options.to == "python" ? out::derive_python(*derivation)
                           : options.to == "latex"  ? out::derive_latex(*derivation)
                                                    : out::derive_text(*derivation);
  fmt::print("{}", text);
  return kRight;
}

}  // namespace vinculum::cli

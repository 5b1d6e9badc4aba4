#pragma once

#include <filesystem>
#include <string>

#include "support/lang/equality.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/elaborate/statements/elaborate.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum::test_support {

/// Does the work of `vinculum check` and `vinculum format` on a text. \returns a description of a fault, or "".
inline std::string check_one(std::string text) {
  diag::SourceText source("fuzz.vin", std::move(text));
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  if (!diagnostics.has_errors()) {
    const std::string canonical = lang::format(file);
    const diag::SourceText again("again.vin", canonical);
    diag::Diagnostics silent;
    const lang::ModelFile second = lang::parse(again, reaction_laws::laws().forms(), silent);
    if (silent.has_errors()) return "formatted text has errors:\n" + diag::render_text(again, silent.all());
    if (!lang::is_equal(file, second)) return "formatting changed the meaning:\n" + canonical;
    if (lang::format(second) != canonical) return "formatting is no fixed point:\n" + canonical;
  }
  const auto model = elaborate::elaborate(
      file, source, {std::filesystem::temp_directory_path(), {}, {"dop853", "dp5", "tsit5", "radau"}}, diagnostics);
  if (!model && !diagnostics.has_errors()) return "no model and no error";
  if (diag::render_text(source, diagnostics.all()).empty() != diagnostics.all().empty())
    return "a diagnostic was not rendered";
  (void)diag::render_json(source, diagnostics.all());
  return "";
}

}  // namespace vinculum::test_support

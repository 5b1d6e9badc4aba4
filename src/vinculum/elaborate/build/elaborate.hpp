#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/mechanics/model.hpp"

namespace vinculum::elaborate {

/// `--set p=value`: as typed, unit allowed ("p", "2.5 [kg]").
struct ParameterOverride {
  std::string name;
  std::string value;
};

struct Options {
  std::filesystem::path folder;  ///< the model's own folder: tables and included files are read below it
  std::span<const ParameterOverride> overrides;
};

/// Meaning out of text: names, kinds, units, levels, constraint rows. Reports everything that is wrong in one run, one
/// diagnostic for one root cause (what depends on a faulty name is silently left out).
/// \param source  takes up the texts of included files behind its own; the model keeps a copy of all.
/// \returns the model, or null when there was an error.
[[nodiscard]] std::shared_ptr<const mechanics::Model> elaborate(const lang::ModelFile& file, diag::SourceText& source,
                                                                const Options& options, diag::Sink& sink);

}  // namespace vinculum::elaborate
